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

  /// Returns the op without the names of this person.
  private func withoutName(of person: UserID) -> InvitationOp {
    if case .sent(let it) = self { .sent(it.withoutName(of: person)) } else { self }
  }
}

extension InvitationOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    switch self {
    case .sent, .accepted, .declined, .revoked, .expired:
      [ObjectKey(kind: .invitation, id: invitation.uuid)]
    case .heldBack: []
    }
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] {
    if case .sent = self, case .user = stream { [.notice] } else { [] }
  }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, at: index, of: event, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> InvitationOp {
    if case .person(let id) = subject { withoutName(of: id) } else { self }
  }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    guard case .sent(let it) = self, stream == .user(viewer), it.user == viewer else { return nil }
    return Meaning(kind: .invited, about: it.stream)
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
