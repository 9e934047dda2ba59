import Foundation
import Testing

@testable import Server
@testable import Store

@Suite("DESIGN §5: a disk that fills up")
struct DiskTests {
  @Test(
    "Shares count only while there is not plenty in bytes",
    arguments: [
      (UInt64(100), UInt64(1_000), DiskSpace.plenty), (99, 1_000, .low), (50, 1_000, .low),
      (49, 1_000, .critical), (0, 1_000, .critical), (0, 0, .plenty),
      (2 << 30, 1 << 50, .critical), (2 << 30 + 1, 1 << 50, .plenty),
    ])
  func levels(_ free: UInt64, _ total: UInt64, _ expected: DiskSpace) {
    #expect(DiskSpace(freeBytes: free, totalBytes: total, DiskRules()) == expected)
  }

  @Test("A reserve that is given up makes any room critical; the room that it takes is not free")
  func reserve() throws {
    let path = NSTemporaryDirectory() + "whattodo-server-tests-" + newID()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let rules = DiskRules()
    let reserve = DiskReserve(in: DataFolder(path: path))
    let (bytes, large) = (UInt64(reserve.bytes), UInt64(reserve.bytes) * 31)
    func settle(_ free: UInt64) -> DiskSpace {
      DiskSpace.settle(reserve, DiskRoom(freeBytes: free, totalBytes: large), rules)
    }
    #expect(DiskSpace.settle(nil, nil, rules) == .plenty)
    #expect(settle(bytes * 4) == .plenty && !reserve.isMissed)
    #expect(settle(bytes / 4 - 1) == .critical && reserve.isMissed)
    #expect(settle(bytes * 3 - 1) == .critical, "as long as it is not there again")
    #expect(DiskSpace.settle(reserve, nil, rules) == .critical)
    #expect(settle(bytes * 3) == .low && !reserve.isMissed, "a third of this is taken again")
    #expect(settle(bytes * 4) == .plenty)
  }

  @Test("Low: no new accounts and no long notes; everything else is taken")
  func low() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let key = newID()
    let done: [String: Any] = [
      "category": list, "id": newID(), "title": "a", "key": key,
      "notes": String(repeating: "n", count: 2_000),
    ]
    let first = try author.client.call("post.add", done)
    try server.restart { $0.disk = DiskRules(everythingIs: .low) }
    let again = try server.again(author, streams: "none").0
    #expect(isSame(first, try again.client.call("post.add", done)))
    #expect(throws: TestFailure.refused(kind: "unavailable", field: nil)) {
      try again.client.change("post.add", done.merging(["id": newID(), "key": newID()]) { $1 })
    }
    try again.addPost(list)
    #expect(throws: TestFailure.refused(kind: "unavailable", field: nil)) {
      try server.join("bots")
    }
  }

  @Test("Critical: only what finishes or removes something")
  func critical() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let post = try author.addPost(list).id
    try server.restart { $0.disk = DiskRules(everythingIs: .critical) }
    let again = try server.again(author, streams: "none").0
    #expect(throws: TestFailure.refused(kind: "unavailable", field: nil)) {
      try again.addPost(list)
    }
    try again.client.change("post.complete", ["category": list, "id": post])
    try again.client.change("post.reopen", ["category": list, "id": post])
    try again.client.change("post.remove", ["category": list, "id": post])
    let posts = try again.client.call("post.list", ["category": list, "show": "removed"])
    #expect((posts["posts"] as? [Any])?.count == 1)
  }
}

extension DiskRules {
  /// Makes rules by which any disk counts as having this space.
  fileprivate init(everythingIs space: DiskSpace) {
    self.init()
    plentyBytes = .max
    lowPercent = 101
    criticalPercent = space == .critical ? 101 : 0
  }
}
