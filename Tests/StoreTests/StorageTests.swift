import Domain
import Sync
import Testing

@testable import Store

@Suite("EventStore contract: stored bytes")
struct StorageContractTests {
  @Test("both stores count the same for every stream")
  func alike() throws {
    var counts: [[StreamID: StoredBytes]] = []
    for kind in StoreKind.allCases {
      let pair = try StorePair(kind)
      let world = try busyWorld(LedgerDriver(pair.writer))
      while try pair.writer.tidy() {}
      var found: [StreamID: StoredBytes] = [:]
      for stream in world.streams { found[stream] = try pair.reader.storage(of: stream) }
      #expect(found.count == world.streams.count)
      #expect(found.values.allSatisfy { $0.total > $0.state && $0.state > 0 })
      counts.append(found)
    }
    for (stream, stored) in counts[0] { #expect(counts[1][stream] == stored, "\(stream)") }
  }

  @Test(
    "a list is on its owner's account, and a group's list on the group's",
    arguments: StoreKind.allCases)
  func payers(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let own = try pair.reader.storage(of: .user(author))
    let list = try driver.category("list", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
    let before = try #require(try pair.reader.storage(of: .category(list)))
    #expect(before.payer == .user(author))
    #expect(before.total > own?.total ?? 0)
    let notes = String(repeating: "n", count: 5_000)
    try driver.run(.post(.add(list, PostID(driver.name()), title: "x", notes: notes)), by: editor)
    let after = try #require(try pair.reader.storage(of: .user(author)))
    #expect(after.payer == .user(author))
    #expect(after.total >= before.total + 10_000)
    let others = try #require(try pair.reader.storage(of: .user(editor)))
    #expect(others.total < 10_000)

    let group = try driver.group("family", by: author)
    let shared = try driver.category("shared", by: author, in: group)
    let place = try #require(try pair.reader.storage(of: .category(shared)))
    #expect(place.payer == .group(group))
    #expect(place.total == (try pair.reader.storage(of: .group(group)))?.total)
    #expect(try pair.reader.storage(of: .category(CategoryID(driver.name()))) == nil)
  }

  @Test(
    "Erased, forgotten and removed texts come off", arguments: StoreKind.allCases)
  func comesOff(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let stream = StreamID.category(list)
    let notes = String(repeating: "n", count: 5_000)
    var posts: [PostID] = []
    for _ in 0..<4 {
      posts.append(PostID(driver.name()))
      try driver.run(
        .post(.add(list, posts[posts.count - 1], title: "x", notes: notes)), by: author)
    }
    let full = try #require(try pair.reader.storage(of: stream))
    try driver.run(.removePost(list, posts[0], ifVersion: nil), by: author)
    let removed = try #require(try pair.reader.storage(of: stream))
    #expect(removed.state < full.state - 5_000)
    #expect(removed.total > full.total)
    try driver.run(.erasePost(list, posts[1]), by: author)
    while try pair.writer.tidy() {}
    let erased = try #require(try pair.reader.storage(of: stream))
    #expect(erased.total < removed.total - 9_000)
    try pair.writer.trimAll(before: driver.now + 1)
    let trimmed = try #require(try pair.reader.storage(of: stream))
    #expect(trimmed.total < erased.total - 15_000)
    #expect(trimmed.state == erased.state)
    if let store = pair.reader as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test(
    "a number that is counted wrong is found",
    arguments: [
      "UPDATE stream SET stored_bytes = stored_bytes + 1 WHERE number = 2",
      "UPDATE stream SET state_bytes = state_bytes + 1 WHERE number = 2",
    ])
  func counters(_ damage: String) throws {
    let folder = try TemporaryFolder()
    do { _ = try busyWorld(LedgerDriver(try writer(folder.data))) }
    let database = try Database(path: folder.data.databasePath, access: .readWrite)
    try database.execute(damage)
    #expect(try SQLiteStore(reading: folder.data).verify().differenceCount == 1)
  }
}
