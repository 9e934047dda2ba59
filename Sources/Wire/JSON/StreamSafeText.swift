// The standard library normalises Strings when it compares, hashes or splits them, and sorts a run of marks in
// quadratic time: `text == "ping"` takes five seconds for 160 KiB of them. So no such run may get into a String. UAX 15
// §13 allows 30 marks in a row (Stream-Safe Text Format), more than any script writes, and the reader refuses longer
// runs. Marks here are scalars with a combining class other than 0.

enum StreamSafeText {
  private static let marksMax = 30

  /// Answers whether a scanned string has no run of more than 30 marks.
  static func holds(_ entry: JSONTape.Entry, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard entry.hasEscape else {
      return holds(bytes, from: Int(entry.start) + 1, to: Int(entry.end) - 1)
    }
    let text = JSONString.text(of: entry, bytes)
    return holds(text.span, from: 0, to: text.count)
  }

  private static func holds(_ utf8: borrowing Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var marks = 0
    var index = start
    while index < end {
      let (value, count) = scalar(utf8, at: index)
      marks = isMark(value) ? marks + 1 : 0
      if marks > marksMax { return false }
      index += count
    }
    return true
  }

  /// Returns the scalar that begins at `index` of well-formed UTF-8, and its number of bytes.
  private static func scalar(
    _ utf8: borrowing Span<UInt8>, at index: Int
  ) -> (value: UInt32, count: Int) {
    let lead = UInt32(utf8[index])
    if lead < 0x80 { return (lead, 1) }
    let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = lead & (0x7F >> UInt32(count))
    for offset in 1..<count { value = value << 6 | UInt32(utf8[index + offset] & 0x3F) }
    return (value, count)
  }

  /// Answers whether the scalar is a mark. Ideographs and syllables are most of all wide scalars; they need no look
  /// into the tables.
  private static func isMark(_ value: UInt32) -> Bool {
    guard value >= 0x300, !(0x3400...0x9FFF).contains(value), !(0xAC00...0xD7A3).contains(value),
      let scalar = Unicode.Scalar(value)
    else { return false }
    return scalar.properties.canonicalCombiningClass != .notReordered
  }
}
