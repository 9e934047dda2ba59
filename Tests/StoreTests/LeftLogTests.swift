import Domain
import Glibc
import Sync
import Testing

@testable import Store

@Suite("DESIGN §7: the log that a crash left")
struct LeftLogTests {
  private static let now: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
  private static let before: [UInt8] = [1, 2, 3, 3, 9, 9, 9, 9]

  struct Row: Sendable {
    var salts: [UInt8]? = LeftLogTests.now
    var index: (salts: [UInt8], frames: Int, moved: Int)?
    var commits: [Int] = []
    var last = 0
    let good: Int
    let damage: LogDamage?
  }

  @Test(
    "The index, or frames behind a commit, tell what is lost",
    arguments: [
      // Whole, with and without an index.
      Row(index: (now, 9, 0), commits: [3, 6, 9], last: 9, good: 9, damage: nil),
      Row(commits: [3, 6, 9], last: 9, good: 9, damage: nil),
      // The last commit was being written.
      Row(commits: [3, 6, 9], last: 9, good: 6, damage: nil),
      Row(index: (now, 6, 0), commits: [3, 6, 9], last: 9, good: 6, damage: nil),
      Row(index: (now, 6, 0), commits: [3, 6], last: 8, good: 6, damage: nil),
      // It had been counted.
      Row(
        index: (now, 9, 0), commits: [3, 6, 9], last: 9, good: 6,
        damage: LogDamage(frame: 7, commits: 1)),
      // Another one had begun behind it.
      Row(commits: [3, 6, 9], last: 10, good: 6, damage: LogDamage(frame: 7, commits: 1)),
      Row(commits: [3, 6, 9], last: 9, good: 0, damage: LogDamage(frame: 1, commits: 2)),
      Row(
        index: (now, 9, 0), commits: [], last: 0, good: 0, damage: LogDamage(frame: 1, commits: 1)),
      // An index of an earlier turn says nothing, and neither do frames that were moved.
      Row(index: (before, 9, 9), commits: [3], last: 3, good: 3, damage: nil),
      Row(index: (before, 9, 0), commits: [3], last: 3, good: 0, damage: nil),
      // No log.
      Row(salts: nil, good: 0, damage: nil),
      Row(salts: nil, index: (now, 9, 9), good: 0, damage: nil),
      Row(salts: nil, index: (now, 9, 6), good: 0, damage: LogDamage(frame: 1, commits: 1)),
    ])
  func told(_ row: Row) {
    let log = LeftLog(
      salts: row.salts,
      index: row.index.map { LeftLog.Index(salts: $0.salts, frames: $0.frames, moved: $0.moved) },
      commits: row.commits, last: row.last)
    #expect(log.damage(after: row.good) == row.damage)
  }

  /// Returns a folder as a killed server leaves it. A loss of power takes the index along, so it is there only with
  /// `index`.
  private func killed(index: Bool) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    _ = try busyWorld(LedgerDriver(store))
    let killed = try TemporaryFolder()
    for end in ["", "-wal"] + (index ? ["-shm"] : []) {
      try writeFile(killed.data.databasePath + end, try readFile(folder.data.databasePath + end))
    }
    return killed
  }

  private static let frameBytes = 4_096 + 24

  private func flip(_ place: (Int) -> Int, in folder: TemporaryFolder) throws {
    let path = folder.data.databasePath + "-wal"
    var bytes = try readFile(path)
    bytes[place(bytes.count)] ^= 0x40
    try writeFile(path, bytes)
  }

  @Test("A log that is whole is no damage", arguments: [true, false])
  func whole(index: Bool) throws {
    let folder = try killed(index: index)
    #expect(LeftLog(of: folder.data.databasePath).commits.count > 5)
    let store = try writer(folder.data)
    #expect(store.damage == nil)
    #expect(try store.verify().differences == [])
    #expect(!names(in: folder.path).contains("whattodo.db-wal.damaged"))
  }

  @Test(
    "A flipped bit in the middle of the log is told, and the log is kept", arguments: [true, false])
  func middle(index: Bool) throws {
    let folder = try killed(index: index)
    let left = LeftLog(of: folder.data.databasePath)
    let frame = left.commits[left.commits.count / 2]
    try flip({ _ in 32 + (frame - 1) * Self.frameBytes + 100 }, in: folder)
    let log = try readFile(folder.data.databasePath + "-wal")
    let store = try writer(folder.data)
    let damage = try #require(store.damage)
    #expect(damage.frame > left.commits[left.commits.count / 2 - 1] && damage.frame <= frame)
    #expect(damage.commits >= left.commits.count / 2 - 1)
    #expect(try store.verify().differences == [])
    #expect(try readFile(folder.data.databasePath + "-wal.damaged") == log)
    // The next start has nothing to tell.
    _ = try LedgerDriver(store, from: 9).person("later")
  }

  @Test("Damage of the last commit is told by the index alone", arguments: [true, false])
  func last(index: Bool) throws {
    let folder = try killed(index: index)
    let last = LeftLog(of: folder.data.databasePath).last
    try flip({ _ in 32 + (last - 1) * Self.frameBytes + 100 }, in: folder)
    #expect((try writer(folder.data).damage != nil) == index)
  }

  @Test("A log that is cut off, has a damaged header or is gone is told by the index")
  func gone() throws {
    let path = { (folder: TemporaryFolder) in folder.data.databasePath + "-wal" }
    let cut = try killed(index: true)
    try writeFile(path(cut), Array(try readFile(path(cut)).prefix(32 + 3 * Self.frameBytes)))
    #expect(try writer(cut.data).damage != nil)
    let header = try killed(index: true)
    try flip({ _ in 17 }, in: header)
    #expect(isTold(header))
    let nothing = try killed(index: true)
    unlink(path(nothing))
    #expect(isTold(nothing))
  }

  /// Returns whether damage is told. Without its log the database may be no database at all, which is told as well.
  private func isTold(_ folder: TemporaryFolder) -> Bool {
    do throws(StoreOpenError) {
      let store = try SQLiteStore(
        writing: folder.data, lock: try folder.data.lock(), newIdentity: { testIdentity })
      return store.damage != nil
    } catch {
      return error.description.hasSuffix(".")
    }
  }
}
