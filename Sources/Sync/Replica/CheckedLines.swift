// Lines of a file that may be cut off or damaged anywhere: eight hexadecimal digits, a blank, JSON, a line feed. The
// digits are the CRC-32 of the JSON (ISO 3309, as in zlib and PNG). Our JSON holds no line feed, so damage costs the
// lines that it touches and no others. A line without its line feed was cut off while it was written.

/// Lines with checksums.
package enum CheckedLines {
  package static func encode(_ lines: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.count + 10 })
    for line in lines {
      bytes += digits(of: checksum(line[...]))
      bytes.append(UInt8(ascii: " "))
      bytes += line
      bytes.append(lineFeed)
    }
    return bytes
  }

  /// Returns the lines that are whole, and whether all are.
  package static func decode(_ bytes: [UInt8]) -> (lines: [[UInt8]], isWhole: Bool) {
    var lines: [[UInt8]] = []
    var isWhole = true
    var rest = bytes[...]
    while let end = rest.firstIndex(of: lineFeed) {
      if let line = checked(rest[..<end]) { lines.append(line) } else { isWhole = false }
      rest = rest[(end + 1)...]
    }
    return (lines, isWhole && rest.isEmpty)
  }

  private static let lineFeed = UInt8(ascii: "\n")

  private static func checked(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " ") else { return nil }
    let content = line.dropFirst(9)
    return Array(line.prefix(8)) == digits(of: checksum(content)) ? Array(content) : nil
  }

  private static func digits(of value: UInt32) -> [UInt8] {
    (0..<8).map { place in
      let digit = UInt8(truncatingIfNeeded: value >> UInt32(28 - 4 * place)) & 15
      return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
    }
  }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { value, _ in
      value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1)
    }
  }
}
