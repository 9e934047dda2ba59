/// A change of an invitation, in the stream that it is for and in the `u:` of the person who is invited (protocol §7).
package enum InvitationOp: Equatable, Sendable {
  case sent(Invitation)
  case accepted(InvitationID)
  case declined(InvitationID)
  case revoked(InvitationID)
  /// Nobody answered the invitation in time.
  case expired(InvitationID)
  /// Something happened to an invitation that the person does not hear of. It changes nothing here; it is written so
  /// that the inviter sees the same as if the person had got it.
  case heldBack(InvitationID)

  package var invitation: InvitationID {
    switch self {
    case .sent(let it): it.id
    case .accepted(let id), .declined(let id), .revoked(let id), .expired(let id),
      .heldBack(let id):
      id
    }
  }

  /// Returns the objects that it reads or changes, as `Op.touches` does.
  var touches: [ObjectKey] {
    switch self {
    case .sent, .accepted, .declined, .revoked, .expired:
      [ObjectKey(kind: .invitation, id: invitation.uuid)]
    case .heldBack: []
    }
  }

  /// Returns the op without the names of this person.
  func withoutName(of person: UserID) -> InvitationOp {
    if case .sent(let it) = self { .sent(it.withoutName(of: person)) } else { self }
  }
}

extension StreamState {
  mutating func apply(
    _ op: InvitationOp, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .sent(let invitation):
      put(.invitation(invitation), into: &changes)
      guard stream == .user(invitation.user) else { return }
      tell(.invited, about: invitation.stream, at: index, of: event, into: &changes)
    case .accepted(let id), .declined(let id), .revoked(let id), .expired(let id):
      delete(ObjectKey(kind: .invitation, id: id.uuid), into: &changes)
    case .heldBack: break
    }
  }
}
