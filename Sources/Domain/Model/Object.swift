/// The key by which an object is found within its stream. Keys are ordered by the kind's word, then by id.
package struct ObjectKey: Hashable, Comparable, Sendable {
  package let kind: ObjectKind
  package let id: UUID
  package init(kind: ObjectKind, id: UUID) {
    self.kind = kind
    self.id = id
  }

  /// Hashes the id alone: hardly two kinds share one, and the kind's word would cost more than all else.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  package static func < (left: ObjectKey, right: ObjectKey) -> Bool {
    left.kind != right.kind ? left.kind.rawValue < right.kind.rawValue : left.id < right.id
  }
}

/// One object of a stream's state. It is boxed, because it is copied far more often than it is made.
package indirect enum Object: Equatable, Sendable {
  case category(Category)
  case group(Group)
  case groupCategory(GroupCategory)
  case profile(Profile)
  case member(Member)
  case post(Post)
  case invitation(Invitation)
  case invitationCode(InvitationCode)
  case membership(Membership)
  case readMark(ReadMark)
  case declines(Declines)
  case block(Block)
  case personal(Personal)
  case settings(PersonalSettings)
  case reminder(KeptReminder)
  case notice(Notice)
  case tag(Tag)
  case filter(Filter)
  case link(GuestLink)
  case reactions(Reactions)
  case line(TalkLine)
  case comments(Comments)

  package var key: ObjectKey {
    switch self {
    case .category(let it): ObjectKey(kind: .category, id: it.id.uuid)
    case .group(let it): ObjectKey(kind: .group, id: it.id.uuid)
    case .groupCategory(let it): ObjectKey(kind: .groupCategory, id: it.id.uuid)
    case .profile(let it): ObjectKey(kind: .profile, id: it.id.uuid)
    case .member(let it): ObjectKey(kind: .member, id: it.id.uuid)
    case .post(let it): ObjectKey(kind: .post, id: it.id.uuid)
    case .invitation(let it): ObjectKey(kind: .invitation, id: it.id.uuid)
    case .invitationCode(let it): ObjectKey(kind: .invitationCode, id: it.id.uuid)
    case .membership(let it): ObjectKey(kind: .membership, id: it.stream.uuid)
    case .readMark(let it): ObjectKey(kind: .readMark, id: it.stream.uuid)
    case .declines(let it): ObjectKey(kind: .declines, id: it.stream.uuid)
    case .block(let it): ObjectKey(kind: .block, id: it.user.uuid)
    case .personal(let it): it.key
    case .settings(let it): ObjectKey(kind: .settings, id: it.user.uuid)
    case .reminder(let it): it.key
    case .notice(let it): it.key
    case .tag(let it): ObjectKey(kind: .tag, id: it.id.uuid)
    case .filter(let it): ObjectKey(kind: .filter, id: it.id.uuid)
    case .link(let it): ObjectKey(kind: .link, id: it.id.uuid)
    case .reactions(let it): it.key
    case .line(let it): it.key
    case .comments(let it): it.key
    }
  }
}

extension StreamID {
  /// The key of the object that the stream is about.
  package var headKey: ObjectKey {
    switch self {
    case .category: ObjectKey(kind: .category, id: uuid)
    case .group: ObjectKey(kind: .group, id: uuid)
    case .user: ObjectKey(kind: .profile, id: uuid)
    }
  }
}

extension Notice {
  /// The key of the notice. Notices have no id of their own: the number of their event and the op's place make one.
  package var key: ObjectKey { Notice.key(seq: seq, opIndex: opIndex) }

  package static func key(seq: Int64, opIndex: Int) -> ObjectKey {
    ObjectKey(kind: .notice, id: UUID(high: UInt64(seq), low: UInt64(opIndex)))
  }
}
