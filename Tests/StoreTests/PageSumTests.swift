import CSQLite
import Domain
import Glibc
import Sync
import Testing
import TestRandom

@testable import Store

@Suite("Bit rot of pages (CPages.h)")
struct PageSumTests {
  private static let pageBytes = 4_096

  /// Returns a folder in whose file a whole busy world is, as its writer has closed it.
  private func busy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try busyWorld(LedgerDriver(try writer(folder.data)))
    return folder
  }

  private func differences(in folder: TemporaryFolder) throws -> [String] {
    try SQLiteStore(reading: folder.data).verify().differences
  }

  @Test("A bit that turns over in any page is told by verify, or the database does not open")
  func everyPage() throws {
    let folder = try busy()
    let whole = try readFile(folder.data.databasePath)
    #expect(try differences(in: folder) == [])
    var random = SeededRandom(seed: 21)
    var closed = 0
    for page in 0..<whole.count / PageSumTests.pageBytes {
      // The place is behind the bytes that anybody may set.
      let place = Int.random(in: (page == 0 ? 100 : 0)..<PageSumTests.pageBytes, using: &random)
      var bytes = whole
      bytes[page * PageSumTests.pageBytes + place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      try writeFile(folder.data.databasePath, bytes)
      let told = told(by: folder)
      if told == nil { closed += 1 }
      #expect(
        told == nil || told == "The file: page \(page + 1) is not what was written.",
        "byte \(place) of page \(page + 1): \(told ?? "")")
    }
    #expect(closed < 10, "only the head, the schema and the store's identity stop a start")
  }

  /// Returns the first difference; nil when the database does not open.
  private func told(by folder: TemporaryFolder) -> String? {
    do {
      return try differences(in: folder).first ?? "sound"
    } catch {
      return error is StoreOpenError ? nil : "\(error)"
    }
  }

  @Test("That a file has sums is not forgotten by one bit")
  func reserved() throws {
    let folder = try busy()
    let whole = try readFile(folder.data.databasePath)
    #expect(whole[20] == 8)
    for bit in 0..<8 {
      var bytes = whole
      bytes[20] ^= 1 << UInt8(bit)
      try writeFile(folder.data.databasePath, bytes)
      #expect(throws: StoreOpenError.self, "bit \(bit)") { try SQLiteStore(reading: folder.data) }
    }
  }

  @Test("A damaged index serves no other post, and other lists are served")
  func damagedIndex() throws {
    let folder = try TemporaryFolder()
    let author: UserID, list: CategoryID
    do {
      let driver = LedgerDriver(try writer(folder.data))
      author = try driver.person("author")
      list = try driver.category("groceries", by: author)
      for number in 1...200 { _ = try driver.post("post \(number)", in: list, by: author) }
    }
    let page = try Database(path: folder.data.databasePath, access: .readOnly).integer(
      "SELECT pageno FROM dbstat WHERE name = 'object_in_state' AND pagetype = 'leaf' LIMIT 1")
    var bytes = try readFile(folder.data.databasePath)
    bytes[Int(page) * PageSumTests.pageBytes - 100] ^= 1
    try writeFile(folder.data.databasePath, bytes)
    let store = try SQLiteStore(reading: folder.data)
    let error = #expect(throws: StoreError.self) { try store.snapshot(of: .category(list)) }
    #expect(error?.fault.kind == .damaged)
    let words = "page \(page) of the file is not what was written"
    #expect(error?.fault.detail.contains(words) == true)
    #expect(try store.events(in: .user(author), after: 0, through: .max, bytesMax: .max).count > 0)
    let report = try store.verify()
    #expect(report.differences.first == "The file: page \(page) is not what was written.")
  }

  @Test("A page is not taken for another, nor one without its end for one that was never summed")
  func wholePages() throws {
    let folder = try busy()
    let whole = try readFile(folder.data.databasePath)
    let bytes = PageSumTests.pageBytes
    let last = whole.count / bytes - 1
    func expectDamage(_ pages: [Int], _ file: [UInt8]) throws {
      try writeFile(folder.data.databasePath, file)
      let database = try Database(path: folder.data.databasePath, access: .readOnly)
      #expect(try database.damagedPages().first == pages.map { $0 + 1 })
    }
    let (one, other) = (whole[bytes * 9..<bytes * 10], whole[bytes * last..<bytes * (last + 1)])
    var swapped = whole
    swapped.replaceSubrange(bytes * 9..<bytes * 10, with: other)
    swapped.replaceSubrange(bytes * last..<bytes * (last + 1), with: one)
    try expectDamage([9, last], swapped)
    for zeroes in [8, 512, bytes] {
      var empty = whole
      empty.replaceSubrange(
        bytes * 10 - zeroes..<bytes * 10, with: Array(repeating: 0, count: zeroes))
      try expectDamage([9], empty)
    }
  }

  @Test("An overflow page that is read without its end is compared, as by other versions of SQLite")
  func withoutEnd() throws {
    let folder = try TemporaryFolder()
    let path = folder.data.databasePath
    try writeFile(path, [])
    do {
      let database = try Database(path: path, access: .readWrite)
      try database.execute("CREATE TABLE note(body BLOB); INSERT INTO note VALUES(zeroblob(20000))")
    }
    let count = 4_088
    func code(at offset: Int64) throws -> Int32 {
      var handle: OpaquePointer?
      let opened = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, "whattodo-")
      defer { sqlite3_close(handle) }
      try #require(opened == SQLITE_OK)
      var file: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
      var bytes = [UInt8](repeating: 0, count: count)
      let open = try #require(file)
      return open.pointee.pMethods.pointee.xRead(open, &bytes, Int32(count), offset)
    }
    #expect(try code(at: 8_192) == SQLITE_OK)
    try patch(path, at: 8_192 + 2_000, [1])
    #expect(try code(at: 8_192) == whattodo_sqlite_ioerr_data)
  }
}
