/// The reason why bytes are no JSON that we accept, and the place.
package struct JSONError: Error, Hashable, Sendable {
  /// The rule that was broken.
  package let kind: Kind
  /// The offset of the first byte that breaks it, or the number of bytes when the text just stops.
  package let offset: Int

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The text has more bytes than `JSONLimits.bytesMax`.
    case tooLong
    /// The text nests more objects and arrays than `JSONLimits.depthMax`.
    case tooDeep
    /// The text stops inside a value, or is empty.
    case unexpectedEnd
    /// No rule of RFC 8259 allows this byte here.
    case unexpectedByte
    /// The text starts with U+FEFF (RFC 8259 §8.1 lets a reader refuse it; one spelling is enough).
    case byteOrderMark
    /// Something stands behind the one value.
    case trailingBytes
    /// The digits are no number: a leading zero, or no digit after `-`, `.` or `e`.
    case number
    /// The number is longer than `JSONLimits.numberBytesMax`.
    case numberTooLong
    /// The integer is outside ±(2⁵³ − 1), or the exponent outside ±308 (RFC 7493 §2.2).
    case numberRange
    /// A string holds a byte below 0x20.
    case controlCharacter
    /// A backslash stands before something else than `"\/bfnrt` and `u` with four hexadecimal digits.
    case escape
    /// An escape `\uD800`–`\uDFFF` is not half of a pair.
    case loneSurrogate
    /// The bytes in a string are not UTF-8 (Unicode table 3-7).
    case utf8
    /// A string has more than 30 marks in a row, so it is not Stream-Safe Text (UAX 15 §13). The offset is that of the
    /// string.
    case marks
    /// One object has the same member twice, however it is spelled (RFC 7493 §2.3).
    case duplicateMember
  }

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}
