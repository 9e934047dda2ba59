package import Domain

// Ops about invitations and invitation codes (protocol §7): their words, and what each says.

extension InvitationOp {
  package enum Kind: String, CaseIterable, Sendable {
    case sent = "invitation.sent"
    case accepted = "invitation.accepted"
    case declined = "invitation.declined"
    case revoked = "invitation.revoked"
    case expired = "invitation.expired"
    case heldBack = "invitation.held_back"
  }

  package var kind: Kind {
    switch self {
    case .sent: .sent
    case .accepted: .accepted
    case .declined: .declined
    case .revoked: .revoked
    case .expired: .expired
    case .heldBack: .heldBack
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = InvitationID(try op.id())
    switch kind {
    case .sent: self = .sent(try Invitation(id: id, op.f()))
    case .accepted: self = .accepted(id)
    case .declined: self = .declined(id)
    case .revoked: self = .revoked(id)
    case .expired: self = .expired(id)
    case .heldBack: self = .heldBack(id)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .sent(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .accepted(let id), .declined(let id), .revoked(let id), .expired(let id),
      .heldBack(let id):
      writer.member("id", id.uuid)
    }
  }
}

extension CodeOp {
  package enum Kind: String, CaseIterable, Sendable {
    case made = "code.made"
    case used = "code.used"
    case ended = "code.ended"
  }

  package var kind: Kind {
    switch self {
    case .made: .made
    case .used: .used
    case .ended: .ended
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = InvitationID(try op.id())
    switch kind {
    case .made: self = .made(try InvitationCode(id: id, op.f()))
    case .used: self = .used(id, times: try op.f().int("used"))
    case .ended: self = .ended(id)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .made(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .used(let id, let times): writer.op(id: id.uuid) { $0.member("used", times) }
    case .ended(let id): writer.member("id", id.uuid)
    }
  }
}
