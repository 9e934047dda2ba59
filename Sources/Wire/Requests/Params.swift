import Domain
import Text

/// The parameters of a request, read field by field with the exact error of protocol §4.3: the first field in the order
/// of the specification that is not as it must be. Unknown members are skipped. A member that is null counts as one of
/// the wrong type.
struct Params {
  /// The object with the parameters. Nil when the request has none.
  private let node: JSONNode?
  /// The text before names in errors: `client.` for the members of `client`.
  private let prefix: String
  private let origin: RequestOrigin
  /// The list that a request fills which only describes its parameters. Nil for a request that somebody sent.
  let list: ParameterList?

  init(_ node: JSONNode?, prefix: String = "", origin: RequestOrigin = .sent) {
    self.node = node
    self.prefix = prefix
    self.origin = origin
    list = nil
  }

  init(describing list: ParameterList) {
    node = nil
    prefix = ""
    origin = .sent
    self.list = list
  }

  /// Returns the parameters in a value inside of these.
  func inner(_ node: JSONNode?, prefix: String = "") -> Params {
    Params(node, prefix: prefix, origin: origin)
  }

  func has(_ name: String) -> Bool { list?.has(name) ?? (node?[name] != nil) }

  func value(_ name: String) throws(Refusal) -> JSONNode {
    guard let value = node?[name] else { throw invalid(name, "is missing") }
    return value
  }

  func invalid(_ name: String, _ what: String, at place: Int? = nil) -> Refusal {
    .invalid(field: prefix + name, reason: what, at: place)
  }

  func tooLarge(_ name: String, max: Int) -> Refusal {
    .tooLarge(field: prefix + name, max: max)
  }
}

// MARK: - Plain values

extension Params {
  func string(_ name: String) throws(Refusal) -> String {
    guard let text = try value(name).string else { throw invalid(name, "must be a text") }
    return text
  }

  func int(_ name: String, _ range: ClosedRange<Int64>) throws(Refusal) -> Int64 {
    guard let number = try value(name).int64 else { throw invalid(name, "must be an integer") }
    guard range.contains(number) else {
      throw invalid(name, "must be \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func object(_ name: String) throws(Refusal) -> Params {
    let value = try value(name)
    guard value.kind == .object else { throw invalid(name, "must be an object") }
    return inner(value, prefix: "\(prefix + name).")
  }

  /// Refuses the first member, by name, that is none of these.
  func refuseOthers(than names: [String]) throws(Refusal) {
    guard let members = node?.members else { return }
    var others: [String] = []
    for member in members where !names.contains(member.name) { others.append(member.name) }
    guard let first = others.min() else { return }
    // The name is told back as it is, if it is a word.
    let isWord = (1...40).contains(first.utf8.count)
    guard isWord, first.utf8.allSatisfy({ (0x30...0x7A).contains($0) }) else {
      throw .invalid(
        field: String(prefix.dropLast()), reason: "has a member that is not known")
    }
    throw invalid(first, "is not known")
  }

  func elements(_ name: String) throws(Refusal) -> JSONElements {
    guard let elements = try value(name).elements else { throw invalid(name, "must be a list") }
    return elements
  }

  /// Reads a list of at most so many elements.
  func list<Element>(
    _ name: String, atMost max: Int, _ read: (JSONNode) throws(Refusal) -> Element
  ) throws(Refusal) -> [Element] {
    var list: [Element] = []
    for element in try elements(name) {
      guard list.count < max else { throw tooLarge(name, max: max) }
      list.append(try read(element))
    }
    return list
  }

  func members(_ name: String) throws(Refusal) -> JSONMembers {
    guard let members = try value(name).members else { throw invalid(name, "must be an object") }
    return members
  }

  /// Reads one of a few words.
  func word<Value>(
    _ name: String, of words: [String], _ read: (String) -> Value?
  ) throws(Refusal) -> Value {
    guard let value = read(try string(name)) else {
      let head = words.dropLast().joined(separator: ", ")
      let last = words.last ?? ""
      throw invalid(name, "must be \(head.isEmpty ? last : "\(head) or \(last)")")
    }
    return value
  }
}

// MARK: - Identifiers

extension Params {
  func uuid(_ name: String) throws(Refusal) -> UUID {
    let node = try value(name)
    guard node.kind == .string else { throw invalid(name, "must be a text") }
    guard let id = node.uuid else { throw invalid(name, "must be a UUID in lower case") }
    return id
  }

  func stream(_ name: String, _ letters: String = "cgu") throws(Refusal) -> StreamID {
    try stream(name, value: value(name), letters)
  }

  /// Reads a stream that is an element of the list `name`.
  func stream(
    _ name: String, value: JSONNode, _ letters: String = "cgu"
  ) throws(Refusal) -> StreamID {
    guard let text = value.string else { throw invalid(name, "must be a text") }
    guard let stream = StreamID(text),
      letters.unicodeScalars.contains(Unicode.Scalar(stream.letter))
    else {
      let forms = letters.map { "\($0):" }.joined(separator: " or ")
      throw invalid(name, "must be \(forms) and a UUID in lower case")
    }
    return stream
  }

  func username(_ name: String) throws(Refusal) -> String {
    let text = try string(name)
    guard Text.isUsername(text) else {
      throw invalid(name, "must be 3 to 32 of a-z 0-9 . _ -, a letter or digit first")
    }
    return text
  }
}

// MARK: - Languages

extension Params {
  /// Reads a language tag or an empty text. Only the form of RFC 5646 is checked.
  func locale(_ name: String) throws(Refusal) -> String {
    let text = try string(name)
    guard text.isEmpty || Params.isLanguageTag(text) else {
      throw invalid(name, "must be a language tag such as pt-PT")
    }
    return text
  }

  private static func isLanguageTag(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count <= Limits.localeBytesMax, let first = parts.first else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    return (2...8).contains(first.count) && first.allSatisfy(isLetter)
      && parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.count)
          && part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
      }
  }
}

// MARK: - Texts

extension Params {
  /// Reads one line, normalised (protocol §3.4).
  func line(_ name: String, _ scalars: ClosedRange<Int>) throws(Refusal) -> String {
    let raw = try string(name)
    do throws(TextError) {
      return try Text.line(raw, scalars: scalars, unshown: origin == .kept ? .shown : .empty)
    } catch {
      throw refusal(name, error)
    }
  }

  /// Reads several lines, normalised (protocol §3.4).
  func notes(
    _ name: String, _ scalars: ClosedRange<Int>
  ) throws(Refusal) -> String {
    let raw = try string(name)
    do throws(TextError) {
      return try Text.notes(raw, scalars: scalars)
    } catch {
      throw refusal(name, error)
    }
  }

  /// Reads a secret, which is taken byte for byte.
  func secret(_ name: String, bytes: ClosedRange<Int>) throws(Refusal) -> String {
    let text = try string(name)
    if text.utf8.count > bytes.upperBound { throw tooLarge(name, max: bytes.upperBound) }
    if text.utf8.count < bytes.lowerBound {
      throw invalid(name, "must have at least \(bytes.lowerBound) bytes")
    }
    return text
  }

  private func refusal(_ name: String, _ error: TextError) -> Refusal {
    switch error {
    case .empty: invalid(name, "is empty")
    case .tooLong(let max): tooLarge(name, max: max)
    case .forbidden(let scalar, let place):
      invalid(name, "holds \(scalar.codePoint) at \(place), which is not allowed", at: place)
    case .tooManyMarks(let max, let place):
      invalid(name, "has more than \(max) marks on one character, at \(place)", at: place)
    }
  }
}

extension Unicode.Scalar {
  /// The scalar as people write it, such as `U+202E`.
  fileprivate var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

// MARK: - Truths and times

extension Params {
  func bool(_ name: String) throws(Refusal) -> Bool {
    guard let value = try value(name).bool else { throw invalid(name, "must be true or false") }
    return value
  }

  func time(_ name: String) throws(Refusal) -> Timestamp {
    Timestamp(milliseconds: try int(name, 0...JSONNumber.integerMax))
  }

  func day(_ name: String) throws(Refusal) -> Day {
    guard let day = Day(try string(name)), Due.days.contains(day) else {
      throw invalid(name, "must be a day such as 2026-11-24, of the years 1971 to 9997")
    }
    return day
  }

  /// Reads a text with the form of an IANA name. The server checks whether there is such a zone.
  func zone() throws(Refusal) -> String { try line("zone", 1...Params.zoneScalarsMax) }

  /// The longest name of a zone that is accepted. The longest one of the time zone database has 32.
  static let zoneScalarsMax = 64
}
