extension Op {
  /// Returns every object of the stream that the op may read or change when it is applied, its own subject first.
  /// Objects that leave the state because only the newest stay are not among them: they follow from the ranks.
  package func touches(in stream: StreamID) -> [ObjectKey] {
    let category = ObjectKey(kind: .category, id: stream.uuid)
    return switch self {
    case .categoryAdded, .categoryEdited, .categoryRemoved, .categoryRestored: [category]
    case .categoryArchived, .categoryUnarchived: [category]
    case .postAdded(let post, _), .postReopened(let post, _), .postRestored(let post, _):
      [ObjectKey(kind: .post, id: post.id.uuid), category]
    case .postEdited(let id, _, _), .postErased(let id, _, _), .step(let id, _, _):
      [ObjectKey(kind: .post, id: id.uuid)]
    case .postMoved(let id, _, _), .postPurged(let id, _): [ObjectKey(kind: .post, id: id.uuid)]
    case .postMovedOut(let id, _, _, _): [ObjectKey(kind: .post, id: id.uuid), category]
    case .postMovedIn(let post, _): [ObjectKey(kind: .post, id: post.id.uuid), category]
    case .tag(let op): [ObjectKey(kind: .tag, id: op.tag.uuid)]
    case .claim(let id, _), .postMarked(let id, _, _): [ObjectKey(kind: .post, id: id.uuid)]
    case .postImported(let id, _, _, _): [ObjectKey(kind: .post, id: id.uuid)]
    case .postCompleted(let id, _, _, _), .postRemoved(let id, _, _, _),
      .postOccurred(let id, _, _, _), .postOverdue(let id, _, _):
      [ObjectKey(kind: .post, id: id.uuid), category]
    case .group(let op): op.touches(in: stream)
    case .member(let op): [ObjectKey(kind: .member, id: op.user.uuid)]
    case .code(let op): [ObjectKey(kind: .invitationCode, id: op.code.uuid)]
    case .person(let op): op.touches(in: stream)
    case .invitation(let op): op.touches
    case .link(let op): [ObjectKey(kind: .link, id: op.link.uuid)]
    case .account: [ObjectKey(kind: .profile, id: stream.uuid)]
    case .membership(let op): op.touches
    case .declinesCounted(let it): [Object.declines(it).key]
    case .block(let op): [ObjectKey(kind: .block, id: op.user.uuid)]
    case .filter(let op): [ObjectKey(kind: .filter, id: op.filter.uuid)]
    case .personal(let op): op.touches(in: stream)
    case .readMarked(let mark): [ObjectKey(kind: .readMark, id: mark.stream.uuid)]
    case .assignmentAdded, .unknown: []
    }
  }

  /// Returns the kind of objects whose ranks in the state must be known to apply the op and to say where its subject
  /// stood before it. Nil when no ranks are needed.
  func rankedKind(in stream: StreamID) -> ObjectKind? {
    switch self {
    case .postCompleted, .postEdited, .postMarked, .postErased, .step, .postReopened, .postRemoved,
      .postOccurred, .postOverdue:
      .post
    case .postMoved, .postMovedOut: .post
    // Only open posts are claimed, and they have no rank.
    case .claim: nil
    // Only removed posts are purged, and they have no rank either.
    case .postPurged: nil
    case .postImported: .post
    case .postMovedIn(let post, _): post.completed == nil ? nil : .post
    case .postRestored(let post, _): post.completed == nil ? nil : .post
    case .invitation(.sent), .membership(.roleChanged), .membership(.removed),
      .assignmentAdded,
      .personal(.fired), .personal(.digestReady):
      if case .user = stream { .notice } else { nil }
    case .personal(.kept): .reminder
    case .categoryAdded, .categoryEdited, .categoryRemoved, .categoryRestored, .categoryArchived,
      .categoryUnarchived, .postAdded, .tag, .group, .member, .code, .person, .invitation, .link,
      .account, .membership, .readMarked, .declinesCounted, .block, .filter, .personal, .unknown:
      nil
    }
  }
}
