import Domain

/// The values that a parameter takes: how one is read from a request and written into one, and what the documents say
/// of it. Shapes have no closures, so that the compiler makes of them what one would write by hand.
protocol Shape<Value>: Sendable {
  associatedtype Value

  /// Reads the member `name`, which is there. Any other value is refused as protocol §4.3 says.
  func read(_ params: Params, _ name: String) throws(Refusal) -> Value

  func write(_ value: Value, to writer: inout JSONWriter)

  /// The values as a JSON Schema (2020-12). A reference leads into `protocol/schema/common.json`.
  var schema: String { get }

  /// A value that is accepted, as JSON. A request that only describes itself has it.
  var example: String { get }
}

/// Pieces of JSON Schemas, and of examples.
enum Schema {
  /// A UUID of version 7.
  static let exampleID = "019b0000-0000-7000-8000-000000000001"

  static func quoted(_ text: String) -> String { "\"\(text)\"" }

  static func common(_ name: String) -> String {
    #"{"$ref":"common.json#/$defs/"# + name + #""}"#
  }

  static func integer(_ range: ClosedRange<Int64>) -> String {
    #"{"type":"integer","minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"#
  }

  static func text(_ length: ClosedRange<Int>) -> String {
    #"{"type":"string","minLength":\#(length.lowerBound),"maxLength":\#(length.upperBound)}"#
  }

  static func words(_ words: [String]) -> String {
    #"{"enum":["# + words.map(quoted).joined(separator: ",") + "]}"
  }

  static func list(of element: String, _ count: ClosedRange<Int>) -> String {
    let least = count.lowerBound == 0 ? "" : #""minItems":\#(count.lowerBound),"#
    return #"{"type":"array",\#(least)"maxItems":\#(count.upperBound),"items":\#(element)}"#
  }

  /// A list whose order and repeats do not matter.
  static func set(of element: String, max: Int) -> String {
    #"{"type":"array","items":\#(element),"maxItems":\#(max),"uniqueItems":true}"#
  }

  static func orNull(_ schema: String) -> String { #"{"anyOf":[\#(schema),{"type":"null"}]}"# }
}

// MARK: - Numbers, words and truths

/// An integer within a range.
struct IntegerShape<Number: FixedWidthInteger>: Shape {
  let range: ClosedRange<Int64>

  func read(_ params: Params, _ name: String) throws(Refusal) -> Number {
    Number(try params.int(name, range))
  }

  func write(_ value: Number, to writer: inout JSONWriter) { writer.int(Int64(value)) }
  var schema: String { Schema.integer(range) }
  var example: String { String(max(range.lowerBound, min(range.upperBound, 1))) }
}

struct BoolShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Bool { try params.bool(name) }
  func write(_ value: Bool, to writer: inout JSONWriter) { writer.bool(value) }
  var schema: String { #"{"type":"boolean"}"# }
  var example: String { "true" }
}

/// One of a few words, in the order of `allCases`.
struct WordShape<Word: CaseIterable & RawRepresentable<String>>: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Word {
    try params.word(name, of: Word.allCases.map(\.rawValue), Word.init(rawValue:))
  }

  func write(_ value: Word, to writer: inout JSONWriter) { writer.string(value.rawValue) }
  var schema: String { Schema.words(Word.allCases.map(\.rawValue)) }
  var example: String { Schema.quoted(Word.allCases.first?.rawValue ?? "") }
}

/// One of two words: true for `on`.
struct SwitchShape: Shape {
  let on: String
  let off: String
  /// Whether a refusal tells `off` first.
  var offIsFirst = false

  private var words: [String] { offIsFirst ? [off, on] : [on, off] }

  func read(_ params: Params, _ name: String) throws(Refusal) -> Bool {
    try params.word(name, of: words) { $0 == on ? true : $0 == off ? false : nil }
  }

  func write(_ value: Bool, to writer: inout JSONWriter) { writer.string(value ? on : off) }
  var schema: String { Schema.words(words) }
  var example: String { Schema.quoted(on) }
}

struct RoleShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Role {
    try params.word(name, of: Role.allCases.map(\.word), Role.init(word:))
  }

  func write(_ value: Role, to writer: inout JSONWriter) { writer.string(value.word) }
  var schema: String { Schema.common("role") }
  var example: String { Schema.quoted(Role.editor.word) }
}

// MARK: - Identifiers

/// The id of one kind of thing.
struct IDShape<ID: EntityID>: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> ID { ID(try params.uuid(name)) }
  func write(_ value: ID, to writer: inout JSONWriter) { writer.uuid(value.uuid) }
  var schema: String { Schema.common("uuid") }
  var example: String { Schema.quoted(Schema.exampleID) }
}

/// A stream: that of a category, a group or a person.
struct StreamShape: Shape {
  /// The first letters of the streams that are taken.
  let letters: String

  func read(_ params: Params, _ name: String) throws(Refusal) -> StreamID {
    try params.stream(name, letters)
  }

  func write(_ value: StreamID, to writer: inout JSONWriter) { writer.stream(value) }

  var schema: String {
    switch letters {
    case "c": Schema.common("categoryStream")
    case "cg": Schema.common("listStream")
    default: Schema.common("stream")
    }
  }

  var example: String { Schema.quoted("\(letters.first ?? "c"):\(Schema.exampleID)") }
}

// MARK: - Times

/// Milliseconds since 1970.
struct TimeShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Timestamp {
    try params.time(name)
  }

  func write(_ value: Timestamp, to writer: inout JSONWriter) { writer.int(value.milliseconds) }
  var schema: String { Schema.common("time") }
  var example: String { "1795000000000" }
}

struct DayShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Day { try params.day(name) }
  func write(_ value: Day, to writer: inout JSONWriter) { writer.string(value.description) }
  var schema: String { Schema.common("day") }
  var example: String { Schema.quoted("2026-12-24") }
}
