package import Domain

extension GuestLink {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("guest", guest.uuid)
    writer.member("made", made)
    writer.member("endsAt", endsAt)
    writer.member("seq", seq)
  }

  init(id: LinkID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, guest: UserID(try fields.uuid("guest")), made: try fields.stamp("made"),
      endsAt: try fields.time("endsAt"), seq: try fields.int64("seq"))
  }
}

extension LinkOp {
  package enum Kind: String, CaseIterable, Sendable {
    case made = "link.made"
    case ended = "link.ended"
  }

  package var kind: Kind {
    switch self {
    case .made: .made
    case .ended: .ended
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = LinkID(try op.id())
    switch kind {
    case .made: self = .made(try GuestLink(id: id, op.f()))
    case .ended: self = .ended(id)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .made(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .ended(let id): writer.member("id", id.uuid)
    }
  }
}
