/// A change of whose invitations somebody gets (protocol §8, `person.…`).
package enum PersonCommand: Equatable, Sendable {
  case block(username: String)
  case unblock(UserID)

  var method: PersonMethod {
    switch self {
    case .block: .block
    case .unblock: .unblock
    }
  }
}
