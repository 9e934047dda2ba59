// The answers of the store when the disk fails, and whether they are true afterwards (P3). The layer under SQLite fails
// one call after the other. Each time the answer is compared with what a store finds that opens the files as they then
// are, and as a power failure may leave them.

import CSQLite
import Domain
import PowerLoss
import Sync
import TestRandom
import Testing

@testable import Store

/// A store over a failing layer, with a list to add posts to.
private final class Bench {
  let recording = Recording()
  let folder: TemporaryFolder
  let store: SQLiteStore
  let driver: LedgerDriver
  let user: UserID
  let category: CategoryID
  private let file: [UInt8]

  private static let before = Result { try Before() }

  /// The list as it was made, without a recording.
  private struct Before {
    let file: [UInt8]
    let user: UserID
    let category: CategoryID

    init() throws {
      let folder = try TemporaryFolder()
      do {
        let driver = LedgerDriver(try writer(folder.data))
        user = try driver.person("author")
        category = try driver.category("list", by: user)
        for number in 1...5 { _ = try driver.post("post \(number)", in: category, by: user) }
      }
      file = try readFile(folder.data.databasePath)
    }
  }

  init(cacheKibibytes: Int = 4096) throws {
    let before = try Bench.before.get()
    folder = try TemporaryFolder()
    try writeFile(folder.data.databasePath, before.file)
    let options = SQLiteOptions(
      checkpointPages: 16, cacheKibibytes: cacheKibibytes, vfs: recording.vfs)
    store = try writer(folder.data, options)
    driver = LedgerDriver(store, from: 1)
    user = before.user
    category = before.category
    file = before.file
  }

  enum CommitOutcome: Equatable {
    case committed
    case notCommitted(StoreFault.Kind)
    case outcomeUnknown(StoreFault.Kind)
    case unreadable(StoreFault.Kind)
  }

  /// Adds a post with long notes, then lets the store tidy up.
  func add(notes: Int = 3_000) throws -> CommitOutcome {
    let notes = String(repeating: "n", count: notes)
    do {
      try driver.run(
        .post(.add(category, PostID(driver.name()), title: "new", notes: notes)), by: user)
      do { try store.tidy() } catch { #expect(error.fault.kind != .contradiction) }
      return .committed
    } catch let error as StoreError {
      switch error {
      case .notCommitted(let fault): return .notCommitted(fault.kind)
      case .outcomeUnknown(let fault): return .outcomeUnknown(fault.kind)
      case .unreadable(let fault): return .unreadable(fault.kind)
      }
    }
  }

  func seq() throws -> Int64 { try store.head(of: .category(category))?.seq ?? 0 }

  var disk: Disk {
    var disk = Disk(existing: [folder.data.databasePath: file])
    for change in recording.changes { disk.apply(change) }
    return disk
  }

  /// Returns the numbers that stores find that open the files after a power failure now. Each store must be sound.
  func seqsAfterPowerLoss() throws -> Set<Int64> {
    let disk = self.disk
    var random = SeededRandom(seed: 1)
    var seqs = [try seq(in: disk.synced)]
    for _ in 0..<2 { seqs.append(try seq(in: disk.left(by: &random))) }
    return Set(seqs)
  }

  /// Returns a folder with these files in place of the bench's.
  func copy(of files: [String: [UInt8]]) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for (path, bytes) in files {
      let suffix = path.dropFirst(folder.data.databasePath.count)
      try writeFile(copy.data.databasePath + suffix, bytes)
    }
    return copy
  }

  func seq(in files: [String: [UInt8]]) throws -> Int64 {
    let copy = try copy(of: files)
    let found = try writer(copy.data)
    #expect(try found.verify().differences == [])
    return try found.head(of: .category(category))?.seq ?? 0
  }
}

@Suite("DESIGN §7: a failing disk")
struct FailingDiskTests {
  @Test("a full disk: nothing committed, still readable, and well again when there is room")
  func full() throws {
    let bench = try Bench()
    let reader = try SQLiteStore(reading: bench.folder.data)
    let before = try bench.seq()
    bench.recording.fail([.write], with: SQLITE_FULL, writing: 100)
    for _ in 0..<3 {
      #expect(try bench.add() == .notCommitted(.full))
      #expect(try bench.seq() == before)
      #expect(try reader.snapshot(of: .category(bench.category))?.head.seq == before)
      #expect(try reader.verify().differences == [])
    }
    #expect(bench.recording.failures >= 3)
    bench.recording.stopFailing()
    #expect(try bench.add() == .committed)
    #expect(try reader.head(of: .category(bench.category))?.seq == before + 1)
    #expect(try reader.verify().differences == [])
  }

  @Test(
    "a commit whose sync fails has an unknown outcome; it is not there, and what follows is durable"
  )
  func failedSync() throws {
    let bench = try Bench()
    let before = try bench.seq()
    bench.recording.fail(
      [.sync], ofFilesEndingIn: "-wal", times: 1, with: SQLITE_IOERR | (4 << 8))
    #expect(try bench.add() == .outcomeUnknown(.disk))
    #expect(bench.recording.failures == 1)
    #expect(try bench.seq() == before)
    #expect(try bench.store.verify().differences == [])
    #expect(try bench.add() == .committed)
    #expect(try bench.seq() == before + 1)
    #expect(try bench.store.verify().differences == [])
    #expect(try bench.seqsAfterPowerLoss() == [before + 1])
  }

  @Test("an unknown outcome may be a commit after a crash: the reason for its name")
  func mayBeCommitted() throws {
    let bench = try Bench()
    #expect(try bench.add() == .committed)
    let before = try bench.seq()
    bench.recording.fail(
      [.sync], ofFilesEndingIn: "-wal", times: .max, with: SQLITE_IOERR | (4 << 8))
    #expect(try bench.add() == .outcomeUnknown(.disk))
    #expect(try bench.seq() == before)
    let disk = bench.disk
    #expect(try bench.seq(in: disk.synced) == before)
    #expect(try bench.seq(in: disk.everything) == before + 1)
  }

  @Test("the same key settles an unknown outcome, whichever it was", arguments: [false, true])
  func settled(isWritten: Bool) throws {
    let bench = try Bench()
    #expect(try bench.add() == .committed)
    let before = try bench.seq()
    let command = Command.post(
      .add(
        bench.category, PostID(bench.driver.name()), title: "new", notes: "n"))
    bench.recording.fail(
      [.sync], ofFilesEndingIn: "-wal", times: .max, with: SQLITE_IOERR | (4 << 8))
    #expect(throws: StoreError.self) {
      try bench.driver.run(command, by: bench.user, key: "lost")
    }
    let disk = bench.disk
    let folder = try bench.copy(of: isWritten ? disk.everything : disk.synced)
    let store = try writer(folder.data)
    let list = StreamID.category(bench.category)
    #expect(try store.head(of: list)?.seq == (isWritten ? before + 1 : before))
    let result = try LedgerDriver(store, from: 9).run(command, by: bench.user, key: "lost")
    #expect(result.events == [StreamPosition(stream: list, seq: before + 1)])
    #expect(result.number == 7)
    #expect(try store.head(of: list)?.seq == before + 1)
    #expect(try store.verify().differences == [])
  }

  /// The failed sync's frames are in the system's memory and perhaps never on the disk. The next process finds them,
  /// and its acknowledgements must not depend on them.
  @Test("after a failed sync and a kill, what the next server acknowledges is durable")
  func killedAfterFailedSync() throws {
    let bench = try Bench()
    // The log has just been moved into the database, so it begins anew.
    repeat {
      #expect(try bench.add(notes: 15_000) == .committed)
    } while bench.recording.changes.last?.file != bench.folder.data.databasePath
    // The first sync is that of the log's new header.
    bench.recording.fail(
      [.sync], ofFilesEndingIn: "-wal", after: 1, with: SQLITE_IOERR | (4 << 8))
    #expect(try bench.add(notes: 15_000) == .outcomeUnknown(.disk))

    let next = try TemporaryFolder()
    func moved(_ path: String) -> String {
      next.data.databasePath + path.dropFirst(bench.folder.data.databasePath.count)
    }
    var disk = bench.disk.renamed(moved)
    for (path, bytes) in disk.everything { try writeFile(path, bytes) }
    let recording = Recording()
    let store = try writer(next.data, SQLiteOptions(vfs: recording.vfs))
    let opening = recording.changes
    let later = try LedgerDriver(store, from: 7).person("later")
    try expectSound(disk, next, after: opening)
    for change in recording.changes { disk.apply(change) }

    for seed: UInt64 in 1...20 {
      var random = SeededRandom(seed: seed)
      let left = try TemporaryFolder()
      for (path, bytes) in disk.left(by: &random) {
        try writeFile(
          left.data.databasePath + path.dropFirst(next.data.databasePath.count), bytes)
      }
      let found = try writer(left.data)
      #expect(try found.account(later) != nil, "seed \(seed)")
      #expect(try found.verify().differences == [], "seed \(seed)")
    }
  }

  /// Expects that a store opens and is sound, whenever the power fails while a server opens these files.
  private func expectSound(_ disk: Disk, _ files: TemporaryFolder, after opening: [Change]) throws {
    var disk = disk
    for (count, change) in opening.enumerated() {
      disk.apply(change)
      var random = SeededRandom(seed: UInt64(count))
      for _ in 0..<4 {
        let left = try TemporaryFolder()
        for (path, bytes) in disk.left(by: &random) {
          try writeFile(
            left.data.databasePath + path.dropFirst(files.data.databasePath.count), bytes)
        }
        #expect(try writer(left.data).verify().differences == [], "\(count) of \(opening.count)")
      }
    }
    #expect(opening.count > 3, "the opening changes nothing")
  }

  /// Returns the files as a server that dies now leaves them.
  private func crashed(_ bench: Bench) throws -> TemporaryFolder {
    let crashed = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try writeFile(
        crashed.data.databasePath + suffix, try readFile(bench.folder.data.databasePath + suffix))
    }
    return crashed
  }

  @Test("a server starts on a full disk, also after a crash, and serves what is there")
  func startsOnFullDisk() throws {
    let bench = try Bench()
    #expect(try bench.add() == .committed)
    let seq = try bench.seq()
    let crashed = try crashed(bench)
    let recording = Recording()
    recording.fail([.write], with: SQLITE_FULL)
    let store = try writer(crashed.data, SQLiteOptions(vfs: recording.vfs))
    #expect(try store.head(of: .category(bench.category))?.seq == seq)
    #expect(throws: StoreError.self) { _ = try LedgerDriver(store, from: 3).person("later") }
    #expect(recording.failures > 1)
    recording.stopFailing()
    _ = try LedgerDriver(store, from: 4).person("later")
    #expect(try store.verify().differences == [])
  }

  @Test("The store does not open after a crash on a disk that takes no bytes")
  func startsOnNoFailingDisk() throws {
    let bench = try Bench()
    #expect(try bench.add() == .committed)
    let crashed = try crashed(bench)
    let recording = Recording()
    recording.fail([.write], with: SQLITE_IOERR | (3 << 8))
    #expect(throws: (any Error).self) {
      try writer(crashed.data, SQLiteOptions(vfs: recording.vfs))
    }
    recording.stopFailing()
    let store = try writer(crashed.data, SQLiteOptions(vfs: recording.vfs))
    #expect(try store.verify().differences == [])
  }

  @Test("while the disk fails every call says so, and none ends the process")
  func keepsFailing() throws {
    let bench = try Bench()
    bench.recording.fail([.write, .sync, .truncate, .create], with: SQLITE_IOERR | (3 << 8))
    for _ in 0..<3 { #expect(try bench.add() != .committed) }
    bench.recording.stopFailing()
    #expect(try bench.add() == .committed)
    #expect(try bench.store.verify().differences == [])
  }

  /// The rows of failures: the calls that fail, the code, and how much of a write is done all the same. (A sync is
  /// never answered with FULL: os_unix.c, unixSync.)
  static let sweeps: [(kinds: Set<Change.Kind>, code: Int32, half: Int, times: Int)] = [
    ([.write], SQLITE_FULL, 0, .max), ([.write], SQLITE_FULL, 500, 1),
    ([.write], SQLITE_FULL, 4_095, .max), ([.write], SQLITE_IOERR | (3 << 8), 0, 1),
    ([.write], SQLITE_IOERR | (3 << 8), 30, .max), ([.sync], SQLITE_IOERR | (4 << 8), 0, 1),
    ([.sync], SQLITE_IOERR | (4 << 8), 0, .max),
    ([.truncate, .delete, .create], SQLITE_IOERR, 0, .max),
  ]

  @Test(
    "every call that can fail, one after the other: the answer is true", arguments: sweeps.indices)
  func sweep(_ index: Int) throws {
    let sweep = FailingDiskTests.sweeps[index]
    // A small cache, so that pages are written before the commit as well.
    for skip in Array(0..<10) + [13, 17, 22, 28, 35] {
      let bench = try Bench(cacheKibibytes: 64)
      let before = try bench.seq()
      bench.recording.fail(
        sweep.kinds, after: skip, times: sweep.times, with: sweep.code, writing: sweep.half)
      let first = try bench.add(notes: 15_000)
      let second = first == .committed ? try bench.add(notes: 15_000) : first
      let committed = before + (first == .committed ? 1 : 0) + (second == .committed ? 1 : 0)
      let failures = bench.recording.failures
      // These are the files as a power failure leaves them, with the failing disk never getting well.
      let seqs = try bench.seqsAfterPowerLoss()
      switch second {
      case .committed, .notCommitted, .unreadable:
        #expect(seqs == [committed], "skip \(skip): \(first), \(second)")
      case .outcomeUnknown:
        #expect(seqs.isSubset(of: [committed, committed + 1]), "skip \(skip): \(second)")
      }
      // There is no power failure here, and the disk gets well.
      bench.recording.stopFailing()
      let now = try bench.seq()
      #expect(now == committed, "skip \(skip): \(first), \(second)")
      #expect(try bench.add() == .committed, "skip \(skip)")
      #expect(try bench.seq() == now + 1)
      #expect(try bench.store.verify().differences == [])
      #expect(try bench.seqsAfterPowerLoss() == [now + 1], "skip \(skip): \(first), \(second)")
      guard failures > 0 else { break }
    }
  }
}
