// Reads a head: the bytes up to the first empty line (RFC 9112 §2.1). Lines end in CR LF and in nothing else. A bare LF
// or CR, a control character or an empty first line is refused at once, because requests are smuggled between programs
// that read such heads differently (RFC 9112 §2.2, §11.2; RFC 9110 §5.5).

/// The limits of what a peer may take of us with one HTTP head.
package struct HTTPLimits: Sendable, Hashable {
  /// The bytes of the whole head with all line ends. A browser's upgrade takes 500–800; the rest is room for cookies of
  /// other programs on the same host.
  package var headBytesMax = 8192
  /// The bytes of the request target alone.
  package var targetBytesMax = 2048
  /// The number of header fields; a browser sends about fifteen.
  package var fieldsMax = 64

  /// Takes the limits above.
  package init() {}

  /// Takes other limits, each the highest that is still accepted.
  package init(headBytesMax: Int, targetBytesMax: Int, fieldsMax: Int) {
    self.headBytesMax = headBytesMax
    self.targetBytesMax = targetBytesMax
    self.fieldsMax = fieldsMax
  }
}

/// Collects the bytes of one HTTP head, of a request or of an answer.
package struct HTTPHeadReader: Sendable {
  private let limits: HTTPLimits
  private var head: [UInt8] = []
  private var linesEnded = 0
  /// The number of bytes of the line being read.
  private var lineBytes = 0
  private var lastWasReturn = false
  private var fault: HTTPFault?

  /// Begins before the first byte of a head.
  package init(limits: HTTPLimits = HTTPLimits()) {
    self.limits = limits
  }

  /// Whether no byte of a head has come yet.
  package var isEmpty: Bool { head.isEmpty }

  /// Reads on at `position`, never past `end`. Returns the whole head with its empty line once it is there, and nil
  /// before.
  ///
  /// `position` then stands behind the head, where frames or a body begin, and the reader is empty again. After an
  /// error everything is refused with the same error.
  package mutating func next(in bytes: Span<UInt8>, at position: inout Int, end: Int)
    throws(HTTPFault) -> [UInt8]?
  {
    if let fault {
      position = end
      throw fault
    }
    do throws(HTTPFault) {
      return try read(bytes, at: &position, end: end)
    } catch {
      self = HTTPHeadReader(limits: limits)
      fault = error
      position = end
      throw error
    }
  }

  private mutating func read(_ bytes: Span<UInt8>, at position: inout Int, end: Int)
    throws(HTTPFault) -> [UInt8]?
  {
    let start = position
    var isWhole = false
    while position < end && !isWhole {
      skipPlain(bytes, at: &position, end: end, start: start)
      guard position < end else { break }
      isWhole = try take(bytes[position])
      position &+= 1
      if head.count + position - start > limits.headBytesMax { throw tooLong }
    }
    head.append(contentsOf: bytes.extracting(start..<position))
    guard isWhole else { return nil }
    let whole = head
    self = HTTPHeadReader(limits: limits)
    return whole
  }

  /// Passes bytes that are neither control characters nor beyond a limit, and leaves the others to `take`, which
  /// decides. A head is almost nothing else, and a loop this small reads it three times as fast.
  private mutating func skipPlain(
    _ bytes: Span<UInt8>, at position: inout Int, end: Int, start: Int
  ) {
    guard !lastWasReturn else { return }
    var room = min(end &- position, limits.headBytesMax - head.count - (position - start))
    if linesEnded == 0 { room = min(room, requestLineBytesMax - lineBytes) }
    let first = position
    var index = position
    while index &- first < room && bytes[index] >= 0x20 && bytes[index] != 0x7F { index &+= 1 }
    lineBytes &+= index &- first
    position = index
  }

  /// Takes one byte. True at the end of the empty line.
  private mutating func take(_ byte: UInt8) throws(HTTPFault) -> Bool {
    if lastWasReturn || byte == .lineFeed {
      guard lastWasReturn && byte == .lineFeed else { throw .malformed }
      return try endLine()
    }
    lastWasReturn = byte == .carriageReturn
    guard byte >= 0x20 && byte != 0x7F || lastWasReturn || byte == .tab else { throw .malformed }
    if !lastWasReturn {
      lineBytes &+= 1
      if linesEnded == 0 && lineBytes > requestLineBytesMax { throw .targetTooLong }
    }
    return false
  }

  private mutating func endLine() throws(HTTPFault) -> Bool {
    let wasEmpty = lineBytes == 0
    if wasEmpty && linesEnded == 0 { throw .malformed }
    if !wasEmpty && linesEnded > limits.fieldsMax { throw .fieldsTooMany }
    linesEnded &+= 1
    lineBytes = 0
    lastWasReturn = false
    return wasEmpty
  }

  /// The bytes of the request line: the target and "OPTIONS", "HTTP/1.1" and two spaces around it.
  private var requestLineBytesMax: Int { limits.targetBytesMax + 17 }

  private var tooLong: HTTPFault { linesEnded == 0 ? .targetTooLong : .headTooLong }
}

extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let comma: UInt8 = 0x2C
  static let slash: UInt8 = 0x2F
  static let colon: UInt8 = 0x3A
}
