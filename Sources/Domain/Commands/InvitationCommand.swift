/// A change of invitations, or of codes that let people in (protocol §8, `invitation.…`).
package enum InvitationCommand: Equatable, Sendable {
  case send(InvitationID, StreamID, username: String, Role)
  case accept(InvitationID)
  case decline(InvitationID)
  /// Ends an invitation, or a code.
  case revoke(InvitationID, StreamID)
  case makeCode(InvitationID, StreamID, NewCode)
  case redeem(CodeInHand)

  var method: InvitationMethod {
    switch self {
    case .send: .send
    case .accept: .accept
    case .decline: .decline
    case .revoke: .revoke
    case .makeCode: .makeCode
    case .redeem: .redeem
    }
  }

  func home(of actor: UserID) -> StreamID {
    switch self {
    case .send(_, let stream, _, _), .revoke(_, let stream), .makeCode(_, let stream, _): stream
    case .accept, .decline, .redeem: .user(actor)
    }
  }
}
