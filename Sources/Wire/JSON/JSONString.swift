/// Strings of JSON: the check while scanning, and the text behind escapes (RFC 8259 §7).
enum JSONString {
  /// Scans the string whose opening quotation mark is at `start`. `end` is after the closing one. `isWide` says that
  /// the string may hold scalars beyond ASCII.
  @inline(__always)
  static func scan(
    _ bytes: borrowing Span<UInt8>, from start: Int
  ) throws(JSONError) -> (end: Int, hasEscape: Bool, isWide: Bool) {
    var index = start + 1
    var hasEscape = false
    var isWide = false
    while true {
      index = plainEnd(bytes, index)
      guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { return (index + 1, hasEscape, isWide) }
      if byte == UInt8(ascii: "\\") {
        hasEscape = true
        let end = try escapeEnd(bytes, index)
        isWide = isWide || end > index + 2
        index = end
      } else if byte >= 0x80 {
        isWide = true
        index = try scalarEnd(bytes, index)
      } else if byte >= 0x20 {
        index += 1
      } else {
        throw JSONError(.controlCharacter, at: index)
      }
    }
  }

  /// Returns the offset of the first byte from `at` that has to be looked at (quotation mark, backslash, control, not
  /// ASCII), or of one of the last seven bytes.
  ///
  /// It reads eight bytes at a time. A byte below n sets its top bit in `word - n × 0x01…`. Only bytes above a found
  /// one can be marked wrongly by the borrow, so the lowest mark is right.
  @inline(__always)
  private static func plainEnd(_ bytes: borrowing Span<UInt8>, _ at: Int) -> Int {
    var index = at
    while index <= bytes.count - 8 {
      let word = littleEndianWord(bytes.extracting(index..<index + 8))
      let quotes = word ^ 0x2222_2222_2222_2222
      let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
      let marks =
        (word &- 0x2020_2020_2020_2020) | (quotes &- 0x0101_0101_0101_0101)
        | (backslashes &- 0x0101_0101_0101_0101) | word
      let tops = marks & 0x8080_8080_8080_8080
      if tops != 0 { return index + tops.trailingZeroBitCount / 8 }
      index += 8
    }
    return index
  }

  /// Returns eight bytes as a word, the first one lowest. It is one load.
  @inline(__always)
  private static func littleEndianWord(_ bytes: borrowing Span<UInt8>) -> UInt64 {
    var word = UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
    word |= UInt64(bytes[3]) << 24 | UInt64(bytes[4]) << 32 | UInt64(bytes[5]) << 40
    return word | UInt64(bytes[6]) << 48 | UInt64(bytes[7]) << 56
  }

  /// Returns the offset after the escape at `at`. A pair of surrogates is one escape.
  private static func escapeEnd(_ bytes: borrowing Span<UInt8>, _ at: Int) throws(JSONError) -> Int
  {
    guard at + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
    switch bytes[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return at + 2
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(bytes, at)
      guard unit & 0xF800 == 0xD800 else { return at + 6 }
      return try pairEnd(bytes, at, high: unit)
    default: throw JSONError(.escape, at: at)
    }
  }

  /// Returns the offset after the pair of surrogates whose first half, `high`, is at `at`.
  private static func pairEnd(
    _ bytes: borrowing Span<UInt8>, _ at: Int, high: UInt32
  ) throws(JSONError) -> Int {
    guard high < 0xDC00 else { throw JSONError(.loneSurrogate, at: at) }
    guard at + 6 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
    guard bytes[at + 6] == UInt8(ascii: "\\") else { throw JSONError(.loneSurrogate, at: at) }
    guard at + 7 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
    guard bytes[at + 7] == UInt8(ascii: "u"), try hexadecimal(bytes, at + 6) & 0xFC00 == 0xDC00
    else { throw JSONError(.loneSurrogate, at: at) }
    return at + 12
  }

  /// Returns the value of the four digits of the `\u` escape at `at`.
  private static func hexadecimal(
    _ bytes: borrowing Span<UInt8>, _ at: Int
  ) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for index in at + 2..<at + 6 {
      guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
      guard let digit = value(ofHexadecimal: bytes[index]) else { throw JSONError(.escape, at: at) }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func value(ofHexadecimal byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Returns the offset after the scalar whose lead byte is at `at`. It accepts the well-formed sequences of Unicode
  /// table 3-7, so no overlong form, no surrogate and nothing above U+10FFFF.
  private static func scalarEnd(_ bytes: borrowing Span<UInt8>, _ at: Int) throws(JSONError) -> Int
  {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[at] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: throw JSONError(.utf8, at: at)
    }
    for index in at + 1..<at + length {
      guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
      guard second.contains(bytes[index]) else { throw JSONError(.utf8, at: at) }
      second = 0x80...0xBF
    }
    return at + length
  }

  /// Returns the UTF-8 of the text that a scanned string stands for.
  static func text(of entry: JSONTape.Entry, _ bytes: borrowing Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(Int(entry.end - entry.start) - 2)
    var index = Int(entry.start) + 1
    let end = Int(entry.end) - 1
    while index < end {
      guard bytes[index] == UInt8(ascii: "\\") else {
        text.append(bytes[index])
        index += 1
        continue
      }
      index = appendEscape(bytes, index, to: &text)
    }
    return text
  }

  /// Appends the text of the checked escape at `at`. Returns the offset after the escape.
  private static func appendEscape(
    _ bytes: borrowing Span<UInt8>, _ at: Int, to text: inout [UInt8]
  ) -> Int {
    switch bytes[at + 1] {
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): return appendUnicodeEscape(bytes, at, to: &text)
    case let byte: text.append(byte)
    }
    return at + 2
  }

  private static func appendUnicodeEscape(
    _ bytes: borrowing Span<UInt8>, _ at: Int, to text: inout [UInt8]
  ) -> Int {
    let unit = checkedHexadecimal(bytes, at)
    let isPair = unit & 0xFC00 == 0xD800
    let value =
      isPair
      ? 0x10000 + (unit & 0x3FF) << 10 + checkedHexadecimal(bytes, at + 6) & 0x3FF : unit
    guard let scalar = Unicode.Scalar(value) else {
      preconditionFailure("the scan refuses lone surrogates")
    }
    text.append(contentsOf: scalar.utf8)
    return at + (isPair ? 12 : 6)
  }

  private static func checkedHexadecimal(_ bytes: borrowing Span<UInt8>, _ at: Int) -> UInt32 {
    (at + 2..<at + 6).reduce(0) { unit, index in
      unit << 4 | (value(ofHexadecimal: bytes[index]) ?? 0)
    }
  }
}
