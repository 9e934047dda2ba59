import Client
import Glibc

// The things of another program, as lines of text in UTF-8: ID, tab, TITLE, perhaps tab and URL. A line that cannot be
// taken is left out and reported with its number; the others are taken. Nothing is guessed and nothing is changed: a
// file in another encoding is not read as if it were UTF-8.

/// One line of the file, with the post that it names or the reason why it names none.
struct ImportLine: Equatable {
  /// The number of the line, from 1, as editors count.
  let number: Int
  let post: Result<TodoImport, Fault>

  enum Fault: Error, Equatable {
    case noTab
    case noID
    case noTitle
    /// The column is that of the first byte that is not UTF-8, in bytes from 1.
    case notUTF8(column: Int)
    case tooLong

    var words: String {
      switch self {
      case .noTab: "no tab between the id and the title"
      case .noID: "no id"
      case .noTitle: "no title"
      case .notUTF8(let column):
        "not UTF-8 at byte \(column); if the file is Latin-1: iconv -f LATIN1 -t UTF-8"
      case .tooLong: "longer than \(ImportLine.bytesMax) bytes"
      }
    }
  }

  /// The greatest length of a line. The longest id, title and address together are below it.
  static let bytesMax = 64 * 1024

  /// Reads a line; nil for an empty one.
  init?(_ number: Int, _ bytes: ArraySlice<UInt8>) {
    let bytes = bytes.last == 13 ? bytes.dropLast() : bytes
    guard !bytes.allSatisfy({ $0 == 32 || $0 == 9 }) else { return nil }
    self.number = number
    guard bytes.count <= ImportLine.bytesMax else {
      post = .failure(.tooLong)
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      post = .failure(.notUTF8(column: ImportLine.validCount(bytes) + 1))
      return
    }
    post = ImportLine.post(text)
  }

  private static func post(_ line: String) -> Result<TodoImport, Fault> {
    let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      .map { ImportLine.trimmed($0) }
    guard parts.count >= 2 else { return .failure(parts[0].isEmpty ? .noID : .noTab) }
    guard !parts[0].isEmpty else { return .failure(.noID) }
    guard !parts[1].isEmpty else { return .failure(.noTitle) }
    let url = parts.count == 3 && !parts[2].isEmpty ? parts[2] : nil
    return .success(TodoImport(id: parts[0], url: url, title: parts[1]))
  }

  private static func trimmed(_ text: Substring) -> String {
    let begin = text.drop { $0.isWhitespace }
    let end = begin.lastIndex { !$0.isWhitespace }
    return end.map { String(begin[...$0]) } ?? ""
  }

  /// Returns the number of bytes before the first that is not UTF-8.
  private static func validCount(_ bytes: ArraySlice<UInt8>) -> Int {
    var (decoder, source, count) = (UTF8(), bytes.makeIterator(), 0)
    while case .scalarValue(let scalar) = decoder.decode(&source) {
      count += UTF8.width(scalar)
    }
    return count
  }
}

/// A reader that takes such lines from a descriptor, one after the other.
struct ImportLines {
  private let descriptor: Int32
  private var rest: [UInt8] = []
  private var number = 0
  private var isOver = false

  /// The first bytes of a file in UTF-16.
  private static let wideMarks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE]]
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads the first bytes. Passes over a byte order mark of UTF-8. Throws for a file in UTF-16, and when reading
  /// fails.
  init(_ descriptor: Int32) throws(BotError) {
    self.descriptor = descriptor
    while rest.count < 3, !isOver { try fill() }
    if ImportLines.wideMarks.contains(where: { rest.starts(with: $0) }) {
      throw BotError(
        sentence: "the input is UTF-16; nothing was taken: iconv -f UTF-16 -t UTF-8", status: 2)
    }
    if rest.starts(with: ImportLines.mark) { rest.removeFirst(3) }
  }

  /// Returns the next line that is not empty, or nil at the end. Throws when reading fails.
  mutating func next() throws(BotError) -> ImportLine? {
    while let bytes = try nextBytes() {
      number += 1
      if let line = ImportLine(number, bytes) { return line }
    }
    return nil
  }

  private mutating func nextBytes() throws(BotError) -> ArraySlice<UInt8>? {
    var searched = 0
    while true {
      if let end = rest[searched...].firstIndex(of: 10) {
        defer { rest.removeFirst(end + 1) }
        return rest[..<end]
      }
      searched = rest.count
      if isOver {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest[...]
      }
      // The line is too long for sure. Only so much of it is kept as shows this.
      if rest.count > 2 * ImportLine.bytesMax {
        rest.removeLast(rest.count - ImportLine.bytesMax - 1)
        searched = rest.count
      }
      try fill()
    }
  }

  private mutating func fill() throws(BotError) {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 {
      rest += bytes[..<count]
    } else if count == 0 {
      isOver = true
    } else if errno != EINTR {
      throw BotError(
        sentence: "the input could not be read: \(String(cString: strerror(errno)))", status: 1)
    }
  }
}
