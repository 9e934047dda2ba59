import Domain
import Sync
import Testing
import Wire

@testable import Store

@Suite("EventStore contract: where posts come from")
struct ImportStoreTests {
  @Test("a post is found by the name and the id of its source", arguments: StoreKind.allCases)
  func found(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let lists = try ["one", "two"].map { try driver.category($0, by: author) }
    let ids = ["1", "12", "\"12\"", "é\\", "\",\"id\":\"1", String(repeating: "\"", count: 200)]
    var posts: [String: PostID] = [:]
    for id in ids {
      let post = PostID(driver.name())
      posts[id] = post
      let item = ImportedPost(
        source: SourceKey(name: "forge", id: id), url: "https://f/1",
        fields: PostEdit(title: "\"source\":{\"name\":\"forge\",\"id\":\"2\""))
      let command = Command.post(.importUpsert(PostAddress(category: lists[0], post: post), item))
      #expect(try driver.run(command, by: author).imported == ImportOutcome(.added))
      // The answer of a repeat comes out of the store.
      let again = try driver.run(command, by: author)
      #expect(again.imported == ImportOutcome(.unchanged))
    }
    func find(_ id: String, _ name: String = "forge", in list: CategoryID) throws -> PostID? {
      let need = LedgerNeed.domain(.imported(list, SourceKey(name: name, id: id)))
      guard case .domain(.post(let post))? = try pair.writer.load([need]).first else { return nil }
      return post
    }
    for id in ids {
      #expect(try find(id, in: lists[0]) == posts[id], "\(id)")
      #expect(try find(id, in: lists[1]) == nil)
      #expect(try find(id, "Forge", in: lists[0]) == nil)
    }
    #expect(try find("2", in: lists[0]) == nil)
    let first = try #require(posts["1"])
    try driver.run(.removePost(lists[0], first, ifVersion: nil), by: author)
    #expect(try find("1", in: lists[0]) == first, "removed, and known")
    let second = try #require(posts["12"])
    try driver.run(.movePost(lists[0], second, to: lists[1]), by: author)
    #expect(try find("12", in: lists[0]) == second && find("12", in: lists[1]) == second)
    try driver.run(.erasePost(lists[0], first), by: author)
    #expect(try find("1", in: lists[0]) == nil)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("The outcome of an import is kept with its key", arguments: StoreKind.allCases)
  func answers(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = PostID(driver.name())
    func imports(_ title: String, _ notes: String) -> Command {
      .post(
        .importUpsert(
          PostAddress(category: list, post: post),
          ImportedPost(
            source: SourceKey(name: "forge", id: "1"), url: nil,
            fields: PostEdit(title: title, notes: notes))))
    }
    try driver.run(imports("one", "n"), by: author, key: "first")
    let edit = PostEdit(title: "mine", notes: "mine")
    try driver.run(.editPost(list, post, edit, ifVersion: nil), by: author)
    let alone = try driver.run(imports("two", "m"), by: author, key: "second")
    #expect(alone.imported == ImportOutcome(.unchanged, left: [.title, .notes]))
    let both = Command.batch([imports("mine", "m"), imports("two", "m")])
    let batch = try driver.run(both, by: author, key: "third")
    #expect(
      batch.parts.map(\.imported) == [
        ImportOutcome(.edited, left: [.notes]), ImportOutcome(.edited, left: [.notes]),
      ])
    // This is a server that has just started.
    let later = LedgerDriver(pair.writer, from: 5)
    #expect(try later.run(imports("two", "m"), by: author, key: "second") == alone)
    #expect(try later.run(both, by: author, key: "third") == batch)
    try later.run(.removePost(list, post, ifVersion: nil), by: author)
    let gone = try later.run(imports("three", "m"), by: author, key: "fourth")
    #expect(gone.imported == ImportOutcome(.removed) && !gone.changed && gone.number == 1)
  }

  @Test("erasing takes the source out of everything", arguments: StoreKind.allCases)
  func erased(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = PostID(driver.name())
    for title in ["one", "two"] {
      let item = ImportedPost(
        source: SourceKey(name: "needle-name", id: "needle-id"), url: "https://needle-url",
        fields: PostEdit(title: title))
      try driver.run(
        .post(.importUpsert(PostAddress(category: list, post: post), item)), by: author, key: title)
    }
    try driver.run(.erasePost(list, post), by: author)
    while try pair.writer.tidy() {}
    let past = try pair.reader.past(
      in: .category(list), after: 0, through: .max, bytesMax: 1 << 24)
    for event in past {
      for bytes in [event.body, event.was] {
        #expect(!String(decoding: bytes, as: UTF8.self).contains("needle"), "\(event.seq)")
      }
    }
    #expect(past.count == 4)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test(
    "when it is forgotten that a post went away, so is where it came from",
    arguments: StoreKind.allCases)
  func forgotten(_ kind: StoreKind) throws {
    for isQuiet in [true, false] {
      let pair = try StorePair(kind)
      let driver = LedgerDriver(pair.writer)
      let author = try driver.person("author")
      let (list, other) = (
        try driver.category("list", by: author), try driver.category("other", by: author)
      )
      func imports(_ id: String) throws -> PostID {
        let post = PostID(driver.name())
        let item = ImportedPost(
          source: SourceKey(name: "needle", id: id), url: "https://needle",
          fields: PostEdit(title: "from elsewhere"))
        try driver.run(
          .post(.importUpsert(PostAddress(category: list, post: post), item)), by: author)
        return post
      }
      let (back, gone) = (try imports("back"), try imports("gone"))
      try driver.run(.movePost(list, back, to: other), by: author)
      try driver.run(.movePost(other, back, to: list), by: author)
      try driver.run(.movePost(list, gone, to: other), by: author)
      func left() throws -> Post? {
        let key = ObjectKey(kind: .post, id: gone.uuid)
        let body = try #require(try pair.writer.object(key, in: .category(list)))
        guard case .post(let post) = try ObjectCodec.decode(body) else { return nil }
        return post
      }
      #expect(try left()?.source == Source(name: "needle", id: "gone"), "found, and no address")
      if !isQuiet { _ = try driver.post("later", in: list, by: author) }
      try pair.writer.trimAll(before: driver.now + 1)
      #expect(try left()?.source == nil && left()?.moved != nil)
      for (id, post, list) in [("gone", gone, other), ("back", back, list)] {
        let need = LedgerNeed.domain(.imported(list, SourceKey(name: "needle", id: id)))
        #expect(try pair.writer.load([need]) == [.domain(.post(post))])
      }
      if let store = pair.writer as? SQLiteStore {
        #expect(try store.verify().differences == [])
      }
    }
  }
}
