import Domain
import Sync
import Testing
import Wire

@testable import Store

private let secret = "hunter2 of long ago"

@Suite("protocol §5.7 horizon: a text stays beyond it only in a list that has the post")
struct TrimLeftTests {
  /// A post that was moved to another list, by the newest event of the first.
  private struct TrimFixture {
    let folder = try? TemporaryFolder()
    let store: any EventStore
    let driver: LedgerDriver
    let author: UserID
    let quiet: CategoryID
    let other: CategoryID
    let post: PostID

    init(_ kind: StoreKind) throws {
      store =
        switch kind {
        case .memory: MemoryStore(MemoryDatabase(identity: testIdentity))
        case .sqlite: try writer(#require(folder).data)
        }
      driver = LedgerDriver(store)
      author = try driver.person("author")
      quiet = try driver.category("quiet", by: author)
      other = try driver.category("other", by: author)
      post = try driver.post(secret, in: quiet, by: author)
    }

    func holds(_ list: CategoryID) throws -> Bool {
      let events = try store.past(in: .category(list), after: 0, through: .max, bytesMax: .max)
      return events.contains { $0.body.tells(secret) || $0.was.tells(secret) }
    }

    func checkSound() throws {
      guard let store = store as? SQLiteStore else { return }
      #expect(try store.verify().differences == [])
    }
  }

  @Test(
    "No text stays of posts that left a list by its newest event",
    arguments: StoreKind.allCases)
  func left(_ kind: StoreKind) throws {
    let it = try TrimFixture(kind)
    let edit = Command.editPost(it.quiet, it.post, PostEdit(notes: secret), ifVersion: nil)
    let key = "edit-and-move"
    try it.driver.run(
      .batch([edit, .movePost(it.quiet, it.post, to: it.other)]), by: it.author, key: key)
    let moved = it.driver.now
    for _ in 0..<3 { _ = try it.driver.post("later", in: it.other, by: it.author) }
    let address = KeyAddress(
      stream: .category(it.quiet), actor: it.author, key: try #require(CommandKey(key)))
    // Not before that event is itself as old as what is forgotten.
    try it.store.trimAll(before: moved)
    #expect(try it.holds(it.quiet))
    #expect(try it.store.key(address)?.hash != [])
    try it.checkSound()
    try it.store.trimAll(before: moved + 1)
    #expect(try !it.holds(it.quiet))
    #expect(try it.store.key(address)?.hash == [])
    try it.checkSound()
    try it.store.trimAll(before: it.driver.now)
    #expect(try it.store.head(of: .category(it.other))?.horizon ?? 0 > 2)
    // The other list does not know any more where it was.
    try it.driver.run(.erasePost(it.other, it.post), by: it.author)
    while try it.store.tidy() {}
    #expect(try !it.holds(it.quiet) && !it.holds(it.other))
    try it.checkSound()
    guard let folder = it.folder else { return }
    for name in names(in: folder.path) {
      #expect(try !readFile(folder.path + "/" + name).tells(secret), "\(name)")
    }
  }

  @Test("one that came back in the same event keeps its text", arguments: StoreKind.allCases)
  func cameBack(_ kind: StoreKind) throws {
    let it = try TrimFixture(kind)
    try it.driver.run(
      .batch([
        .movePost(it.quiet, it.post, to: it.other), .movePost(it.other, it.post, to: it.quiet),
      ]), by: it.author)
    try it.store.trimAll(before: it.driver.now + 1)
    #expect(try it.holds(it.quiet))
    #expect(try !it.holds(it.other))
    try it.checkSound()
  }

  @Test("the way back of a post needs no text", arguments: StoreKind.allCases)
  func undone(_ kind: StoreKind) throws {
    let it = try TrimFixture(kind)
    let moved = try it.driver.run(.movePost(it.quiet, it.post, to: it.other), by: it.author)
    let seq = try #require(moved.events.first { $0.stream == .category(it.quiet) }?.seq)
    try it.store.trimAll(before: it.driver.now + 1)
    #expect(try !it.holds(it.quiet))
    let undo = UndoTarget(stream: .category(it.quiet), events: [seq], seen: nil)
    #expect(try it.driver.run(.undo(undo), by: it.author).changed)
    let key = ObjectKey(kind: .post, id: it.post.uuid)
    #expect(try it.store.object(key, in: .category(it.quiet))?.tells(secret) == true)
    try it.checkSound()
  }
}

@Suite("protocol §5.6 erasing: keys of commands that changed nothing")
struct EraseKeyTests {
  @Test("nothing tells what was said in vain", arguments: StoreKind.allCases)
  func inVain(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let other = try driver.post("other", in: list, by: author)
    let post = try driver.post("PIN 4711", in: list, by: author)
    // These are more than one look has room for.
    for round in 0..<3 {
      try driver.run(
        try (0..<200).map { index in
          try driver.work(
            .editPost(list, other, PostEdit(title: "other"), ifVersion: nil), by: author,
            key: "f-\(round)-\(index)")
        })
    }
    let same = Command.editPost(list, post, PostEdit(title: "PIN 4711"), ifVersion: nil)
    let twice = Command.batch([
      .editPost(list, other, PostEdit(title: "changed"), ifVersion: nil), same,
    ])
    for (key, command) in [("again", same), ("batch", twice)] {
      try driver.run(command, by: author, key: key)
    }
    func hash(_ key: String) throws -> [UInt8]? {
      let key = try #require(CommandKey(key))
      let address = KeyAddress(stream: .category(list), actor: author, key: key)
      return try pair.writer.key(address)?.hash
    }
    #expect(try hash("again")?.count == 32 && hash("batch")?.count == 32)
    try driver.run(.erasePost(list, post), by: author)
    while try pair.writer.tidy() {}
    #expect(try hash("again") == [] && hash("batch") == [])
    // The hash for another post is known as before.
    #expect(try hash("f-0-0")?.count == 32 && hash("f-2-199")?.count == 32)
    let another = Command.editPost(list, post, PostEdit(title: "PIN 4712"), ifVersion: nil)
    #expect(try !driver.run(another, by: author, key: "again").changed)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }
}

extension [UInt8] {
  fileprivate func tells(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
