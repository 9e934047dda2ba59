import Domain
import PowerLoss
import Sync
import TestRandom
import Testing

@testable import Store

/// Sums must not stop a start after a crash (CPages.h): a page that was half written when the machine stopped is whole
/// in the log.
@Suite("Pages that a crash tore")
struct TornPageTests {
  private static let pageBytes = 4_096

  /// A main file before and after its log was moved, with that log.
  private struct Moved {
    let before, after, log: [UInt8]
    let list: CategoryID
    /// The numbers, from 0, of the pages that differ.
    let pages: [Int]
  }

  private static let moved = Result {
    let folder = try TemporaryFolder()
    let path = folder.data.databasePath
    _ = try busyWorld(LedgerDriver(try writer(folder.data)))
    let before = try readFile(path)
    var log: [UInt8] = []
    var list: CategoryID?
    do {
      let driver = LedgerDriver(try writer(folder.data), from: 5)
      let author = try driver.person("later")
      list = try driver.category("chores", by: author)
      for number in 1...60 {
        _ = try driver.post("chore \(number)", in: try #require(list), by: author)
      }
      log = try readFile(path + "-wal")
      #expect(try readFile(path) == before, "nothing is moved yet")
    }
    let after = try readFile(path)
    let pages = (0..<after.count / pageBytes).filter { page($0, of: before) != page($0, of: after) }
    return Moved(before: before, after: after, log: log, list: try #require(list), pages: pages)
  }

  private static func page(_ number: Int, of file: [UInt8]) -> ArraySlice<UInt8> {
    file.dropFirst(number * pageBytes).prefix(pageBytes)
  }

  /// Returns the file when the crash came within this page: the pages before it are moved, and so many bytes of it.
  private static func torn(_ moved: Moved, at page: Int, after bytes: Int) -> [UInt8] {
    let reached = page * pageBytes + bytes
    return Array(moved.after[..<reached]) + moved.before.dropFirst(reached)
  }

  @Test(
    "Half a page in the main file stops neither a reader nor a start, also when it is the first page"
  )
  func everyPage() throws {
    let moved = try TornPageTests.moved.get()
    #expect(moved.pages.contains(0), "the first page is among those that are moved")
    #expect(moved.pages.count > 20)
    for page in moved.pages {
      for bytes in [512, 2_048, 3_584] {
        let folder = try TemporaryFolder()
        let file = TornPageTests.torn(moved, at: page, after: bytes)
        try writeFile(folder.data.databasePath, file)
        try writeFile(folder.data.databasePath + "-wal", moved.log)
        let place = "page \(page + 1), torn after \(bytes) bytes"
        do {
          let reader = try SQLiteStore(reading: folder.data)
          #expect(try reader.verify().differences == [], "\(place)")
          #expect(try reader.snapshot(of: .category(moved.list)) != nil, "\(place)")
        }
        guard bytes == 2_048 else { continue }
        let store = try writer(folder.data)
        #expect(store.damage == nil && store.hasPageSums, "\(place)")
        #expect(try store.verify().differences == [], "\(place)")
        #expect(
          try Database(path: folder.data.databasePath, access: .readOnly).damagedPages().count == 0)
      }
    }
  }

  @Test("The same page without its log is damage, and so is a page that the log does not have")
  func withoutLog() throws {
    let moved = try TornPageTests.moved.get()
    let page = try #require(moved.pages.first { $0 > 0 })
    let folder = try TemporaryFolder()
    try writeFile(folder.data.databasePath, TornPageTests.torn(moved, at: page, after: 2_048))
    let alone = try Database(path: folder.data.databasePath, access: .readOnly)
    #expect(try alone.damagedPages().first.contains(page + 1))

    let other = try TemporaryFolder()
    let untouched = try #require(
      (2..<moved.before.count / TornPageTests.pageBytes).last { !moved.pages.contains($0) })
    var bytes = moved.before
    bytes[untouched * TornPageTests.pageBytes + 9] ^= 4
    try writeFile(other.data.databasePath, bytes)
    try writeFile(other.data.databasePath + "-wal", moved.log)
    let report = try SQLiteStore(reading: other.data).verify()
    #expect(report.differences.first == "The file: page \(untouched + 1) is not what was written.")
  }

  @Test("A page whose log was moved is looked at, though the log still has it")
  func movedLog() throws {
    let folder = try TemporaryFolder()
    let driver = LedgerDriver(try writer(folder.data, SQLiteOptions(checkpointPages: 1)))
    let author = try driver.person("author")
    let list = try driver.category("groceries", by: author)
    for number in 1...30 { _ = try driver.post("post \(number)", in: list, by: author) }
    try driver.store.tidy()
    let path = folder.data.databasePath
    let bytes = try readFile(path)
    let last = bytes.count / TornPageTests.pageBytes
    let place = (last - 1) * TornPageTests.pageBytes + 7
    try patch(path, at: place, [bytes[place] ^ 1])
    let found = try Database(path: path, access: .readOnly).damagedPages()
    #expect(found.first == [last])
  }
}
