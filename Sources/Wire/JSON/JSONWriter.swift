// Writes JSON: no spaces, members in the order given, and the shortest spelling of every string, which is that of RFC
// 8785 §3.2.2.2: `\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`, other bytes below 0x20 as `\u00xx` in lower case, and
// everything else as it is (DEL and U+2028 too).
//
// Commas follow one rule: a value or a name that follows a finished value gets one. The caller has to close objects and
// arrays, and to alternate names and values; the codecs' tests read back what they write.

package import Domain

/// Appends JSON to bytes.
package struct JSONWriter: Sendable {
  /// The bytes that were written so far.
  package private(set) var bytes: [UInt8] = []
  private var followsValue = false

  package init(reservingCapacity capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }

  package mutating func endObject() { close(UInt8(ascii: "}")) }

  package mutating func beginArray() { open(UInt8(ascii: "[")) }

  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes the name of the next member.
  package mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    followsValue = false
  }

  package mutating func string(_ text: String) {
    separate()
    appendQuoted(text)
  }

  /// Writes a string given as ASCII or UTF-8 bytes, such as an identifier. The caller vouches for the UTF-8.
  package mutating func string(utf8 text: [UInt8]) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text.span)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a UUID as a string. With the letter of a stream, the letter and a colon stand before it.
  package mutating func uuid(_ value: UUID, stream letter: UInt8? = nil) {
    separate()
    bytes.append(addingCapacity: 40) { (output: inout OutputSpan<UInt8>) in
      output.append(UInt8(ascii: "\""))
      if let letter {
        output.append(letter)
        output.append(UInt8(ascii: ":"))
      }
      for part in 0..<4 {
        let digits = value.digits(part)
        for index in 0..<8 {
          if UUID.hyphen(before: 8 * part + index) { output.append(UInt8(ascii: "-")) }
          output.append(UInt8(truncatingIfNeeded: digits >> UInt64(8 * index)))
        }
      }
      output.append(UInt8(ascii: "\""))
    }
  }

  package mutating func int(_ value: Int64) {
    separate()
    appendDecimal(value)
  }

  package mutating func int(_ value: Int) { int(Int64(value)) }

  package mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes one whole value that is JSON already (a stored body), copied as it is.
  package mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes the same from a part of other bytes.
  package mutating func raw(_ json: ArraySlice<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a comma if a value came before. A value is written next.
  private mutating func separate() {
    if followsValue { bytes.append(UInt8(ascii: ",")) }
    followsValue = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    followsValue = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    followsValue = true
  }

  private mutating func appendQuoted(_ text: String) {
    let utf8 = text.utf8.span
    guard !JSONWriter.needsEscape(utf8) else {
      bytes.append(UInt8(ascii: "\""))
      appendEscaped(utf8)
      bytes.append(UInt8(ascii: "\""))
      return
    }
    bytes.append(addingCapacity: utf8.count + 2) { (output: inout OutputSpan<UInt8>) in
      output.append(UInt8(ascii: "\""))
      for index in 0..<utf8.count { output.append(utf8[index]) }
      output.append(UInt8(ascii: "\""))
    }
  }

  private static func needsEscape(_ text: borrowing Span<UInt8>) -> Bool {
    for index in 0..<text.count {
      let byte = text[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
    }
    return false
  }

  private mutating func appendEscaped(_ text: borrowing Span<UInt8>) {
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "\""): appendShort(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"): appendShort(UInt8(ascii: "\\"))
      case 0x08: appendShort(UInt8(ascii: "b"))
      case 0x09: appendShort(UInt8(ascii: "t"))
      case 0x0A: appendShort(UInt8(ascii: "n"))
      case 0x0C: appendShort(UInt8(ascii: "f"))
      case 0x0D: appendShort(UInt8(ascii: "r"))
      case let control where control < 0x20:
        bytes.append(contentsOf: control < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
        let digit = control & 15
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      case let byte: bytes.append(byte)
      }
    }
  }

  private mutating func appendShort(_ letter: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(letter)
  }

  private mutating func appendDecimal(_ value: Int64) {
    // A number of 64 bits has at most 19 digits.
    var digits: InlineArray<19, UInt8> = .init(repeating: 0)
    var first = digits.count
    var rest = value.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    bytes.append(addingCapacity: 20) { (output: inout OutputSpan<UInt8>) in
      if value < 0 { output.append(UInt8(ascii: "-")) }
      for index in first..<digits.count { output.append(digits[index]) }
    }
  }
}
