/// Numbers of JSON (RFC 8259 §6), limited to those that every peer's language holds exactly (RFC 7493 §2.2).
enum JSONNumber {
  /// The integer 2⁵³ − 1, the largest that a double holds together with all below it.
  static let integerMax: Int64 = 9_007_199_254_740_991
  /// The largest exponent. Beyond it a double overflows.
  static let exponentMax = 308

  /// Returns the offset after the number at `start`, checked for form, length and range.
  static func end(
    of bytes: borrowing Span<UInt8>, from start: Int, limits: JSONLimits
  ) throws(JSONError) -> Int {
    var index = start
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let integer = index
    index = try digitsEnd(bytes, index)
    if bytes[integer] == UInt8(ascii: "0"), index > integer + 1 {
      throw JSONError(.number, at: integer)
    }
    let integerEnd = index
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index = try digitsEnd(bytes, index + 1)
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index = try exponentEnd(bytes, index, start)
    }
    guard index - start <= limits.numberBytesMax else {
      throw JSONError(.numberTooLong, at: start + limits.numberBytesMax)
    }
    if index == integerEnd, value(bytes, integer, integerEnd) == nil {
      throw JSONError(.numberRange, at: start)
    }
    return index
  }

  /// Returns the offset after one or more digits.
  @inline(__always)
  private static func digitsEnd(_ bytes: borrowing Span<UInt8>, _ at: Int) throws(JSONError) -> Int
  {
    var index = at
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
    guard index > at else {
      throw JSONError(index < bytes.count ? .number : .unexpectedEnd, at: index)
    }
    return index
  }

  private static func exponentEnd(
    _ bytes: borrowing Span<UInt8>, _ at: Int, _ start: Int
  ) throws(JSONError) -> Int {
    var digits = at + 1
    if digits < bytes.count,
      bytes[digits] == UInt8(ascii: "+") || bytes[digits] == UInt8(ascii: "-")
    {
      digits += 1
    }
    let end = try digitsEnd(bytes, digits)
    guard let exponent = value(bytes, digits, end), exponent <= exponentMax else {
      throw JSONError(.numberRange, at: start)
    }
    return end
  }

  /// Returns the value of plain digits. Nil beyond `integerMax`.
  @inline(__always)
  private static func value(_ bytes: borrowing Span<UInt8>, _ start: Int, _ end: Int) -> Int64? {
    var value: Int64 = 0
    for index in start..<end {
      value = value * 10 + Int64(bytes[index] &- UInt8(ascii: "0"))
      if value > integerMax { return nil }
    }
    return value
  }

  /// Returns the value of a checked number in integral form. Nil when it has a fraction or an exponent, before which
  /// any number of digits may stand.
  static func integer(_ bytes: borrowing Span<UInt8>, _ start: Int, _ end: Int) -> Int64? {
    let isNegative = bytes[start] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in (isNegative ? start + 1 : start)..<end {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9, value <= integerMax else { return nil }
      value = value * 10 + Int64(digit)
    }
    return isNegative ? -value : value
  }
}
