import Domain

// The shapes of texts.

/// One line, normalised (protocol §3.4).
struct LineShape: Shape {
  let scalars: ClosedRange<Int>
  /// The name of the schema in `common.json`. Nil for a text that only one method has.
  var named: String?

  func read(_ params: Params, _ name: String) throws(Refusal) -> String {
    try params.line(name, scalars)
  }

  func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
  var schema: String { named.map(Schema.common) ?? Schema.text(scalars) }
  var example: String { Schema.quoted("milk") }
}

/// Several lines, normalised (protocol §3.4).
struct LinesShape: Shape {
  let scalars: ClosedRange<Int>
  let named: String

  func read(_ params: Params, _ name: String) throws(Refusal) -> String {
    try params.notes(name, scalars)
  }

  func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
  var schema: String { Schema.common(named) }
  var example: String { Schema.quoted("milk") }
}

/// One grapheme, normalised (protocol §3.4).
struct SignShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> String {
    let sign = try params.line(name, 1...Limits.reactionScalarsMax)
    guard sign.count == 1 else { throw params.invalid(name, "must be one sign, such as 👏") }
    return sign
  }

  func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
  var schema: String { Schema.common("sign") }
  var example: String { Schema.quoted("👏") }
}

/// A secret, which is taken byte for byte. JSON Schema counts characters; so it tells only the upper bound.
struct SecretShape: Shape {
  let bytes: ClosedRange<Int>

  func read(_ params: Params, _ name: String) throws(Refusal) -> String {
    try params.secret(name, bytes: bytes)
  }

  func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }

  var schema: String {
    let least = min(bytes.lowerBound, 1)
    return #"{"type":"string","minLength":\#(least),"maxLength":\#(bytes.upperBound),"#
      + #""description":"\#(bytes.lowerBound)–\#(bytes.upperBound) bytes"}"#
  }

  var example: String { Schema.quoted(String(repeating: "s", count: max(bytes.lowerBound, 1))) }
}

struct UsernameShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> String {
    try params.username(name)
  }

  func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
  var schema: String { Schema.common("username") }
  var example: String { Schema.quoted("editor") }
}

/// A language tag, or an empty text.
struct LocaleShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> String {
    try params.locale(name)
  }

  func write(_ value: String, to writer: inout JSONWriter) { writer.string(value) }
  var schema: String { Schema.common("locale") }
  var example: String { Schema.quoted("pt-PT") }
}

/// A place that an earlier page gave, to go on behind it.
struct PlaceShape<Place: PagePlace>: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Place {
    guard let place = Place(try params.secret(name, bytes: 1...Place.bytesMax)) else {
      throw params.invalid(name, Place.mustBe)
    }
    return place
  }

  func write(_ value: Place, to writer: inout JSONWriter) { writer.string(value.text) }
  var schema: String { Schema.text(1...Place.bytesMax) }
  var example: String { Schema.quoted(Place.example) }
}

/// A place between two pages of an answer. A client gives it back as it is.
protocol PagePlace {
  static var bytesMax: Int { get }
  /// The sentence for another text.
  static var mustBe: String { get }
  static var example: String { get }
  var text: String { get }
  init?(_ text: String)
}
