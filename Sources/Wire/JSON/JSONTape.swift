// The tape is a whole JSON text as a flat list of ranges, read in one pass (RFC 8259; the stricter choices are those of
// I-JSON, RFC 7493).
//
// Every value is one entry with the range of its bytes, in the order of the text. A member of an object is the entry of
// its name followed by the entries of its value. `next` is the index after the whole value, so a reader steps over
// values that it does not want. Nothing is unescaped, and no number and no String is made, until somebody asks: most of
// a message is looked at once or never.
//
// These are checked here, once, so that no later code has to: grammar, depth, UTF-8, escapes and pairs of surrogates,
// runs of marks, number range, duplicate members. Names are compared when their object closes: pairwise up to 16 plain
// names, and sorted beyond that or when a name holds an escape. So a hostile object of n bytes costs n log n.

struct JSONTape: Sendable {
  struct Entry: Sendable {
    let kind: JSONKind
    /// Whether a string has a backslash, so that its bytes are not yet its text.
    var hasEscape = false
    /// The offset of the first byte. The quotation mark of a string is included.
    let start: UInt32
    /// The offset after the last byte.
    var end: UInt32
    /// The index of the entry after this value and everything in it.
    var next: UInt32
  }

  private(set) var entries: [Entry] = []
  private let limits: JSONLimits

  init(_ bytes: borrowing Span<UInt8>, limits: JSONLimits) throws(JSONError) {
    self.limits = limits
    guard bytes.count <= limits.bytesMax else { throw JSONError(.tooLong, at: limits.bytesMax) }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw JSONError(.byteOrderMark, at: 0)
    }
    entries.reserveCapacity(min(bytes.count / 8 + 4, 512))
    let start = skipSpace(bytes, 0)
    let end = skipSpace(bytes, try value(bytes, start, depth: 0))
    guard end == bytes.count else { throw JSONError(.trailingBytes, at: end) }
  }

  /// Reads the value that starts at `at`. Returns the offset after it.
  private mutating func value(
    _ bytes: borrowing Span<UInt8>, _ at: Int, depth: Int
  ) throws(JSONError) -> Int {
    guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
    switch bytes[at] {
    case UInt8(ascii: "\""): return try string(bytes, at)
    case UInt8(ascii: "{"): return try object(bytes, at, depth: depth + 1)
    case UInt8(ascii: "["): return try array(bytes, at, depth: depth + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let end = try JSONNumber.end(of: bytes, from: at, limits: limits)
      append(.number, at, end)
      return end
    case UInt8(ascii: "t"): return try word("true", .bool, bytes, at)
    case UInt8(ascii: "f"): return try word("false", .bool, bytes, at)
    case UInt8(ascii: "n"): return try word("null", .null, bytes, at)
    default: throw JSONError(.unexpectedByte, at: at)
    }
  }

  private mutating func append(_ kind: JSONKind, _ start: Int, _ end: Int, hasEscape: Bool = false)
  {
    entries.append(
      Entry(
        kind: kind, hasEscape: hasEscape, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: entries.count + 1)))
  }

  private mutating func close(_ index: Int, end: Int) {
    entries[index].end = UInt32(truncatingIfNeeded: end)
    entries[index].next = UInt32(truncatingIfNeeded: entries.count)
  }

  private mutating func word(
    _ word: String, _ kind: JSONKind, _ bytes: borrowing Span<UInt8>, _ at: Int
  ) throws(JSONError) -> Int {
    var index = at
    for byte in word.utf8 {
      guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
      guard bytes[index] == byte else { throw JSONError(.unexpectedByte, at: index) }
      index += 1
    }
    append(kind, at, index)
    return index
  }

  private mutating func string(_ bytes: borrowing Span<UInt8>, _ at: Int) throws(JSONError) -> Int {
    let scanned = try JSONString.scan(bytes, from: at)
    append(.string, at, scanned.end, hasEscape: scanned.hasEscape)
    if scanned.isWide, !StreamSafeText.holds(entries[entries.count - 1], bytes) {
      throw JSONError(.marks, at: at)
    }
    return scanned.end
  }

  private mutating func array(
    _ bytes: borrowing Span<UInt8>, _ at: Int, depth: Int
  ) throws(JSONError) -> Int {
    guard depth <= limits.depthMax else { throw JSONError(.tooDeep, at: at) }
    let index = entries.count
    append(.array, at, at)
    var position = skipSpace(bytes, at + 1)
    if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
      close(index, end: position + 1)
      return position + 1
    }
    while true {
      position = skipSpace(bytes, try value(bytes, position, depth: depth))
      guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
      if bytes[position] == UInt8(ascii: "]") { break }
      guard bytes[position] == UInt8(ascii: ",") else {
        throw JSONError(.unexpectedByte, at: position)
      }
      position = skipSpace(bytes, position + 1)
    }
    close(index, end: position + 1)
    return position + 1
  }

  private mutating func object(
    _ bytes: borrowing Span<UInt8>, _ at: Int, depth: Int
  ) throws(JSONError) -> Int {
    guard depth <= limits.depthMax else { throw JSONError(.tooDeep, at: at) }
    let index = entries.count
    append(.object, at, at)
    var position = skipSpace(bytes, at + 1)
    if position < bytes.count, bytes[position] == UInt8(ascii: "}") {
      close(index, end: position + 1)
      return position + 1
    }
    while true {
      position = skipSpace(bytes, try member(bytes, position, depth: depth))
      guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
      if bytes[position] == UInt8(ascii: "}") { break }
      guard bytes[position] == UInt8(ascii: ",") else {
        throw JSONError(.unexpectedByte, at: position)
      }
      position = skipSpace(bytes, position + 1)
    }
    close(index, end: position + 1)
    if let offset = offsetOfDuplicate(in: index, bytes) {
      throw JSONError(.duplicateMember, at: offset)
    }
    return position + 1
  }

  private mutating func member(
    _ bytes: borrowing Span<UInt8>, _ at: Int, depth: Int
  ) throws(JSONError) -> Int {
    guard at < bytes.count else { throw JSONError(.unexpectedEnd, at: at) }
    guard bytes[at] == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: at) }
    let colon = skipSpace(bytes, try string(bytes, at))
    guard colon < bytes.count else { throw JSONError(.unexpectedEnd, at: colon) }
    guard bytes[colon] == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: colon) }
    return try value(bytes, skipSpace(bytes, colon + 1), depth: depth)
  }
}

// MARK: - Duplicate names

extension JSONTape {
  private static let pairwiseMax = 16

  /// Returns the offset of the first name in the text that its object already has. Nil when there is none.
  private func offsetOfDuplicate(in object: Int, _ bytes: borrowing Span<UInt8>) -> Int? {
    var count = 0
    var isPlain = true
    var name = object + 1
    let end = Int(entries[object].next)
    while name < end {
      isPlain = isPlain && !entries[name].hasEscape
      var other = object + 1
      while isPlain, count < JSONTape.pairwiseMax, other < name {
        if sameBytes(entries[other], entries[name], bytes) { return Int(entries[name].start) }
        other = Int(entries[other + 1].next)
      }
      count += 1
      name = Int(entries[name + 1].next)
    }
    guard !isPlain || count > JSONTape.pairwiseMax else { return nil }
    return offsetOfDuplicateBySorting(in: object, bytes)
  }

  private func sameBytes(_ a: Entry, _ b: Entry, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard a.end &- a.start == b.end &- b.start else { return false }
    var left = Int(a.start)
    var right = Int(b.start)
    while left < Int(a.end) {
      if bytes[left] != bytes[right] { return false }
      left += 1
      right += 1
    }
    return true
  }

  private func offsetOfDuplicateBySorting(
    in object: Int, _ bytes: borrowing Span<UInt8>
  ) -> Int? {
    var names: [(text: [UInt8], offset: Int)] = []
    var name = object + 1
    while name < Int(entries[object].next) {
      let entry = entries[name]
      names.append((JSONString.text(of: entry, bytes), Int(entry.start)))
      name = Int(entries[name + 1].next)
    }
    names.sort { left, right in
      left.text == right.text
        ? left.offset < right.offset : left.text.lexicographicallyPrecedes(right.text)
    }
    var first: Int?
    for index in names.indices.dropFirst() where names[index].text == names[index - 1].text {
      first = min(first ?? names[index].offset, names[index].offset)
    }
    return first
  }
}

/// Returns the offset of the first byte from `at` that is not space, tab, line feed or carriage return.
@inline(__always)
private func skipSpace(_ bytes: borrowing Span<UInt8>, _ at: Int) -> Int {
  var index = at
  while index < bytes.count {
    let byte = bytes[index]
    guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return index }
    index += 1
  }
  return index
}
