/// The changes of invitations and of codes that let people in.
package enum InvitationMethod: String, MethodFamily {
  case send = "invitation.send"
  case accept = "invitation.accept"
  case decline = "invitation.decline"
  case revoke = "invitation.revoke"
  case makeCode = "invitation.make_code"
  case redeem = "invitation.redeem"

  package var row: MethodRow {
    switch self {
    case .send: .change(from: .admin, inArchive: true)
    case .accept: .change(inArchive: true)
    case .decline: .ending(inArchive: true)
    case .revoke: .ending(from: .admin, inArchive: true)
    case .makeCode: .change(from: .admin, inBatch: false, secret: true, inArchive: true)
    case .redeem: .change(inBatch: false, inArchive: true)
    }
  }
}
