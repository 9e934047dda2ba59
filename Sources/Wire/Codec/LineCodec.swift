package import Domain

// Reads and writes talk: a line as an object, and the ops about it (protocol §6, §7).

extension LineOp {
  package enum Kind: String, CaseIterable, Sendable {
    case said = "line.said"
    case edited = "line.edited"
    case removed = "line.removed"
  }

  package var kind: Kind {
    switch self {
    case .said: .said
    case .edited: .edited
    case .removed: .removed
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let fields = try op.f()
    let line = try fields.int64("line")
    switch kind {
    case .said:
      self = .said(
        line: line, text: try fields.string("text"),
        post: try fields.optionalUUID("post").map(PostID.init),
        answers: try fields.optionalInt64("answers"))
    case .edited:
      self = .edited(
        line: line, text: try fields.string("text"),
        post: try fields.optionalUUID("post").map(PostID.init))
    case .removed:
      self = .removed(line: line, post: try fields.optionalUUID("post").map(PostID.init))
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.op(id: nil) {
      $0.member("line", line)
      switch self {
      case .said(_, let text, _, _), .edited(_, let text, _): $0.member("text", text)
      case .removed: break
      }
      $0.member("post", ifPresent: post?.uuid)
      if case .said(_, _, _, let answers) = self { $0.member("answers", ifPresent: answers) }
    }
  }
}

extension TalkLine {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("line", event)
    writer.member("said", said)
    writer.member("text", text)
    writer.member("post", ifPresent: post?.uuid)
    writer.member("answers", ifPresent: answers)
    if let edited { writer.member("edited", edited) }
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      event: try fields.int64("line"), said: try fields.stamp("said"),
      text: try fields.string("text"), post: try fields.optionalUUID("post").map(PostID.init),
      answers: try fields.optionalInt64("answers"),
      edited: fields.has("edited") ? try fields.time("edited") : nil)
  }
}
