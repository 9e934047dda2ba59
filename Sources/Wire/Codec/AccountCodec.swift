package import Domain

// Ops about a person's account and about the streams that they are in (protocol §7): their words, and what each says.

extension AccountOp {
  package enum Kind: String, CaseIterable, Sendable {
    case registered = "account.registered"
    case edited = "profile.edited"
    case ending = "account.ending"
    case kept = "account.kept"
    case given = "bot.given"
  }

  package var kind: Kind {
    switch self {
    case .registered: .registered
    case .edited: .edited
    case .ending: .ending
    case .kept: .kept
    case .given: .given
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    switch kind {
    case .registered: self = .registered(try Profile(id: UserID(op.id()), op.f()))
    case .edited: self = .edited(try ProfileEdit(op.f()))
    case .ending: self = .ending(try op.f().time("endsAt"))
    case .kept: self = .kept
    case .given: self = .given(to: UserID(try op.f().uuid("owner")))
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .registered(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .edited(let edit): writer.op(id: nil) { edit.writeFields(to: &$0) }
    case .ending(let end): writer.op(id: nil) { $0.member("endsAt", end) }
    case .kept: break
    case .given(let owner): writer.op(id: nil) { $0.member("owner", owner.uuid) }
    }
  }
}

extension ProfileEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      name: try fields.optionalString("name"), location: try fields.optionalString("location"),
      zone: try fields.optionalString("zone"),
      invitedBy: try fields.optionalWord("invitedBy", InvitedBy.init(rawValue:)),
      locale: try fields.optionalString("locale"))
  }
}

extension MembershipOp {
  package enum Kind: String, CaseIterable, Sendable {
    case added = "membership.added"
    case granted = "membership.granted"
    case roleChanged = "role.changed"
    case removed = "membership.removed"
    case moved = "membership.moved"
  }

  package var kind: Kind {
    switch self {
    case .added: .added
    case .granted: .granted
    case .roleChanged: .roleChanged
    case .removed: .removed
    case .moved: .moved
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let fields = try op.f()
    switch kind {
    case .added: self = .added(try Membership(fields))
    case .granted: self = .granted(try Membership(fields))
    case .roleChanged: self = .roleChanged(try Membership(fields))
    case .removed: self = .removed(try fields.stream("stream"), try fields.reason())
    case .moved: self = .moved(try fields.stream("stream"), try fields.position())
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.op(id: nil) {
      switch self {
      case .added(let it), .granted(let it), .roleChanged(let it): it.writeFields(to: &$0)
      case .removed(let stream, let reason):
        $0.member("stream", stream)
        $0.member("reason", reason.rawValue)
      case .moved(let stream, let position):
        $0.member("stream", stream)
        $0.member("position", position.text)
      }
    }
  }
}
