extension Op {
  /// Returns every object of the stream that the op may read or change when it is applied, its own subject first.
  /// Objects that leave the state because only the newest stay are not among them: they follow from the ranks.
  package func touches(in stream: StreamID) -> [ObjectKey] {
    let category = ObjectKey(kind: .category, id: stream.uuid)
    return switch self {
    case .category: [category]
    case .post(let op):
      [ObjectKey(kind: .post, id: op.post.uuid)] + (op.counters == nil ? [] : [category])
    case .step(let id, _, _), .claim(let id, _): [ObjectKey(kind: .post, id: id.uuid)]
    case .tag(let op): [ObjectKey(kind: .tag, id: op.tag.uuid)]
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
    case .post(let op): op.needsRanks ? .post : nil
    case .step: .post
    // Only open posts are claimed, and they have no rank.
    case .claim: nil
    case .invitation(.sent), .membership(.roleChanged), .membership(.removed), .assignmentAdded,
      .personal(.fired), .personal(.digestReady):
      if case .user = stream { .notice } else { nil }
    case .personal(.kept): .reminder
    case .category, .tag, .group, .member, .code, .person, .invitation, .link, .account,
      .membership, .readMarked, .declinesCounted, .block, .filter, .personal, .unknown:
      nil
    }
  }
}
