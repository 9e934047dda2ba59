// Checks UTF-8 as it arrives (RFC 3629 §4, required by RFC 6455 §8.1).
//
// A text message may be cut anywhere, also inside a character. So the state between two pieces says what the next byte
// must be: how many continuation bytes are due, and the range of the first of them. The range replaces a table: after
// E0 it excludes overlong forms, after ED surrogates, after F0 overlong forms, after F4 numbers above U+10FFFF. C0, C1
// and F5–FF begin nothing.
//
// A piece is checked in three parts: the rest of a character from before, byte by byte; whole characters, by the
// standard library's validator (62 GB/s on ASCII, about 3 GB/s else); the beginning of a character at the end, byte by
// byte, so that a wrong byte is found as soon as it is there.

/// The check of a text whose bytes come in pieces.
struct UTF8Checker: Sendable, Hashable {
  /// The number of continuation bytes still due.
  private var due: UInt8 = 0
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Whether the text may end here.
  var isComplete: Bool { due == 0 }

  /// Takes the next bytes. False as soon as no continuation could make the text valid; the checker is useless then.
  mutating func accepts(_ bytes: Span<UInt8>) -> Bool {
    var start = 0
    while due > 0 && start < bytes.count {
      guard step(bytes[start]) else { return false }
      start &+= 1
    }
    let end = Self.endOfWholeCharacters(bytes, from: start)
    guard Self.isWhole(bytes.extracting(start..<end)) else { return false }
    for index in end..<bytes.count {
      guard step(bytes[index]) else { return false }
    }
    return true
  }

  /// Answers whether the bytes are a complete text.
  static func isWhole(_ bytes: Span<UInt8>) -> Bool {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes)
      return true
    } catch {
      return false
    }
  }

  /// Returns where an unfinished character at the end begins, or the count when there is none (or no character).
  private static func endOfWholeCharacters(_ bytes: Span<UInt8>, from start: Int) -> Int {
    let count = bytes.count
    for back in 1...3 where count &- back >= start {
      let byte = bytes[count &- back]
      if byte < 0x80 { return count }
      if byte >= 0xC0 {
        let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        return length > back ? count &- back : count
      }
    }
    return count
  }

  private mutating func step(_ byte: UInt8) -> Bool {
    if due > 0 {
      guard byte >= lowest && byte <= highest else { return false }
      due &-= 1
      (lowest, highest) = (0x80, 0xBF)
      return true
    }
    switch byte {
    case 0x00...0x7F: break
    case 0xC2...0xDF: due = 1
    case 0xE0: (due, lowest) = (2, 0xA0)
    case 0xED: (due, highest) = (2, 0x9F)
    case 0xE1...0xEF: due = 2
    case 0xF0: (due, lowest) = (3, 0x90)
    case 0xF1...0xF3: due = 3
    case 0xF4: (due, highest) = (3, 0x8F)
    default: return false
    }
    return true
  }
}
