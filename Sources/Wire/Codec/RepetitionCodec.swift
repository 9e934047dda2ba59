import Domain

// Reads and writes how a post comes again (protocol §6):
// `{"confirm"?,"from"?,"missed"?,"occurrence"?,"rotate"?,"rule"}`. In a request `occurrence` is not read: only the
// server sets it.

extension Repetition: MemberValue {
  static var schema: String { Schema.common("recurrenceWish") }
  static var example: String { #"{"rule":"FREQ=WEEKLY;BYDAY=MO"}"# }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if confirms { writer.member("confirm", Role.admin.word) }
    if basis != .due { writer.member("from", basis.rawValue) }
    if missed != .dropped { writer.member("missed", missed.rawValue) }
    if let occurrence { writer.member("occurrence", occurrence) }
    if let rotation { writer.member("rotate", rotation.rawValue) }
    writer.member("rule", rule.description)
    writer.endObject()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Repetition {
    let it = try fields.fields(name)
    return Repetition(
      try it.rule("rule"),
      basis: try it.optionalWord("from", Recurrence.Basis.init(rawValue:)) ?? .due,
      missed: try it.optionalWord("missed", Recurrence.Missed.init(rawValue:)) ?? .dropped,
      rotation: try it.optionalWord("rotate", Rotation.init(rawValue:)),
      confirms: it.has("confirm"),
      occurrence: try it.optionalFields("occurrence").map(Occurrence.init))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Repetition? {
    let it = try params.object(name)
    return Repetition(
      try it.rule("rule"),
      basis: try it.has("from") ? it.word("from", Recurrence.Basis.init(rawValue:)) : .due,
      missed: try it.has("missed")
        ? it.word("missed", Recurrence.Missed.init(rawValue:)) : .dropped,
      rotation: try it.has("rotate") ? it.word("rotate", Rotation.init(rawValue:)) : nil,
      confirms: try it.has("confirm") ? it.confirms() : false)
  }
}

extension Occurrence {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    guard let start = Day(try fields.string("start")) else { throw .malformed("start") }
    self.init(
      number: try fields.int("number"), due: try Due.stored(fields, "due"), start: start,
      taken: try fields.optionalInt("taken") ?? 1, last: try fields.optionalStamp("last"),
      turn: try fields.has("turn") ? UserID(fields.uuid("turn")) : nil,
      turns: try fields.has("turns") ? fields.turns("turns") : [])
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ occurrence: Occurrence) {
    key(name)
    beginObject()
    key("due")
    occurrence.due.write(to: &self)
    if let last = occurrence.last { member("last", last) }
    member("number", occurrence.number)
    member("start", occurrence.start.description)
    if occurrence.taken != 1 { member("taken", occurrence.taken) }
    if let turn = occurrence.turn { member("turn", turn.uuid) }
    if !occurrence.turns.isEmpty { member("turns", occurrence.turns) }
    endObject()
  }
}

extension JSONWriter {
  private mutating func member(_ name: String, _ turns: [TurnCount]) {
    key(name)
    beginArray()
    for count in turns {
      beginObject()
      member("times", count.times)
      member("user", count.user.uuid)
      endObject()
    }
    endArray()
  }
}

extension StoredFields {
  fileprivate func turns(_ name: String) throws(WireError) -> [TurnCount] {
    var turns: [TurnCount] = []
    for element in try elements(name) {
      let it = try StoredFields(element)
      turns.append(TurnCount(user: UserID(try it.uuid("user")), times: try it.int("times")))
    }
    return turns
  }
}

extension NextOccurrence {
  /// Writes the outcome of the occurrence that is over, and the next one.
  func writeFields(to writer: inout JSONWriter) {
    switch reason {
    case .completed(let stamp): writer.member("completed", stamp)
    case .skipped(let stamp): writer.member("skipped", stamp)
    }
    writer.member("occurrence", next)
    writer.member("over", over)
  }

  init(_ fields: StoredFields) throws(WireError) {
    let reason: Reason =
      fields.has("completed")
      ? .completed(try fields.stamp("completed")) : .skipped(try fields.stamp("skipped"))
    let next = try Occurrence(fields.fields("occurrence"))
    // Older logs do not say it: there the next one always had one more.
    self.init(try fields.optionalInt("over") ?? next.number - 1, reason, next)
  }
}

extension StoredFields {
  fileprivate func rule(_ name: String) throws(WireError) -> RecurrenceRule {
    let text = try string(name)
    do throws(RecurrenceProblem) {
      return try RecurrenceRule(text)
    } catch {
      throw .malformed(name)
    }
  }
}

extension Params {
  /// Reads who confirms. So far only admins do.
  fileprivate func confirms() throws(Refusal) -> Bool {
    try word("confirm", of: [Role.admin.word]) { $0 == Role.admin.word ? true : nil }
  }

  fileprivate func rule(_ name: String) throws(Refusal) -> RecurrenceRule {
    let text = try string(name)
    do throws(RecurrenceProblem) {
      return try RecurrenceRule(text)
    } catch {
      guard error == .tooLong else { throw invalid(name, error.reason) }
      throw tooLarge(name, max: RecurrenceRule.textBytesMax)
    }
  }

  fileprivate func word<Value: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ read: (String) -> Value?
  ) throws(Refusal) -> Value {
    try word(name, of: Value.allCases.map(\.rawValue), read)
  }
}
