import Glibc

/// The lines of standard input, read in pieces. A line that is too long ends it before it fills the memory.
struct InputLines {
  enum Failure: Error, Equatable {
    case tooLong
    /// The descriptor cannot be read; the number is that of `errno`.
    case unreadable(Int32)
  }

  /// The longest line, in bytes. It is longer than any text that the server takes.
  static let bytesMax = 128 * 1024

  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  init(descriptor: Int32 = 0) { self.descriptor = descriptor }

  /// Returns the next line without its end; nil behind the last. Bytes that are not UTF-8 become U+FFFD.
  mutating func next() throws(Failure) -> String? {
    var searched = 0
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return try line(ofBytes: end, and: 1)
      }
      guard bytes.count <= InputLines.bytesMax else { throw .tooLong }
      guard !isAtEnd else { return bytes.isEmpty ? nil : try line(ofBytes: bytes.count, and: 0) }
      searched = bytes.count
      try readMore()
    }
  }

  private mutating func line(ofBytes count: Int, and rest: Int) throws(Failure) -> String {
    guard count <= InputLines.bytesMax else { throw .tooLong }
    let line = String(decoding: bytes[..<count], as: UTF8.self)
    bytes.removeFirst(count + rest)
    return line
  }

  private mutating func readMore() throws(Failure) {
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(errno) }
      isAtEnd = count == 0
      bytes += piece[..<count]
      return
    }
  }
}
