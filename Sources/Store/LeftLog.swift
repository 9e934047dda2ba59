// Answers whether the write-ahead log that a crash left is whole (sqlite.org/fileformat2.html §4,
// sqlite.org/walformat.html).
//
// SQLite reads a log up to the first frame whose checksum is wrong and drops the rest without a word. That is right for
// the end of a commit that was being written. It is damage when something behind it had been synced. Two things tell:
//
//   - the index (`-shm`), which survives a killed server, counts frames only after the commit that wrote them was
//     synced;
//   - a commit is synced before the next one begins. So a frame behind a commit, both of this turn of the log (its
//     salts), says that the commit was there.
//
// A last commit that is damaged after a loss of power cannot be told from one that was being written.
//
// The files are read before SQLite opens them: closing the index later would drop the process's locks on it.

import Glibc

/// The log and its index as the last server left them.
struct LeftLog: Equatable {
  /// The numbers that stand in the index.
  struct Index: Equatable {
    let salts: [UInt8]
    let frames: Int
    /// The number of these frames that were moved into the database.
    let moved: Int
  }

  /// The salts of the log. Nil without a log, or when its header is damaged.
  var salts: [UInt8]?
  var index: Index?
  /// The frames of this turn of the log that end a commit, counted from 1.
  var commits: [Int] = []
  /// The last frame of this turn of the log.
  var last = 0

  /// Returns the damage of a log whose first `frames` frames are good. Nil when it is whole, as far as anybody can
  /// tell.
  func damage(after frames: Int) -> LogDamage? {
    guard let salts else {
      guard let index, index.frames > index.moved else { return nil }
      return LogDamage(frame: 1, commits: 1)
    }
    let counted = index?.salts == salts ? index?.frames ?? 0 : 0
    // The last commit that has a frame behind it was synced.
    let synced = commits.last { $0 < last } ?? 0
    let through = max(counted, synced)
    guard through > frames else { return nil }
    return LogDamage(
      frame: frames + 1, commits: max(1, commits.count { $0 > frames && $0 <= through }))
  }
}

/// A loss of commits that had been synced, and so answered.
package struct LogDamage: Equatable, Sendable {
  /// The first frame that is not good.
  package let frame: Int
  /// The number of commits that are lost at least.
  package let commits: Int
}

extension LeftLog {
  /// Reads the log and the index of the database at this path. A file that cannot be read counts as not there: SQLite
  /// will say so.
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

  /// Reads the index. Its numbers are in the machine's own order: all machines that Swift runs on have the lowest byte
  /// first.
  private static func index(_ path: String) -> Index? {
    guard let file = OpenLog(path), let bytes = file.bytes(at: 0, count: 100) else { return nil }
    // The index has two copies; a server that was killed while writing one leaves them different.
    guard bytes[..<48] == bytes[48..<96], bytes[12] != 0 else { return nil }
    func number(_ place: Int) -> Int {
      Int(bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    return Index(salts: Array(bytes[32..<40]), frames: number(16), moved: number(96))
  }
}

/// A file that is read in pieces, and closed when the value ends.
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

  /// Reads bytes from a place in the file. Nil when it has fewer.
  func bytes(at place: Int, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, count, off_t(place))
    }
    return got == count ? bytes : nil
  }

  /// The salts and the page size of the log. Nil when SQLite does not accept the header either.
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
