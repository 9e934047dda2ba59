package import Domain

/// The answer to `undo.preview`: what an undo of these events would do now.
package struct UndoPreview: Equatable, Sendable {
  /// The events that it would take back, ascending. They are sent with `undo`.
  package let events: [Int64]
  package let steps: [UndoStep]
  package let skipped: [UndoSkip]
  /// A digest that is sent with `undo`, which is refused when any of this has changed meanwhile.
  package let seen: String
  /// Whether there is more to take back than one undo may, or than was looked through.
  package let more: Bool

  package init(
    events: [Int64], steps: [UndoStep], skipped: [UndoSkip], seen: String, more: Bool
  ) {
    self.events = events
    self.steps = steps
    self.skipped = skipped
    self.seen = seen
    self.more = more
  }
}

extension UndoPreview {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("events", events)
    writer.members("steps", steps) { step, writer in
      writer.member("stream", step.stream)
      writer.member("id", ifPresent: step.post?.uuid)
      writer.member("number", ifPresent: step.number)
      writer.key("does")
      writer.beginArray()
      for word in step.does { writer.string(word.rawValue) }
      writer.endArray()
    }
    writer.member("skipped", skipped)
    writer.member("seen", seen)
    if more { writer.member("more", true) }
  }

  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var events: [Int64] = []
    for element in try fields.elements("events") {
      guard let seq = element.int64 else { throw .malformed("events") }
      events.append(seq)
    }
    var steps: [UndoStep] = []
    for element in try fields.elements("steps") {
      steps.append(try UndoStep(StoredFields(element)))
    }
    self.init(
      events: events, steps: steps, skipped: try fields.skips("skipped"),
      seen: try fields.string("seen"), more: fields.has("more") ? try fields.bool("more") : false)
  }
}

extension UndoStep {
  /// Reads a step. Words that this version does not know are left out.
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    var does: [Word] = []
    for element in try fields.elements("does") {
      guard let word = element.string else { throw .malformed("does") }
      if let known = Word(rawValue: word) { does.append(known) }
    }
    self.init(
      stream: try fields.stream("stream"), post: try fields.optionalUUID("id").map(PostID.init),
      number: try fields.optionalInt("number"), does: does)
  }
}

/// The things that an undo left as they were, as an answer has them and a store keeps them.
package enum UndoSkipCodec {
  package static func encode(_ skipped: [UndoSkip]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("skipped", skipped)
    writer.endObject()
    return writer.bytes
  }

  package static func decode(_ bytes: [UInt8]) throws(WireError) -> [UndoSkip] {
    try StoredFields(ObjectCodec.document(bytes, limits: .message).root).skips("skipped")
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ skipped: [UndoSkip]) {
    members(name, skipped) { skip, writer in
      writer.member("stream", skip.stream)
      writer.member("id", ifPresent: skip.post?.uuid)
      writer.member("number", ifPresent: skip.number)
      writer.member("reason", skip.reason.rawValue)
    }
  }
}

extension StoredFields {
  /// Reads skips. Reasons that this version does not know count as `later`: the thing was left as it was.
  func skips(_ name: String) throws(WireError) -> [UndoSkip] {
    var skips: [UndoSkip] = []
    for element in try elements(name) {
      let fields = try StoredFields(element)
      skips.append(
        UndoSkip(
          stream: try fields.stream("stream"),
          post: try fields.optionalUUID("id").map(PostID.init),
          number: try fields.optionalInt("number"),
          reason: UndoSkip.Reason(rawValue: try fields.string("reason")) ?? .later))
    }
    return skips
  }
}
