import CSQLite
import Domain
import Glibc
import PowerLoss
import Sync
import Testing

@testable import Store

@Suite("DESIGN §5: the reserve for a disk without room")
struct DiskReserveTests {
  private func isThere(_ folder: DataFolder) -> Bool { access(folder.reservePath, F_OK) == 0 }

  @Test("It is made where there is three times its room, and given up below a quarter of it")
  func rules() throws {
    let folder = try TemporaryFolder()
    let reserve = DiskReserve(in: folder.data)
    let bytes = reserve.bytes
    #expect(reserve.isThere && isThere(folder.data), "the disk of the tests has room")
    #expect(try readFile(folder.data.reservePath).count == bytes)
    #expect(!reserve.settle(freeBytes: bytes / 4) && !reserve.isMissed)
    #expect(reserve.settle(freeBytes: bytes / 4 - 1) && reserve.isMissed)
    #expect(!isThere(folder.data))
    #expect(!reserve.settle(freeBytes: 0) && reserve.isMissed)
    #expect(!reserve.settle(freeBytes: 3 * bytes - 1) && reserve.isMissed)
    #expect(reserve.settle(freeBytes: 3 * bytes) && !reserve.isMissed)
    #expect(isThere(folder.data))
    #expect(!reserve.settle(freeBytes: 3 * bytes))
    #expect(DiskReserve(in: folder.data).isThere, "the next start finds it")
    try writeFile(folder.data.reservePath, [0])
    #expect(DiskReserve(in: folder.data).isThere)
    #expect(try readFile(folder.data.reservePath).count == bytes, "what a crash left is made whole")
    #expect(unlink(folder.data.reservePath) == 0)
    #expect(reserve.settle(freeBytes: 0) && reserve.isMissed, "somebody took it away")
  }

  @Test("A commit of unknown outcome gives it up too, when the index of the log found no room")
  func unknown() throws {
    let noRoomForIndex = whattodo_sqlite_ioerr_shmsize
    let fault = DatabaseError(extendedCode: noRoomForIndex, message: "", sql: "").fault
    #expect(fault.kind == .full)
    let recording = Recording()
    let folder = try TemporaryFolder()
    let store = try writer(folder.data, SQLiteOptions(keepsReserve: true, vfs: recording.vfs))
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    recording.fail([.sync], ofFilesEndingIn: "-wal", times: 1, with: noRoomForIndex)
    let error = #expect(throws: StoreError.self) { try driver.category("groceries", by: author) }
    #expect(error.map { if case .outcomeUnknown = $0 { true } else { false } } == true)
    #expect(try #require(store.reserve).isMissed && !isThere(folder.data))
    _ = try driver.category("groceries", by: author)
    #expect(try store.verify().isSound)
  }

  @Test(
    "A commit that finds no room gives it up and is tried again; repeats and later commits go on")
  func commit() throws {
    let recording = Recording()
    let folder = try TemporaryFolder()
    let store = try writer(folder.data, SQLiteOptions(keepsReserve: true, vfs: recording.vfs))
    let reserve = try #require(store.reserve)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let list = try driver.category("groceries", by: author)
    #expect(reserve.isThere)
    recording.fail([.write], ofFilesEndingIn: "-wal", times: 1, with: SQLITE_FULL)
    let milk = try driver.post("milk", in: list, by: author)
    #expect(!reserve.isThere && reserve.isMissed && !isThere(folder.data))
    recording.fail([.write], ofFilesEndingIn: "-wal", times: 1, with: SQLITE_FULL)
    #expect(throws: (any Error).self, "there is nothing more to give") {
      try driver.post("bread", in: list, by: author)
    }
    recording.stopFailing()
    let other = LedgerDriver(store, from: 5)
    try other.run(.completePost(list, milk, ifVersion: nil), by: author)
    #expect(try store.verify().isSound)
  }

  @Test("Without a reserve the folder has none")
  func without() throws {
    let folder = try TemporaryFolder()
    #expect(try writer(folder.data).reserve == nil)
    #expect(!isThere(folder.data))
  }
}
