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
  func withoutName(of person: UserID) -> BlockOp {
    guard case .blocked(let it) = self, it.user == person else { return self }
    return .blocked(Block(user: person, username: "", at: it.at))
  }
}

extension StreamState {
  mutating func apply(_ op: BlockOp, into changes: inout [ObjectChange]) {
    switch op {
    case .blocked(let block): put(.block(block), into: &changes)
    case .unblocked(let id): delete(ObjectKey(kind: .block, id: id.uuid), into: &changes)
    }
  }
}
