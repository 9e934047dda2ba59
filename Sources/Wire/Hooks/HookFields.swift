// The body of a hook (protocol §5.17) as fields: a text, a form or a JSON object. All values are texts, whatever the
// form, so that a report means the same in each of them.

import Domain
import Text

/// The way in which the body of a hook is written, by its Content-Type.
package enum HookForm: Hashable, Sendable {
  case text
  /// `application/x-www-form-urlencoded`. Programs such as curl say so of every body, so it is a text where it names no
  /// field.
  case form
  case json
}

/// The fields of one report, each once.
struct HookFields: Equatable, Sendable {
  /// The names of all fields with the most characters of Unicode that each may have. Whatever is no field is refused,
  /// so that a slip of the pen is told.
  private static let lengths: [String: Int] = [
    "list": 36, "title": Limits.titleScalarsMax, "notes": Limits.notesScalarsMax, "priority": 36,
    "due": 36, "zone": 120, "url": Limits.sourceURLScalarsMax,
    "source": Limits.sourceNameScalarsMax, "id": Limits.sourceIDScalarsMax, "done": 36,
    "job": Limits.sourceIDScalarsMax, "run": Limits.sourceIDScalarsMax, "state": 36,
    "phase": Limits.runPhaseScalarsMax, "text": Limits.runTextScalarsMax, "lease": 36,
  ]
  /// The longest name of an unknown field that is repeated in an answer.
  private static let toldScalarsMax = 60

  private var values: [String: String] = [:]

  /// Reads a body. Throws what is wrong with it, in the words of the protocol's errors.
  init(_ body: [UInt8], as form: HookForm) throws(Failure) {
    if form == .json {
      try readJSON(body)
      return
    }
    do throws(Refusal) {
      let pairs = HookFields.pairs(of: body)
      if form == .form, HookFields.areFields(pairs, body) {
        try readForm(pairs)
      } else {
        try readText(body)
      }
    } catch {
      throw .refused(error)
    }
  }

  /// The value of a field. Nil when the report does not have it.
  subscript(_ name: String) -> String? { values[name] }

  /// The names of the fields that the report has, in order.
  var given: [String] { values.keys.sorted() }

  /// All names and values, in order of the names.
  var all: [String] { given.flatMap { [$0, values[$0] ?? ""] } }

  private mutating func set(_ name: String, _ value: String) throws(Refusal) {
    guard let most = HookFields.lengths[name] else {
      throw .invalid(field: HookFields.told(name), reason: "is no field of a hook")
    }
    guard values[name] == nil else { throw .invalid(field: name, reason: "is there twice") }
    if name == "text" {
      // It is often the last line of an output. How a run ended must not get lost for how that looks.
      let line = HookFields.plain(value, most: most)
      values[name] = line.allSatisfy(\.isWhitespace) ? nil : line
      return
    }
    // Twice as much is surely too long, also when some of it shows as nothing and is taken away.
    guard value.unicodeScalars.count <= 2 * most else { throw .tooLarge(field: name, max: most) }
    values[name] = name == "notes" ? Text.cleaned(notes: value) : Text.cleaned(line: value)
  }

  /// Returns one line without controls and without what colours a terminal, cut where it is too long.
  private static func plain(_ text: String, most: Int) -> String {
    let bare = text.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
    let scalars = bare.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.properties.generalCategory == .control ? " " : scalar
    }
    let line = Text.cleaned(line: String(String.UnicodeScalarView(scalars.prefix(4 * most))))
    return String(String.UnicodeScalarView(line.unicodeScalars.prefix(most)))
  }

  private static func told(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(toldScalarsMax)))
  }

  // MARK: Texts

  /// Takes the first line that is not blank as the title, and the others as the notes, without blank lines around them.
  private mutating func readText(_ body: [UInt8]) throws(Refusal) {
    let lines = body.split(separator: .lineFeed, omittingEmptySubsequences: false)[...]
    guard let first = lines.firstIndex(where: { !$0.isBlank }) else {
      throw .invalid(field: "title", reason: "is missing: the body is empty")
    }
    try set("title", try HookFields.text(lines[first], "title"))
    let rest = lines[(first + 1)...]
    guard let start = rest.firstIndex(where: { !$0.isBlank }),
      let end = rest.lastIndex(where: { !$0.isBlank })
    else { return }
    try set("notes", try HookFields.text(rest[start...end].joined(separator: [.lineFeed]), "notes"))
  }

  private static func text(_ bytes: some Sequence<UInt8>, _ name: String) throws(Refusal) -> String
  {
    guard let text = String(validating: Array(bytes), as: UTF8.self) else {
      throw .invalid(field: name, reason: "is not UTF-8")
    }
    return text
  }

  // MARK: Forms

  private struct Pair {
    let name: ArraySlice<UInt8>
    /// Nil when the pair has no `=`.
    let value: ArraySlice<UInt8>?
  }

  private static func pairs(of body: [UInt8]) -> [Pair] {
    body.split(separator: UInt8(ascii: "&")).map { part in
      guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else {
        return Pair(name: part, value: nil)
      }
      return Pair(name: part[..<sign], value: part[(sign + 1)...])
    }
  }

  /// Answers whether the body of a form has fields: it begins with one, or it has one and no blanks, which no form has
  /// that was encoded. Otherwise it is a text in which something looks like a field.
  private static func areFields(_ pairs: [Pair], _ body: [UInt8]) -> Bool {
    guard let first = pairs.first else { return false }
    if isField(first) { return true }
    return !body.contains { $0 <= 0x20 } && pairs.contains(where: isField)
  }

  private static func isField(_ pair: Pair) -> Bool {
    pair.value != nil && (decoded(pair.name).map { lengths[$0] != nil } ?? false)
  }

  private mutating func readForm(_ pairs: [Pair]) throws(Refusal) {
    for pair in pairs {
      guard let name = HookFields.decoded(pair.name) else {
        throw .invalid(field: "body", reason: "has the name of a field that cannot be read")
      }
      guard let value = HookFields.decoded(pair.value ?? [], repairs: name == "text") else {
        throw .invalid(
          field: HookFields.lengths[name] == nil ? "body" : name,
          reason: "is not UTF-8 in the spelling of forms: write % as %25")
      }
      try set(name, value)
    }
  }

  /// Decodes what a form has encoded (WHATWG URL, application/x-www-form-urlencoded). Nil when it is broken.
  private static func decoded(_ bytes: ArraySlice<UInt8>, repairs: Bool = false) -> String? {
    var plain: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): plain.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexDigit),
          let low = rest.popFirst().flatMap(hexDigit)
        else { return nil }
        plain.append(high << 4 | low)
      default: plain.append(byte)
      }
    }
    if repairs { return String(decoding: plain, as: UTF8.self) }
    return String(validating: plain, as: UTF8.self)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }

  // MARK: JSON

  private mutating func readJSON(_ body: [UInt8]) throws(Failure) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(body)
    } catch {
      throw .parse(error)
    }
    do throws(Refusal) {
      guard let members = document.root.members else {
        throw Refusal.invalid(field: "body", reason: "is no JSON object")
      }
      for member in members where !member.value.isNull {
        guard let text = HookFields.text(of: member.value) else {
          throw Refusal.invalid(
            field: HookFields.told(member.name),
            reason: "is neither a text, a whole number, nor true or false")
        }
        try set(member.name, text)
      }
    } catch {
      throw .refused(error)
    }
  }

  private static func text(of value: JSONNode) -> String? {
    if let text = value.string { return text }
    if let number = value.int64 { return String(number) }
    return value.bool.map(String.init)
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
}

extension ArraySlice<UInt8> {
  /// Whether there is nothing but blanks.
  fileprivate var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
