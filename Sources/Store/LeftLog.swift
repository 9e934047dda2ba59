// Whether the write-ahead log that a crash left is whole (sqlite.org/fileformat2.html §4, sqlite.org/walformat.html).
//
// SQLite reads a log up to the first frame whose checksum is wrong and forgets the rest without a word. That is right
// for the end of a commit that was being written. It is damage when something behind it had been synced, and two
// things tell:
//
//   - the index (`-shm`), which survives a killed server, counts frames only after the commit that wrote them was synced;
//   - a commit is synced before the next one begins. So a frame behind a commit, both of this turn of the log (its
//     salts), says that the commit was there.
//
// The last commit alone, after a loss of power, cannot be told from one that was being written.
//
// Files are looked at before SQLite has them open: closing the index later would drop the process's locks on it.

import Glibc

/// The log and its index as the last server left them.
struct LeftLog: Equatable {
  /// What the index says.
  struct Index: Equatable {
    let salts: [UInt8]
    let frames: Int
    /// Of these, moved into the database.
    let moved: Int
  }

  /// Nil without a log, or with one whose header is damaged.
  var salts: [UInt8]?
  var index: Index?
  /// Frames that end a commit, of this turn of the log; counted from 1.
  var commits: [Int] = []
  /// The last frame of this turn.
  var last = 0

  /// Nil: whole, as far as anybody can tell. `frames`: so many are good.
  func damage(after frames: Int) -> LogDamage? {
    guard let salts else {
      guard let index, index.frames > index.moved else { return nil }
      return LogDamage(frame: 1, commits: 1)
    }
    let counted = index?.salts == salts ? index?.frames ?? 0 : 0
    // A commit with a frame behind it.
    let synced = commits.last { $0 < last } ?? 0
    let through = max(counted, synced)
    guard through > frames else { return nil }
    return LogDamage(
      frame: frames + 1, commits: max(1, commits.count { $0 > frames && $0 <= through }))
  }
}

/// Commits that had been synced, and so answered, are gone.
package struct LogDamage: Equatable, Sendable {
  /// The first frame that is not good.
  package let frame: Int
  /// At least so many.
  package let commits: Int
}

extension LeftLog {
  /// Of the database at this path. Whatever cannot be read counts as not there: SQLite will say so.
  init(of path: String) {
    index = LeftLog.index(path + "-shm")
    guard let log = OpenLog(path + "-wal"), let header = log.header else { return }
    salts = header.salts
    for number in 1...max(1, log.frames(of: header.pageBytes)) {
      guard let frame = log.frame(number, of: header.pageBytes), frame.salts == header.salts else {
        continue
      }
      last = number
      if frame.isCommit { commits.append(number) }
    }
  }

  /// Numbers of this file are in the machine's own order: all that Swift runs on have the lowest byte first.
  private static func index(_ path: String) -> Index? {
    guard let file = OpenLog(path), let bytes = file.bytes(at: 0, count: 100) else { return nil }
    // Two copies; a server that was killed while writing one leaves them different.
    guard bytes[..<48] == bytes[48..<96], bytes[12] != 0 else { return nil }
    func number(_ place: Int) -> Int {
      Int(bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    return Index(salts: Array(bytes[32..<40]), frames: number(16), moved: number(96))
  }
}

/// A file that is read in pieces.
private struct OpenLog: ~Copyable {
  static let headerBytes = 32
  static let frameHeaderBytes = 24

  private let descriptor: Int32

  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit {
    // Nothing was written.
    _ = close(descriptor)
  }

  /// Nil when there are not so many.
  func bytes(at place: Int, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, count, off_t(place))
    }
    return got == count ? bytes : nil
  }

  /// Nil for a header that SQLite does not take either.
  var header: (salts: [UInt8], pageBytes: Int)? {
    guard let bytes = bytes(at: 0, count: OpenLog.headerBytes) else { return nil }
    let words = stride(from: 0, to: OpenLog.headerBytes, by: 4).map { big(bytes, $0) }
    guard words[0] & ~1 == 0x377f_0682 else { return nil }
    let isBig = words[0] & 1 == 1
    var (first, second): (UInt32, UInt32) = (0, 0)
    for place in stride(from: 0, to: 24, by: 8) {
      first &+= (isBig ? big(bytes, place) : big(bytes, place).byteSwapped) &+ second
      second &+= (isBig ? big(bytes, place + 4) : big(bytes, place + 4).byteSwapped) &+ first
    }
    guard (first, second) == (words[6], words[7]), words[2] >= 512, words[2] <= 65_536 else {
      return nil
    }
    return (Array(bytes[16..<24]), Int(words[2]))
  }

  func frames(of pageBytes: Int) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    return max(0, Int(status.st_size) - OpenLog.headerBytes)
      / (OpenLog.frameHeaderBytes + pageBytes)
  }

  func frame(_ number: Int, of pageBytes: Int) -> (salts: [UInt8], isCommit: Bool)? {
    let place = OpenLog.headerBytes + (number - 1) * (OpenLog.frameHeaderBytes + pageBytes)
    guard let bytes = bytes(at: place, count: OpenLog.frameHeaderBytes) else { return nil }
    return (Array(bytes[8..<16]), big(bytes, 4) != 0)
  }

  private func big(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
