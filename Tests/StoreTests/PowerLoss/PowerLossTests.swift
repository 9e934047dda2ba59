// Promise P1: an acknowledged change is there after a power failure at any moment, and the files are sound. The ledger
// writes over a recording layer. The disk is then made as it may be at many moments (Disk.swift). A store is opened on
// it, verified, and asked for every acknowledged transaction.

import Domain
import PowerLoss
import Sync
import TestRandom
import Testing

@testable import Store

/// A recorded run: the changes on the disk, and the events of each acknowledged transaction.
struct RecordedRun {
  let changes: [Change]
  /// The acknowledged events, in the order of the acknowledgements.
  let acknowledged: [StreamPosition]
  let keys: [KeyAddress]
  let database: String

  /// Records single commands, batches, refusals, moves of the log and a shutdown with another start between.
  init(_ synchronous: SQLiteOptions.Synchronous) throws {
    let folder = try TemporaryFolder()
    let recording = Recording()
    let options = SQLiteOptions(
      synchronous: synchronous, checkpointPages: 24, cacheKibibytes: 256, vfs: recording.vfs)
    var acknowledged: [StreamPosition] = []
    var keys: [KeyAddress] = []
    for start in 0..<2 {
      let store = try writer(folder.data, options)
      let driver = LedgerDriver(store, from: UInt64(start + 1))
      let user = try driver.person("user\(start)")
      let category = try driver.category("list", by: user)
      for round in 1...12 {
        let size = round % 4 == 0 ? 9 : 1
        let batch = try (0..<size).map { place in
          try driver.work(
            .post(
              .add(
                category, PostID(driver.name()), title: "post \(round).\(place)",
                notes: String(repeating: "n", count: round * 90))), by: user,
            key: "s\(start)r\(round)p\(place)")
        }
        for result in try driver.run(batch) { acknowledged += try result.get().events }
        for place in 0..<size {
          let key = try #require(CommandKey("s\(start)r\(round)p\(place)"))
          keys.append(KeyAddress(stream: .category(category), actor: user, key: key))
        }
        recording.mark(acknowledged.count)
        try store.tidy()
      }
    }
    changes = recording.changes
    self.acknowledged = acknowledged
    self.keys = keys
    database = folder.data.databasePath
  }

  var disk: Disk { Disk(existing: [database: []]) }

  /// Returns a sentence when a reader finds an unsound store; nil otherwise. A page of the main file that the crash
  /// tore stops no reader, and is no damage for `verify`.
  private static func breach(read folder: DataFolder) throws -> String? {
    do {
      let report = try SQLiteStore(reading: folder).verify()
      return report.isSound ? nil : "read: \(report.differences.joined(separator: " "))"
    } catch StoreOpenError.noDatabase, StoreOpenError.older {
      return nil
    }
  }

  /// A sentence when a store on these files breaks the promise; nil when it keeps it.
  func breach(
    in files: [String: [UInt8]], sharedMemory: [UInt8]? = nil, acknowledged count: Int,
    alsoWrite: Bool = false, readFirst: Bool = false
  ) throws -> String? {
    let folder = try TemporaryFolder()
    for (path, bytes) in files {
      try writeFile(folder.data.databasePath + path.dropFirst(database.count), bytes)
    }
    if let sharedMemory { try writeFile(folder.data.databasePath + "-shm", sharedMemory) }
    do {
      // A store that only reads cannot roll back the journal in which a new database is made.
      let mayRead = readFirst && !files.keys.contains { $0.hasSuffix("-journal") }
      if mayRead, let breach = try RecordedRun.breach(read: folder.data) { return breach }
      let store = try writer(folder.data, SQLiteOptions(cacheKibibytes: 256))
      if let damage = store.damage { return "no damage, and the start tells of \(damage)" }
      let report = try store.verify()
      if !report.isSound { return report.differences.joined(separator: " ") }
      for (position, key) in zip(acknowledged, keys).prefix(count) {
        if try store.transaction(at: position) == nil { return "\(position) is lost" }
        if try store.key(key)?.result.events != [position] { return "\(key) is lost" }
      }
      if alsoWrite {
        _ = try LedgerDriver(store, from: 9).person("later")
        if try !store.verify().isSound { return "not sound after another write" }
      }
      return nil
    } catch let error as StoreError {
      return "\(error)"
    } catch let error as StoreOpenError {
      return "\(error)"
    }
  }
}

@Suite("P1: power loss")
struct PowerLossTests {
  private static let full = Result { try RecordedRun(.full) }

  @Test("at every sync, with nothing later on the disk: sound, and all acknowledged is there")
  func everySync() throws {
    let run = try PowerLossTests.full.get()
    var disk = run.disk
    var syncs = 0
    #expect(try run.breach(in: disk.synced, acknowledged: 0) == nil)
    for (index, change) in run.changes.enumerated() {
      disk.apply(change)
      // After the sync, and after the acknowledgement that follows it.
      guard change.kind == .sync || change.kind == .mark else { continue }
      syncs += 1
      let breach = try run.breach(
        in: disk.synced, acknowledged: disk.acknowledged, alsoWrite: syncs % 8 == 0)
      #expect(breach == nil, "after change \(index)")
    }
    #expect(syncs > 60)
    #expect(disk.acknowledged == run.acknowledged.count)
  }

  @Test("at any moment, with any part of later writes: sound, and all acknowledged is there")
  func anyMoment() throws {
    let run = try PowerLossTests.full.get()
    for seed in 1...300 as ClosedRange<UInt64> {
      let (breach, moment) = try attempt(run, seed)
      #expect(breach == nil, "seed \(seed), after change \(moment)")
    }
  }

  /// The same test must be able to fail: with less durable settings it finds a loss.
  @Test(
    "with synchronous NORMAL or OFF the same test finds a loss",
    arguments: [
      SQLiteOptions.Synchronous.normal, .off,
    ])
  func lessDurable(_ synchronous: SQLiteOptions.Synchronous) throws {
    let run = try RecordedRun(synchronous)
    var breaches: [String] = []
    for seed in 1...40 as ClosedRange<UInt64> where breaches.count < 3 {
      if let breach = try attempt(run, seed).breach { breaches.append(breach) }
    }
    #expect(!breaches.isEmpty)
    // The disk loses nothing but what was not synced, at one of these moments.
    var losses: [String] = []
    for tenth in 2...9 where losses.isEmpty {
      var disk = run.disk
      for change in run.changes.prefix(run.changes.count * tenth / 10) { disk.apply(change) }
      if let loss = try run.breach(in: disk.synced, acknowledged: disk.acknowledged) {
        losses.append(loss)
      }
    }
    #expect(!losses.isEmpty)
  }

  private func attempt(
    _ run: RecordedRun, _ seed: UInt64
  ) throws -> (breach: String?, moment: Int) {
    var random = SeededRandom(seed: seed)
    let moment = Int.random(in: 0...run.changes.count, using: &random)
    var disk = run.disk
    for change in run.changes.prefix(moment) { disk.apply(change) }
    let files = disk.left(by: &random)
    // The index of the log is never synced: the file may be gone or hold anything.
    let garbage = (0..<32_768).map { _ in UInt8.random(in: 0...255, using: &random) }
    let breach = try run.breach(
      in: files, sharedMemory: seed % 3 == 0 ? garbage : nil, acknowledged: disk.acknowledged,
      alsoWrite: seed % 8 == 0, readFirst: seed % 2 == 0)
    return (breach, moment)
  }
}
