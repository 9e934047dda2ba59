/// A change of who belongs to a category or a group (protocol §7).
package enum MemberOp: Equatable, Sendable {
  case added(Member)
  case updated(UserID, name: String)
  /// The member has another role and is still a member.
  case granted(UserID, Grants)
  case removed(UserID, LeaveReason)

  package var user: UserID {
    switch self {
    case .added(let member): member.id
    case .updated(let id, _), .granted(let id, _), .removed(let id, _): id
    }
  }

  /// Returns the op without the name of this person.
  private func withoutName(of person: UserID) -> MemberOp {
    switch self {
    case .added(let it): it.id == person ? .added(it.withoutName) : self
    case .updated(let id, _): id == person ? .updated(id, name: "") : self
    case .granted, .removed: self
    }
  }
}

extension MemberOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .member, id: user.uuid)]
  }

  package func rankedKind(in stream: StreamID) -> ObjectKind? { nil }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> MemberOp {
    if case .person(let id) = subject { withoutName(of: id) } else { self }
  }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    switch self {
    case .added(let member):
      event.tellsJoining(of: member, in: stream) ? Meaning(kind: .joined, user: member.id) : nil
    // An event of a list does not say whether the person left it with a group, which tells it already.
    case .removed(let id, _):
      if case .group = stream, id != viewer { Meaning(kind: .left, user: id) } else { nil }
    case .updated, .granted: nil
    }
  }
}

extension StreamState {
  mutating func apply(_ op: MemberOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let member): put(.member(member), into: &changes)
    case .updated(let id, let name): changeMember(id, into: &changes) { $0.name = name }
    case .granted(let id, let grants): changeMember(id, into: &changes) { $0.grants = grants }
    case .removed(let id, _): changeMember(id, into: &changes) { $0.grants = Grants() }
    }
  }

  mutating func changeMember(
    _ id: UserID, into changes: inout [ObjectChange], _ change: (inout Member) -> Void
  ) {
    guard case .member(var member) = object(.member, id.uuid) else { return }
    change(&member)
    put(.member(member), into: &changes)
  }
}
