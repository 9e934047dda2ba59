package import Domain

// Ops about members, and about how a stream names a person (protocol §7): their words, and what each says.

extension MemberOp {
  package enum Kind: String, CaseIterable, Sendable {
    case added = "member.added"
    case updated = "member.updated"
    case granted = "member.granted"
    case removed = "member.removed"
  }

  package var kind: Kind {
    switch self {
    case .added: .added
    case .updated: .updated
    case .granted: .granted
    case .removed: .removed
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = UserID(try op.id())
    switch kind {
    case .added: self = .added(try Member(id: id, op.f()))
    case .updated: self = .updated(id, name: try op.f().string("name"))
    case .granted: self = .granted(id, try op.f().grants("grants"))
    case .removed:
      let fields = try op.f()
      self = .removed(
        id, try fields.reason(),
        direct: try fields.has("direct") ? fields.bool("direct") : false)
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.op(id: user.uuid) {
      switch self {
      case .added(let it): it.writeFields(to: &$0)
      case .updated(_, let name): $0.member("name", name)
      case .granted(_, let grants): grants.writeFields(to: &$0)
      case .removed(_, let reason, let direct):
        $0.member("reason", reason.rawValue)
        if direct { $0.member("direct", true) }
      }
    }
  }
}

extension PersonOp {
  package enum Kind: String, CaseIterable, Sendable {
    case forgotten = "person.forgotten"
    case upgraded = "account.upgraded"
  }

  package var kind: Kind {
    switch self {
    case .upgraded: .upgraded
    case .forgotten: .forgotten
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = UserID(try op.id())
    switch kind {
    case .upgraded:
      self = .upgraded(
        id, username: try op.f().string("username"), name: try op.f().string("name"))
    case .forgotten: self = .forgotten(id)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .upgraded(let id, let username, let name):
      writer.op(id: id.uuid) {
        $0.member("username", username)
        $0.member("name", name)
      }
    case .forgotten(let id): writer.member("id", id.uuid)
    }
  }
}

extension BlockOp {
  package enum Kind: String, CaseIterable, Sendable {
    case blocked = "person.blocked"
    case unblocked = "person.unblocked"
  }

  package var kind: Kind {
    switch self {
    case .blocked: .blocked
    case .unblocked: .unblocked
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = UserID(try op.id())
    switch kind {
    case .blocked: self = .blocked(try Block(user: id, op.f()))
    case .unblocked: self = .unblocked(id)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .blocked(let it): writer.op(id: it.user.uuid) { it.writeFields(to: &$0) }
    case .unblocked(let id): writer.member("id", id.uuid)
    }
  }
}

extension Grants {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("grants", self)
    writer.member("role", ifPresent: role?.word)
  }
}
