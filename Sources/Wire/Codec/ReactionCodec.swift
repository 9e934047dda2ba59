package import Domain

// Reads and writes reactions: as an object, and in the op that gives one (protocol §6, §7).

extension ReactionOp {
  package enum Kind: String, CaseIterable, Sendable {
    case reacted = "event.reacted"
  }

  package var kind: Kind {
    switch self {
    case .reacted: .reacted
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let fields = try op.f()
    switch kind {
    case .reacted:
      self = .reacted(
        event: try fields.int64("event"), try CompletedWork(fields),
        sign: try fields.optionalString("sign"))
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .reacted(let event, let work, let sign):
      writer.op(id: nil) {
        $0.member("event", event)
        work.writeFields(to: &$0)
        $0.member("sign", ifPresent: sign)
      }
    }
  }
}

extension Reactions {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("event", event)
    work.writeFields(to: &writer)
    writer.members("given", given) { it, writer in
      writer.member("user", it.user.uuid)
      writer.member("sign", it.sign)
    }
    writer.member("seq", seq)
  }

  init(_ fields: StoredFields) throws(WireError) {
    var given: [Reaction] = []
    for element in try fields.elements("given") {
      let it = try StoredFields(element)
      given.append(Reaction(user: UserID(try it.uuid("user")), sign: try it.string("sign")))
    }
    self.init(
      to: try fields.int64("event"), try CompletedWork(fields), given,
      seq: try fields.int64("seq"))
  }
}

extension CompletedWork {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("post", post.uuid)
    writer.member("to", by.uuid)
  }

  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(post: PostID(try fields.uuid("post")), by: UserID(try fields.uuid("to")))
  }
}
