package import Domain

// Reads and writes talk: lines and counts of comments as objects, and the ops about them (protocol §6, §7).

extension LineOp {
  package enum Kind: String, CaseIterable, Sendable {
    case said = "line.said"
    case edited = "line.edited"
    case reacted = "line.reacted"
    case removed = "line.removed"
  }

  package var kind: Kind {
    switch self {
    case .said: .said
    case .edited: .edited
    case .reacted: .reacted
    case .removed: .removed
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let fields = try op.f()
    let line = try fields.int64("line")
    let post = try fields.optionalUUID("post").map(PostID.init)
    switch kind {
    case .said: self = .said(try SaidLine(line: line, on: post, fields))
    case .edited:
      self = .edited(
        line: line, text: try fields.string("text"), post: post, mentions: try fields.mentions())
    case .reacted:
      self = .reacted(
        line: line, to: UserID(try fields.uuid("to")), sign: try fields.optionalString("sign"),
        post: post)
    case .removed:
      self = .removed(line: line, post: post, comments: try fields.optionalInt("comments"))
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.op(id: nil) {
      $0.member("line", line)
      switch self {
      case .said(let it): $0.member("text", it.text)
      case .edited(_, let text, _, _): $0.member("text", text)
      case .reacted(_, let to, let sign, _):
        $0.member("to", to.uuid)
        $0.member("sign", ifPresent: sign)
      case .removed: break
      }
      $0.member("post", ifPresent: post?.uuid)
      switch self {
      case .said(let it):
        $0.member("answers", ifPresent: it.answers)
        $0.member("to", ifPresent: it.to?.uuid)
        $0.member("mentions", it.mentions)
        $0.member("comments", ifPresent: it.comments)
      case .edited(_, _, _, let mentions): $0.member("mentions", mentions)
      case .reacted: break
      case .removed(_, _, let comments): $0.member("comments", ifPresent: comments)
      }
    }
  }
}

extension SaidLine {
  fileprivate init(
    line: Int64, on post: PostID?, _ fields: StoredFields
  ) throws(WireError) {
    self.init(
      line: line, text: try fields.string("text"), post: post,
      answers: try fields.optionalInt64("answers"),
      to: try fields.optionalUUID("to").map(UserID.init), mentions: try fields.mentions(),
      comments: try fields.optionalInt("comments"))
  }
}

extension TalkLine {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("line", event)
    writer.member("said", said)
    writer.member("text", text)
    writer.member("post", ifPresent: post?.uuid)
    writer.member("answers", ifPresent: answers)
    writer.member("mentions", mentions)
    if !reactions.isEmpty {
      writer.members("reactions", reactions) { it, writer in
        writer.member("user", it.user.uuid)
        writer.member("sign", it.sign)
      }
    }
    if let edited { writer.member("edited", edited) }
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      event: try fields.int64("line"), said: try fields.stamp("said"),
      text: try fields.string("text"), post: try fields.optionalUUID("post").map(PostID.init),
      answers: try fields.optionalInt64("answers"), mentions: try fields.mentions(),
      reactions: try fields.lineReactions(),
      edited: fields.has("edited") ? try fields.time("edited") : nil)
  }
}

extension Comments {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("count", count)
    writer.member("last", last)
    writer.member("seq", seq)
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      on: PostID(try fields.uuid("id")), count: try fields.int("count"),
      last: try fields.time("last"), seq: try fields.int64("seq"))
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ mentions: [Mention]) {
    guard !mentions.isEmpty else { return }
    members(name, mentions) { it, writer in
      writer.member("user", it.user.uuid)
      writer.member("at", it.at)
      writer.member("length", it.length)
    }
  }
}

extension StoredFields {
  fileprivate func mentions() throws(WireError) -> [Mention] {
    guard has("mentions") else { return [] }
    var mentions: [Mention] = []
    for element in try elements("mentions") {
      let it = try StoredFields(element)
      mentions.append(
        Mention(
          UserID(try it.uuid("user")), at: try it.int("at"), length: try it.int("length")))
    }
    return mentions
  }

  fileprivate func lineReactions() throws(WireError) -> [LineReaction] {
    guard has("reactions") else { return [] }
    var given: [LineReaction] = []
    for element in try elements("reactions") {
      let it = try StoredFields(element)
      given.append(LineReaction(user: UserID(try it.uuid("user")), sign: try it.string("sign")))
    }
    return given
  }
}
