import Domain

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
  init(_ kind: OpKind, _ op: StoredFields) throws(WireError) {
    let id = LinkID(try op.uuid("id"))
    self = kind == .linkMade ? .made(try GuestLink(id: id, op.f())) : .ended(id)
  }
}

extension OpKind {
  init(_ op: LinkOp) {
    switch op {
    case .made: self = .linkMade
    case .ended: self = .linkEnded
    }
  }
}
