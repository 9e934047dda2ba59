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
    case .groupAdded, .groupEdited, .groupRemoved, .groupRestored:
      [ObjectKey(kind: .group, id: stream.uuid)]
    case .groupCategoryAdded(let id): [ObjectKey(kind: .groupCategory, id: id.uuid)]
    case .memberAdded(let member): [ObjectKey(kind: .member, id: member.id.uuid)]
    case .memberUpdated(let id, _), .memberGranted(let id, _), .memberRemoved(let id, _):
      [ObjectKey(kind: .member, id: id.uuid)]
    case .invitationSent(let invitation):
      [ObjectKey(kind: .invitation, id: invitation.id.uuid)]
    case .invitationAccepted(let id), .invitationDeclined(let id), .invitationRevoked(let id),
      .invitationExpired(let id):
      [ObjectKey(kind: .invitation, id: id.uuid)]
    case .codeMade(let code): [ObjectKey(kind: .invitationCode, id: code.id.uuid)]
    case .codeUsed(let id, _), .codeEnded(let id):
      [ObjectKey(kind: .invitationCode, id: id.uuid)]
    case .accountRegistered, .profileEdited: [ObjectKey(kind: .profile, id: stream.uuid)]
    case .link(let op): [ObjectKey(kind: .link, id: op.link.uuid)]
    case .upgraded(let id, _, _):
      if case .user = stream {
        [ObjectKey(kind: .profile, id: stream.uuid)]
      } else {
        [ObjectKey(kind: .member, id: id.uuid)]
      }
    case .personForgotten(let id): [stream.naming(id)]
    case .accountEnding, .accountKept: [ObjectKey(kind: .profile, id: stream.uuid)]
    case .membershipAdded(let membership), .membershipGranted(let membership),
      .roleChanged(let membership):
      [ObjectKey(kind: .membership, id: membership.stream.uuid)]
    case .membershipMoved(let list, _): [ObjectKey(kind: .membership, id: list.uuid)]
    case .membershipRemoved(let left, _):
      [
        ObjectKey(kind: .membership, id: left.uuid), ObjectKey(kind: .readMark, id: left.uuid),
      ]
    case .declinesCounted(let it): [Object.declines(it).key]
    case .personBlocked(let it): [ObjectKey(kind: .block, id: it.user.uuid)]
    case .personUnblocked(let id): [ObjectKey(kind: .block, id: id.uuid)]
    case .filterSaved(let it): [ObjectKey(kind: .filter, id: it.id.uuid)]
    case .filterRemoved(let id): [ObjectKey(kind: .filter, id: id.uuid)]
    case .personal(let op): op.touches(in: stream)
    case .readMarked(let mark): [ObjectKey(kind: .readMark, id: mark.stream.uuid)]
    case .assignmentAdded, .invitationHeldBack, .unknown: []
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
    case .accountEnding, .accountKept, .personForgotten: nil
    case .postMovedIn(let post, _): post.completed == nil ? nil : .post
    case .postRestored(let post, _): post.completed == nil ? nil : .post
    case .invitationSent, .roleChanged, .membershipRemoved, .assignmentAdded, .personal(.fired),
      .personal(.digestReady):
      if case .user = stream { .notice } else { nil }
    case .personal(.kept): .reminder
    case .categoryAdded, .categoryEdited, .categoryRemoved, .categoryRestored, .postAdded, .tag,
      .categoryArchived, .categoryUnarchived,
      .groupAdded, .groupEdited,
      .groupRemoved, .groupRestored, .groupCategoryAdded, .memberAdded, .memberUpdated,
      .memberGranted, .memberRemoved, .invitationAccepted, .invitationDeclined, .invitationRevoked,
      .invitationExpired, .invitationHeldBack, .personBlocked, .personUnblocked, .declinesCounted,
      .codeMade, .codeUsed, .codeEnded, .filterSaved, .filterRemoved, .upgraded, .personal, .link,
      .accountRegistered, .profileEdited, .membershipAdded, .membershipGranted, .membershipMoved,
      .readMarked, .unknown:
      nil
    }
  }
}

extension StreamID {
  /// Returns the object that names a person whose account has ended: the block of them in a person's own stream, and
  /// the member in other streams.
  fileprivate func naming(_ person: UserID) -> ObjectKey {
    if case .user = self { return ObjectKey(kind: .block, id: person.uuid) }
    return ObjectKey(kind: .member, id: person.uuid)
  }
}
