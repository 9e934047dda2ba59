// The layer under the writer gathers everything that a commit appends to the log (CGatherVFS.h). The suites about power
// loss and a failing disk run over it, and they show that nothing is lost or early.

import CSQLite
import Domain
import PowerLoss
import Sync
import Testing

@testable import Store

@Suite("CGatherVFS.h: one write for many frames")
struct GatherTests {
  /// Returns the writes to the log by commits that append some 60 pages, 4 KiB of text in each post.
  private func writes(_ synchronous: SQLiteOptions.Synchronous) throws -> [Change] {
    let folder = try TemporaryFolder()
    let recording = Recording()
    let store = try writer(
      folder.data, SQLiteOptions(synchronous: synchronous, vfs: recording.vfs))
    let driver = LedgerDriver(store)
    let user = try driver.person("author")
    let category = try driver.category("list", by: user)
    let before = recording.changes.count
    let works = try (0..<20).map { place in
      try driver.work(
        .post(
          .add(
            category, PostID(driver.name()), title: "post",
            notes: String(repeating: "n", count: 4_096))),
        by: user, key: "k-\(place)")
    }
    for result in try driver.run(works) { _ = try result.get() }
    let reader = try SQLiteStore(reading: folder.data)
    #expect(try reader.snapshot(of: .category(category))?.objects.count == 22)
    return recording.changes[before...].filter { $0.kind == .write && $0.file.hasSuffix("-wal") }
  }

  @Test("with a sync at every commit the frames come in pieces of up to 120 KiB, behind each other")
  func gathered() throws {
    let writes = try writes(.full)
    let bytes = writes.reduce(0) { $0 + $1.bytes.count }
    #expect(bytes > 40 * 4_096)
    #expect(writes.count <= bytes / (116 * 1_024) + 1)
    #expect(writes.allSatisfy { $0.bytes.count <= 120 * 1_024 })
    for (first, second) in zip(writes, writes.dropFirst()) {
      #expect(first.offset + first.bytes.count == second.offset)
    }
  }

  @Test("without one nothing is held back", arguments: [SQLiteOptions.Synchronous.normal, .off])
  func notGathered(_ synchronous: SQLiteOptions.Synchronous) throws {
    #expect(try writes(synchronous).allSatisfy { $0.bytes.count <= 4_096 })
  }
}
