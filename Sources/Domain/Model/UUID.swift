/// A 128-bit identifier (RFC 9562). The client makes it, preferably of version 7; any version is accepted.
///
/// On the wire it is 36 characters, lower case, with hyphens. In the store it is 16 bytes, big-endian.
package struct UUID: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads the one accepted spelling: lower-case hexadecimal, hyphens after 8, 12, 16 and 20 digits.
  package init?(_ text: some StringProtocol) {
    self.init(utf8: Array(text.utf8))
  }

  /// Reads the same from bytes. Nil for anything but the 36 bytes of the accepted spelling.
  package init?(utf8 bytes: [UInt8]) { self.init(utf8: bytes.span) }

  /// Reads the same from bytes that somebody else keeps.
  package init?(utf8 bytes: borrowing Span<UInt8>) {
    guard bytes.count == 36 else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for index in 0..<36 {
      let byte = bytes[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = UUID.value(ofHexDigit: byte) else { return nil }
      words = (words.0 << 4 | words.1 >> 60, words.1 << 4 | digit)
    }
    self.init(high: words.0, low: words.1)
  }

  /// Reads 16 big-endian bytes. Nil for any other number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for index in 0..<8 {
      words.0 = words.0 << 8 | UInt64(bytes[index])
      words.1 = words.1 << 8 | UInt64(bytes[index + 8])
    }
    self.init(high: words.0, low: words.1)
  }

  /// The 16 bytes, big-endian.
  package var bytes: [UInt8] {
    (0..<16).map { index in
      let word = index < 8 ? high : low
      return UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8)))
    }
  }

  /// The 36 ASCII bytes of the wire's spelling.
  package var utf8: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for part in 0..<4 {
      let digits = digits(part)
      for index in 0..<8 {
        if UUID.hyphen(before: 8 * part + index) { text.append(UInt8(ascii: "-")) }
        text.append(UInt8(truncatingIfNeeded: digits >> UInt64(8 * index)))
      }
    }
    return text
  }

  /// Returns the ASCII of eight of the 32 digits, part 0 to 3, the first digit in the lowest byte. They are made all at
  /// once: each half of a byte is spread to a byte of its own, then those above nine get the distance between `9` and
  /// `a`.
  package func digits(_ part: Int) -> UInt64 {
    let word = UInt32(truncatingIfNeeded: (part < 2 ? high : low) >> (part % 2 == 0 ? 32 : 0))
    var spread = UInt64(word.byteSwapped)
    spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
    spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
    let halves: UInt64 = 0x000F_000F_000F_000F
    let values = (spread >> 4 & halves) | (spread & halves) << 8
    let above = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return values &+ 0x3030_3030_3030_3030 &+ above &* 39
  }

  /// Answers whether the spelling has a hyphen before this one of the 32 digits.
  package static func hyphen(before digit: Int) -> Bool {
    digit == 8 || digit == 12 || digit == 16 || digit == 20
  }

  /// Makes a version 7 identifier (RFC 9562 §5.7) of this time from 10 random bytes.
  package static func version7(at time: Timestamp, random: [UInt8]) -> UUID {
    precondition(random.count == 10, "a version 7 UUID takes 10 random bytes")
    let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
    let a = UInt64(random[0] & 0x0F) << 8 | UInt64(random[1])
    let b = random[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return UUID(
      high: milliseconds << 16 | 0x7000 | a, low: b & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  package static func < (left: UUID, right: UUID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  private static func value(ofHexDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}

extension UUID: CustomStringConvertible {
  package var description: String { String(decoding: utf8, as: UTF8.self) }
}
