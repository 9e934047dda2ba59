package import Domain

// Reads and writes reactions: as an object, and in the op that gives one (protocol §6, §7).

extension ReactionOp {
  package enum Kind: String, CaseIterable, Sendable {
    case reacted = "event.reacted"
    case ended = "event.reactions_ended"
  }

  package var kind: Kind {
    switch self {
    case .reacted: .reacted
    case .ended: .ended
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let fields = try op.f()
    switch kind {
    case .reacted:
      self = .reacted(
        event: try fields.int64("event"),
        CompletedWork(
          post: PostID(try fields.uuid("post")), by: UserID(try fields.uuid("to"))),
        sign: try fields.optionalString("sign"))
    case .ended: self = .ended(event: try fields.int64("event"))
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .reacted(let event, let work, let sign):
      writer.op(id: nil) {
        $0.member("event", event)
        $0.member("post", work.post.uuid)
        $0.member("to", work.by.uuid)
        $0.member("sign", ifPresent: sign)
      }
    case .ended(let event): writer.op(id: nil) { $0.member("event", event) }
    }
  }
}

extension Reactions {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("event", event)
    writer.members("given", given) { it, writer in
      writer.member("user", it.user.uuid)
      writer.member("sign", it.sign)
      writer.member("post", it.post.uuid)
    }
  }

  init(_ fields: StoredFields) throws(WireError) {
    var given: [Reaction] = []
    for element in try fields.elements("given") {
      let it = try StoredFields(element)
      given.append(
        Reaction(
          user: UserID(try it.uuid("user")), sign: try it.string("sign"),
          post: PostID(try it.uuid("post"))))
    }
    self.init(to: try fields.int64("event"), given)
  }
}
