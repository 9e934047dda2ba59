import CSQLite
import Domain
import PowerLoss
import Sync
import TestRandom
import Testing

@testable import Store

/// Files that get sums, or have none (CPages.h).
@Suite("Sums of pages: copies, older databases, other programs")
struct NewSumTests {
  private static let pageBytes = 4_096

  /// Runs SQL without our layer between SQLite and the file, as another program does.
  private func byOthers(_ path: String, _ sql: String) -> Int32 {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    let opened = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
    return opened == SQLITE_OK ? sqlite3_exec(handle, sql, nil, nil, nil) : opened
  }

  private func expectSums(_ path: String, _ place: String = "") throws {
    let file = try readFile(path)
    for page in 0..<file.count / NewSumTests.pageBytes {
      let end = (page + 1) * NewSumTests.pageBytes
      #expect(file[end - 8..<end].contains { $0 != 0 }, "page \(page + 1) has no sum \(place)")
    }
    let database = try Database(path: path, access: .readOnly)
    #expect(try database.hasSums(), "\(place)")
    #expect(try database.damagedPages().count == 0, "\(place)")
  }

  /// SQL for rows of about 400 bytes, so many that no cache of 2 MB holds them.
  private static let manyRows = """
    WITH RECURSIVE row(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row WHERE number < 20000)
    INSERT INTO spent_code(code, user) SELECT printf('%0400d', number), zeroblob(16) FROM row
    """

  @Test("A copy has a sum on every page, however large it is", arguments: [0, 1, 50, 3_000])
  func copies(_ pages: Int) throws {
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.data.databasePath, folder.path + "/copy.db")
    try writeFile(path, [])
    try writeFile(copy, [])
    let database = try Database(path: path, access: .readWrite)
    try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE note(body BLOB)")
    for _ in 0..<pages { try database.execute("INSERT INTO note VALUES(randomblob(4000))") }
    try database.execute("VACUUM INTO '\(copy)'")
    try expectSums(copy)
    #expect(
      try Database(path: copy, access: .readOnly).integer("SELECT count(*) FROM note")
        == Int64(pages))
  }

  @Test("An older database that is larger than the cache gets a sum on every page")
  func large() throws {
    let folder = try frozen(12)
    let path = folder.data.databasePath
    #expect(byOthers(path, NewSumTests.manyRows) == SQLITE_OK)
    #expect(try !Database(path: path, access: .readOnly).hasSums())
    #expect(try writer(folder.data).hasPageSums)
    #expect(try readFile(path).count > 8 << 20)
    try expectSums(path)
  }

  @Test("It gets them while somebody reads the old one, who goes on reading")
  func besideReader() throws {
    let folder = try frozen(12)
    let path = folder.data.databasePath
    #expect(byOthers(path, "PRAGMA journal_mode = WAL") == SQLITE_OK)
    let reader = try Database(path: path, access: .readOnly)
    try reader.execute("BEGIN")
    let count = try reader.integer("SELECT count(*) FROM event")
    do {
      let store = try writer(folder.data, SQLiteOptions(checkpointPages: 1))
      #expect(store.hasPageSums)
      let driver = LedgerDriver(store, from: 5)
      _ = try driver.person("later")
      try store.tidy()
      #expect(try reader.integer("SELECT count(*) FROM event") == count)
      #expect(try reader.prepare("PRAGMA integrity_check").rows { $0.text(0) } == ["ok"])
      try reader.execute("COMMIT")
      for _ in 0..<20 { _ = try driver.person("person\(driver.now)") }
      try store.tidy()
      #expect(try store.verify().differences == [])
    }
    try expectSums(path)
  }

  @Test("A crash while it gets them loses nothing: the next start does it again")
  func crash() throws {
    let folder = try frozen(12)
    let path = folder.data.databasePath
    let before = try readFile(path)
    let recording = Recording()
    _ = try writer(folder.data, SQLiteOptions(cacheKibibytes: 256, vfs: recording.vfs))
    // The temporary copy has no name, and is gone after a crash.
    let changes = recording.changes.filter { !$0.file.isEmpty }
    #expect(changes.count > 60)
    for seed in 1...60 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let moment = Int.random(in: 0...changes.count, using: &random)
      var disk = Disk(existing: [path: before])
      for change in changes.prefix(moment) { disk.apply(change) }
      let after = try TemporaryFolder()
      for (name, bytes) in disk.left(by: &random) {
        try writeFile(after.data.databasePath + name.dropFirst(path.count), bytes)
      }
      do {
        let store = try writer(after.data)
        #expect(store.damage == nil && store.hasPageSums, "seed \(seed), after change \(moment)")
        let report = try store.verify()
        #expect(report.differences == [], "seed \(seed), after change \(moment)")
        #expect(report.streams == 6, "seed \(seed), after change \(moment)")
      }
      try expectSums(after.data.databasePath, "seed \(seed), after change \(moment)")
    }
  }

  @Test(
    "On a disk without room it goes on without, says so, and gets them with a copy",
    arguments: [0, 1, 7])
  func fullDisk(_ writes: Int) throws {
    let recording = Recording()
    let folder = try frozen(12)
    let path = folder.data.databasePath
    #expect(byOthers(path, "PRAGMA journal_mode = WAL") == SQLITE_OK)
    recording.fail([.write], ofFilesEndingIn: "-wal", after: writes, times: 1, with: SQLITE_FULL)
    let store = try writer(folder.data, SQLiteOptions(vfs: recording.vfs))
    recording.stopFailing()
    #expect(recording.failures == 0 && !store.hasPageSums)
    _ = try LedgerDriver(store, from: 5).person("later")
    let report = try store.verify()
    #expect(report.differences == [])
    #expect(
      report.remarks == ["The pages of the file have no sums: damage in them may go unnoticed."])
    let copy = folder.path + "/copy.db"
    try writeFile(copy, [])
    try SQLiteStore(reading: folder.data).copy(intoEmptyFile: copy)
    try expectSums(copy)
  }

  @Test(
    "Another program reads the file; its copy has no sums, is served, and gets them with the next copy of ours"
  )
  func others() throws {
    let folder = try TemporaryFolder()
    let path = folder.data.databasePath
    _ = try busyWorld(LedgerDriver(try writer(folder.data)))
    let foreign = try TemporaryFolder()
    #expect(byOthers(path, "PRAGMA integrity_check") == SQLITE_OK)
    #expect(byOthers(path, "VACUUM INTO '\(foreign.data.databasePath)'") == SQLITE_OK)
    do {
      let store = try writer(foreign.data)
      #expect(!store.hasPageSums)
      let driver = LedgerDriver(store, from: 5)
      let author = try driver.person("later")
      let list = try driver.category("groceries", by: author)
      for number in 1...80 { _ = try driver.post("post \(number)", in: list, by: author) }
    }
    #expect(try !writer(foreign.data).hasPageSums, "writing the first page gives it none")
    let reader = try SQLiteStore(reading: foreign.data)
    #expect(try reader.verify().differences == [])
    let copy = folder.path + "/copy.db"
    try writeFile(copy, [])
    try reader.copy(intoEmptyFile: copy)
    try expectSums(copy)
  }
}
