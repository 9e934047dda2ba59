/// A change of who is in a category or group, and in which role (protocol §8, `member.…`).
package enum MemberCommand: Equatable, Sendable {
  /// Ends the caller's membership. A successor becomes an owner first.
  case leave(StreamID, successor: UserID? = nil)
  case remove(StreamID, UserID)
  case setRole(StreamID, UserID, Role)

  package var stream: StreamID {
    switch self {
    case .leave(let stream, _), .remove(let stream, _), .setRole(let stream, _, _): stream
    }
  }

  var method: MemberMethod {
    switch self {
    case .leave: .leave
    case .remove: .remove
    case .setRole: .setRole
    }
  }
}
