/// A change of who belongs to a category or a group (protocol §7).
package enum MemberOp: Equatable, Sendable {
  case added(Member)
  case updated(UserID, name: String)
  /// The member has another role and is still a member.
  case granted(UserID, Grants)
  /// The user is no member any more. `direct`: they left this category or group by itself, and did not go with the
  /// group of the category.
  case removed(UserID, LeaveReason, direct: Bool = false)

  package var user: UserID {
    switch self {
    case .added(let member): member.id
    case .updated(let id, _), .granted(let id, _), .removed(let id, _, _): id
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

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

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
      guard event.tellsJoining(of: member, in: stream) else { return nil }
      return Meaning(kind: .joined, user: member.id)
    // The group tells of those who left a list with it.
    case .removed(let id, _, let direct):
      guard id != viewer, direct || stream.category == nil else { return nil }
      return Meaning(kind: .left, user: id)
    case .updated, .granted: return nil
    }
  }
}

extension StreamState {
  mutating func apply(_ op: MemberOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let member): put(.member(member), into: &changes)
    case .updated(let id, let name): changeMember(id, into: &changes) { $0.name = name }
    case .granted(let id, let grants): changeMember(id, into: &changes) { $0.grants = grants }
    case .removed(let id, _, _): changeMember(id, into: &changes) { $0.grants = Grants() }
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
