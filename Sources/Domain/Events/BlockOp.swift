/// A change of whom a person has blocked, in their `u:` (protocol §7).
package enum BlockOp: Equatable, Sendable {
  case blocked(Block)
  case unblocked(UserID)

  package var user: UserID {
    switch self {
    case .blocked(let it): it.user
    case .unblocked(let id): id
    }
  }

  /// Returns the op without the username of this person.
  private func withoutName(of person: UserID) -> BlockOp {
    guard case .blocked(let it) = self, it.user == person else { return self }
    return .blocked(Block(user: person, username: "", at: it.at))
  }
}

extension BlockOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .block, id: user.uuid)]
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> BlockOp {
    if case .person(let id) = subject { withoutName(of: id) } else { self }
  }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: BlockOp, into changes: inout [ObjectChange]) {
    switch op {
    case .blocked(let block): put(.block(block), into: &changes)
    case .unblocked(let id): delete(ObjectKey(kind: .block, id: id.uuid), into: &changes)
    }
  }
}
