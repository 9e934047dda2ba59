/// Why bytes are not JSON that we take, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// The rule that was broken.
  package let kind: Kind
  /// Offset of the first byte that breaks it; the count of bytes when the text just stops.
  package let offset: Int

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// More bytes than `JSONLimits.bytesMax`.
    case tooLong
    /// More nested objects and arrays than `JSONLimits.depthMax`.
    case tooDeep
    /// The text stops inside a value, or is empty.
    case unexpectedEnd
    /// A byte that no rule of RFC 8259 allows here.
    case unexpectedByte
    /// U+FEFF at the start (RFC 8259 §8.1 lets a reader refuse it; one spelling is enough).
    case byteOrderMark
    /// Something after the one value.
    case trailingBytes
    /// Digits that are no number: a leading zero, no digit after `-`, `.` or `e`.
    case number
    /// A number longer than `JSONLimits.numberBytesMax`.
    case numberTooLong
    /// An integer outside ±(2⁵³ − 1) or an exponent outside ±308 (RFC 7493 §2.2).
    case numberRange
    /// A byte below 0x20 in a string.
    case controlCharacter
    /// A backslash before anything but `"\/bfnrt` and `u` with four hexadecimal digits.
    case escape
    /// `\uD800`–`\uDFFF` that is not half of a pair.
    case loneSurrogate
    /// Bytes in a string that are not UTF-8 (Unicode table 3-7).
    case utf8
    /// More than 30 marks in a row in a string: not Stream-Safe Text (UAX 15 §13). Offset of the string.
    case marks
    /// The same member twice in one object, however it is spelled (RFC 7493 §2.3).
    case duplicateMember
  }

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}
