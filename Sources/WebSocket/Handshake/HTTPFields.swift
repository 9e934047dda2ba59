// Header fields (RFC 9110 §5, RFC 9112 §5): `name: value`, no space before the colon, no line folded (obs-fold is
// refused, RFC 9112 §5.2), blanks around the value left out. Names are compared in lower case; values keep their bytes.

/// The fields of one head.
struct HTTPFields: Sendable {
  private struct Field: Sendable {
    let name: Range<Int>
    let value: Range<Int>
  }

  /// The bytes of the head, with the names in lower case.
  private var head: [UInt8]
  private var fields: [Field] = []

  /// Reads the fields that begin at `start`, up to the empty line that ends the head.
  init(head: [UInt8], from start: Int) throws(HTTPFault) {
    self.head = head
    fields.reserveCapacity(16)
    var position = start
    while true {
      let end = Self.lineEnd(head, from: position)
      if end == position { return }
      fields.append(try field(position..<end))
      position = end + 2
    }
  }

  var count: Int { fields.count }

  /// Returns the values of every field of that lower-case name, in order.
  func values(_ name: String) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    for field in fields where isNamed(field, name) { found.append(head[field.value]) }
    return found
  }

  func contains(_ name: String) -> Bool {
    fields.contains { isNamed($0, name) }
  }

  /// Returns the elements of a comma-separated list over all fields of that name, without empty ones (RFC 9110 §5.6.1).
  func elements(_ name: String) -> [ArraySlice<UInt8>] {
    values(name).flatMap { value in
      value.split(separator: .comma).map(\.trimmed).filter { !$0.isEmpty }
    }
  }

  /// Answers whether a list has an element that is this lower-case word in any case.
  func lists(_ word: String, in name: String) -> Bool {
    for field in fields where isNamed(field, name) {
      var start = field.value.lowerBound
      while start < field.value.upperBound {
        var end = start
        while end < field.value.upperBound && head[end] != .comma { end &+= 1 }
        if head[start..<end].trimmed.isWord(word) { return true }
        start = end + 1
      }
    }
    return false
  }

  /// Returns the offset of the CR that ends the line. The reader made sure that there is one.
  static func lineEnd(_ head: [UInt8], from start: Int) -> Int {
    var end = start
    while end < head.count && head[end] != .carriageReturn { end &+= 1 }
    return end
  }

  private func isNamed(_ field: Field, _ name: String) -> Bool {
    guard field.name.count == name.utf8.count else { return false }
    var index = field.name.lowerBound
    for byte in name.utf8 {
      guard head[index] == byte else { return false }
      index &+= 1
    }
    return true
  }

  private mutating func field(_ line: Range<Int>) throws(HTTPFault) -> Field {
    var colon = line.lowerBound
    while colon < line.upperBound && head[colon].isTokenByte {
      head[colon] = head[colon].lowercased
      colon &+= 1
    }
    guard colon > line.lowerBound, colon < line.upperBound, head[colon] == .colon else {
      throw .malformed
    }
    var start = colon + 1
    var end = line.upperBound
    while start < end && head[start].isBlank { start &+= 1 }
    while end > start && head[end - 1].isBlank { end &-= 1 }
    return Field(name: line.lowerBound..<colon, value: start..<end)
  }
}

extension UInt8 {
  /// Whether the byte may stand in a token (RFC 9110 §5.6.2), as names of methods, fields and list words are: letters,
  /// digits and ``!#$%&'*+-.^_`|~``. There is one bit for each of the 128 characters, because every byte of every name
  /// is asked.
  var isTokenByte: Bool {
    let half: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return self < 128 && half &>> UInt64(self & 63) & 1 != 0
  }

  /// Whether the byte is a blank, OWS of RFC 9110 §5.6.3.
  var isBlank: Bool { self == .space || self == .tab }

  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// The byte in lower case, for ASCII only.
  var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension ArraySlice<UInt8> {
  var trimmed: ArraySlice<UInt8> {
    var part = self
    while let first = part.first, first.isBlank { part.removeFirst() }
    while let last = part.last, last.isBlank { part.removeLast() }
    return part
  }

  /// Answers whether this is the lower-case word, in any case.
  func isWord(_ word: String) -> Bool {
    guard count == word.utf8.count else { return false }
    var index = startIndex
    for byte in word.utf8 {
      guard self[index].lowercased == byte else { return false }
      index &+= 1
    }
    return true
  }

  /// Returns the number if these are 1 to `digitsMax` digits, otherwise nil.
  func decimal(digitsMax: Int) -> Int? {
    guard !isEmpty && count <= digitsMax && allSatisfy(\.isDigit) else { return nil }
    return reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The bytes as text. Bytes that are not UTF-8 become U+FFFD.
  var text: String { String(decoding: self, as: UTF8.self) }
}
