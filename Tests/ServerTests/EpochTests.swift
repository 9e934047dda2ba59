import Domain
import Foundation
import Net
import Sync
import Testing

@testable import Server
@testable import Store

private func titles(_ page: [String: Any]) -> [String] {
  (page["objects"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }.sorted()
}

@Suite("protocol §5.3: another history") struct EpochTests {
  @Test("after a restore every cursor is of another epoch, and what was deleted stays so")
  func restored() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (list, stream) = try author.addList()
    let (kept, _) = try author.addPost(list, "kept")
    let backup = server.folder + ".backup"
    defer { try? FileManager.default.removeItem(atPath: backup) }
    try OperatorCommands.backup(dataFolder: server.folder, to: backup)
    try author.addPost(list, "lost")
    try author.client.change("post.remove", ["category": list, "id": kept])
    let cursor = try author.cursor(stream, on: server)

    #expect(throws: OperatorError.self, "a server runs") { try restore(backup, server, true) }
    server.stop()
    #expect(throws: OperatorError.self, "there is data") { try restore(backup, server, false) }
    #expect(try restore(backup, server, true).hasPrefix("sound"))
    let aside = try FileManager.default.contentsOfDirectory(atPath: server.folder)
      .filter { $0.contains("replaced") }
    #expect(aside.count == 1)

    try server.restart()
    let (again, mode, reason) = try server.mode(of: stream, for: author, cursor)
    #expect(mode == "snapshot" && reason == "epoch")
    let page = try again.client.push("sync.snapshot")
    #expect(titles(page) == ["kept"])
    #expect(page["epoch"] as? String != cursor["epoch"] as? String)
    let base = ["epoch": cursor["epoch"]!, "seq": cursor["seq"]!]
    #expect(throws: TestFailure.refused(kind: "stale_base", field: nil)) {
      try again.client.change(
        "post.add", ["category": list, "id": newID(), "title": "from the queue", "base": base])
    }
    try again.client.change("post.add", ["category": list, "id": newID(), "title": "new"])
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  private func restore(_ backup: String, _ server: TestServer, _ replacing: Bool) throws -> String {
    try OperatorCommands.restore(
      backup, dataFolder: server.folder, replacing: replacing, closingSessions: false)
  }

  @Test("sessions of the backup can be closed")
  func signedOut() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let backup = server.folder + ".backup"
    defer { try? FileManager.default.removeItem(atPath: backup) }
    try OperatorCommands.backup(dataFolder: server.folder, to: backup)
    server.stop()
    _ = try OperatorCommands.restore(
      backup, dataFolder: server.folder, replacing: true, closingSessions: true)
    try server.restart()
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try server.again(author)
    }
  }

  @Test("A file that is no backup of ours is not restored, and nothing changes")
  func strangers() throws {
    let server = try TestServer()
    _ = try server.join("author")
    server.stop()
    let before = try Data(contentsOf: URL(filePath: server.databasePath))
    let other = server.folder + ".other"
    defer { try? FileManager.default.removeItem(atPath: other) }
    for content in ["", "no database at all, only words", String(repeating: "x", count: 9_000)] {
      try Data(content.utf8).write(to: URL(filePath: other))
      #expect(throws: OperatorError.self) { try restore(other, server, true) }
    }
    #expect(throws: OperatorError.self) { try restore(other + ".missing", server, true) }
    // Damaged, so that its log does not lead to its objects.
    let damaged = try Data(contentsOf: URL(filePath: server.databasePath))
    try damaged.write(to: URL(filePath: other))
    try Database(path: other, access: .readWrite)
      .execute("UPDATE stream SET own = CAST('{}' AS BLOB) WHERE number = 1")
    #expect(throws: OperatorError.self) { try restore(other, server, true) }
    #expect(try Data(contentsOf: URL(filePath: server.databasePath)) == before)
    try server.restart()
  }

  @Test("a cursor below the horizon gets a snapshot, and an old base is refused")
  func horizon() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (list, stream) = try author.addList()
    try author.addPost(list, "one")
    let cursor = try author.cursor(stream, on: server)
    for title in ["two", "three"] { try author.addPost(list, title) }
    server.stop()
    do {
      let folder = DataFolder(path: server.folder)
      let store = try SQLiteStore(writing: folder, lock: try folder.lock()) {
        preconditionFailure("the database is there")
      }
      while try !store.trim(before: Timestamp(milliseconds: .max)).isDone {}
    }
    try server.restart { $0.keepHistoryDays = 1 }
    let (again, mode, reason) = try server.mode(of: stream, for: author, cursor)
    #expect(mode == "snapshot" && reason == "horizon")
    #expect(titles(try again.client.push("sync.snapshot")) == ["one", "three", "two"])
    let base = ["epoch": cursor["epoch"]!, "seq": cursor["seq"]!]
    #expect(throws: TestFailure.refused(kind: "stale_base", field: nil)) {
      try again.client.change(
        "post.add", ["category": list, "id": newID(), "title": "late", "base": base])
    }
    let now = try author.cursor(stream, on: server)
    #expect(try server.mode(of: stream, for: author, now).mode == "live")
    try again.addPost(list, "four")
    #expect(try server.mode(of: stream, for: author, now).mode == "tail")
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  @Test("a server that keeps one day forgets by itself what is older, once its clock is right")
  func keeping() throws {
    let server = try TestServer()
    server.stop()
    // Its events are of 2023.
    let frozen = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../StoreTests/Fixtures/version-\(Schema.version).sql")
    for end in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: server.databasePath + end)
    }
    try Data().write(to: URL(filePath: server.databasePath))
    try Database(path: server.databasePath, access: .readWrite)
      .execute(String(decoding: try Data(contentsOf: frozen), as: UTF8.self))
    let heads = try numbers("SELECT seq FROM stream ORDER BY number", server)
    try server.restart { $0.keepHistoryDays = 1 }
    // A clock that is years after the newest event may be wrong: it has kept house before it takes a command.
    _ = try server.join("later")
    #expect(try streams(server, keeping: heads) > 0)
    try OperatorCommands.confirmClock(dataFolder: server.folder)
    let deadline = Date(timeIntervalSinceNow: 20)
    while try streams(server, keeping: heads) > 0 {
      try #require(Date() < deadline, "it keeps what is old")
      sched_yield()
    }
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  /// Returns how many streams have an event from before the newest of these, one number a stream. Events that the
  /// present version writes behind them (a deadline that has passed since) change nothing.
  private func streams(_ server: TestServer, keeping heads: [Int64]) throws -> Int {
    let horizons = try numbers("SELECT horizon FROM stream ORDER BY number", server)
    return zip(horizons, heads).count { horizon, head in horizon < head - 1 }
  }

  private func numbers(_ sql: String, _ server: TestServer) throws -> [Int64] {
    try Database(path: server.databasePath, access: .readOnly).prepare(sql).rows { $0.int64(0) }
  }

  @Test("a file that was copied back is noticed: ahead, then diverged")
  func copiedBack() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (list, stream) = try author.addList()
    server.stop()
    let old = try Data(contentsOf: URL(filePath: server.databasePath))
    try server.restart()
    let (back, _) = try server.again(author)
    for title in ["one", "two"] { try back.addPost(list, title) }
    let cursor = try back.cursor(stream, on: server)
    server.stop()
    try old.write(to: URL(filePath: server.databasePath))

    try server.restart()
    let (ahead, mode, reason) = try server.mode(of: stream, for: author, cursor)
    #expect(mode == "snapshot" && reason == "ahead")
    #expect(titles(try ahead.client.push("sync.snapshot")) == [])
    for title in ["another", "history", "here"] { try ahead.addPost(list, title) }
    let (diverged, otherMode, otherReason) = try server.mode(of: stream, for: author, cursor)
    #expect(otherMode == "snapshot" && otherReason == "diverged")
    let page = try diverged.client.push("sync.snapshot")
    #expect(titles(page) == ["another", "here", "history"])
  }
}

@Suite("protocol §5.2: any cursor") struct CursorTests {
  @Test("leave, others write, be invited again, come with the old cursor: a snapshot, not the tail")
  func rejoined() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let bots = try server.join("bots")
    let (list, stream) = try author.addList()
    try author.invite(bots, to: stream)
    let cursor = try bots.cursor(stream, on: server)
    try bots.client.change("member.leave", ["stream": stream])
    let (secret, _) = try author.addPost(list, "not for the bots")
    try author.client.change("post.remove", ["category": list, "id": secret])
    #expect(try server.mode(of: stream, for: bots, cursor).mode == "gone")
    try author.invite(bots, to: stream)

    let (again, mode, reason) = try server.mode(of: stream, for: bots, cursor)
    #expect(mode == "snapshot" && reason == "rejoined")
    try again.client.push("sync.snapshot")
    try again.client.push("sync.live")
    #expect(!"\(again.client.pushes)".contains("not for the bots"))
    // The same by sync.open.
    var asked = cursor
    asked["stream"] = stream
    let opened = try again.client.call("sync.open", ["streams": [asked]])
    let status = (opened["streams"] as? [[String: Any]])?.first
    #expect(status?["reason"] as? String == "rejoined")
  }

  @Test("cursors that cannot be are refused, and of what one may not see are gone")
  func impossible() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (_, stream) = try author.addList()
    let other = try server.join("other")
    let rows: [(cursor: [String: Any], field: String)] = [
      (["epoch": "x.y", "seq": -1, "tx": newID()], "cursors.seq"),
      (["epoch": "x.y", "seq": 1.5, "tx": newID()], "cursors.seq"),
      (["epoch": "x.y", "seq": 3], "cursors.tx"),
      (["epoch": String(repeating: "e", count: 65), "seq": 0], "cursors.epoch"),
      (["seq": 3, "tx": newID()], "cursors.epoch"),
    ]
    for row in rows {
      do {
        _ = try server.again(author, cursors: [stream: row.cursor])
        Issue.record("\(row.cursor) was taken")
      } catch TestFailure.refused(_, let field) {
        #expect(field == row.field)
      }
    }
    let cursor = try author.cursor(stream, on: server)
    let (_, hello) = try server.again(other, cursors: [stream: cursor, "c:" + newID(): cursor])
    let modes = (hello["streams"] as? [[String: Any]] ?? []).map { $0["mode"] as? String ?? "" }
    #expect(modes.sorted() == ["gone", "gone", "snapshot"])
    let head = try server.mode(of: stream, for: author, cursor.merging(["seq": 1 << 52]) { $1 })
    #expect(head.reason == "ahead")
  }

  @Test("a hello takes 1,024 cursors and refuses more", arguments: [1_024, 1_025])
  func many(_ count: Int) throws {
    let server = try TestServer()
    let author = try server.join("author")
    var cursors: [String: Any] = [:]
    for _ in 0..<count { cursors["c:" + newID()] = ["epoch": "x.y", "seq": 7, "tx": newID()] }
    guard count <= 1_024 else {
      #expect(throws: TestFailure.refused(kind: "too_large", field: "cursors")) {
        try server.again(author, cursors: cursors)
      }
      return
    }
    let (_, hello) = try server.again(author, cursors: cursors)
    let modes = (hello["streams"] as? [[String: Any]] ?? []).map { $0["mode"] as? String ?? "" }
    #expect(modes.count { $0 == "gone" } == count)
  }
}
