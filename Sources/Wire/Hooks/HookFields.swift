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
  /// The names of all fields. Whatever is no field is refused, so that a slip of the pen is told.
  static let names: Set<String> = [
    "list", "title", "notes", "priority", "due", "zone", "url", "source", "id", "done", "job",
    "run", "state", "phase", "text", "lease",
  ]
  /// The fields of several lines.
  private static let long: Set<String> = ["notes"]

  private var values: [String: String] = [:]

  /// Reads a body. Throws what is wrong with it, in the words of the protocol's errors.
  init(_ body: [UInt8], as form: HookForm) throws(Failure) {
    do throws(Refusal) {
      switch form {
      case .text: try readText(body)
      case .form:
        let pairs = HookFields.pairs(of: body)
        let isForm = pairs.contains { pair in
          pair.value != nil
            && (HookFields.decoded(pair.name).map(HookFields.names.contains) ?? false)
        }
        if isForm { try readForm(pairs) } else { try readText(body) }
      case .json: break
      }
    } catch {
      throw .refused(error)
    }
    if form == .json { try readJSON(body) }
  }

  /// The value of a field. Nil when the report does not have it.
  subscript(_ name: String) -> String? { values[name] }

  /// The names of the fields that the report has, in order.
  var given: [String] { values.keys.sorted() }

  private mutating func set(_ name: String, _ value: String) throws(Refusal) {
    guard HookFields.names.contains(name) else {
      throw .invalid(field: name, reason: "is no field of a hook")
    }
    guard values[name] == nil else { throw .invalid(field: name, reason: "is there twice") }
    values[name] =
      HookFields.long.contains(name) ? Text.cleaned(notes: value) : Text.cleaned(line: value)
  }

  // MARK: Texts

  /// Takes the first line that is not blank as the title, and the others as the notes.
  private mutating func readText(_ body: [UInt8]) throws(Refusal) {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw .invalid(field: "title", reason: "is not UTF-8")
    }
    let lines = Text.cleaned(notes: text).split(separator: "\n", omittingEmptySubsequences: false)
    let rest = lines.drop { $0.allSatisfy(\.isWhitespace) }
    guard let title = rest.first else {
      throw .invalid(field: "title", reason: "is missing: the body is empty")
    }
    try set("title", String(title))
    let notes = rest.dropFirst().drop { $0.allSatisfy(\.isWhitespace) }
    let end = notes.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? notes.startIndex - 1
    if end >= notes.startIndex { try set("notes", notes[...end].joined(separator: "\n")) }
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

  private mutating func readForm(_ pairs: [Pair]) throws(Refusal) {
    for pair in pairs {
      guard let name = HookFields.decoded(pair.name) else {
        throw .invalid(field: "body", reason: "has the name of a field that cannot be read")
      }
      guard let value = HookFields.decoded(pair.value ?? []) else {
        throw .invalid(
          field: HookFields.names.contains(name) ? name : "body",
          reason: "is not UTF-8 in the spelling of forms: write % as %25")
      }
      try set(name, value)
    }
  }

  /// Decodes what a form has encoded (WHATWG URL, application/x-www-form-urlencoded). Nil when it is broken.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
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
            field: member.name, reason: "is neither a text, a whole number, nor true or false")
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
