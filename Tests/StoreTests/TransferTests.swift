import Domain
import Sync
import Testing
import Wire

@testable import Store

extension [UInt8] {
  fileprivate func has(_ text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}

@Suite("protocol §8 post.move_to: stores") struct TransferTests {
  private static let secret = "hunter2"

  private struct TransferFixture {
    let pair: StorePair
    let driver: LedgerDriver
    let author: UserID
    let lists: [CategoryID]
    let post: PostID

    init(_ kind: StoreKind) throws {
      pair = try StorePair(kind)
      driver = LedgerDriver(pair.writer)
      author = try driver.person("author")
      let (driver, author) = (driver, author)
      lists = try (1...3).map { try driver.category("list \($0)", by: author) }
      post = try driver.post(TransferTests.secret, in: lists[0], by: author)
      try driver.run(
        .changeStep(lists[0], post, StepID(driver.name()), .add(content: TransferTests.secret)),
        by: author)
    }

    func row(_ list: CategoryID) throws -> Post? {
      let key = ObjectKey(kind: .post, id: post.uuid)
      guard let body = try pair.reader.object(key, in: .category(list)),
        case .post(let post) = try ObjectCodec.decode(body)
      else { return nil }
      return post
    }

    func checkSound() throws {
      if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
    }
  }

  @Test("the text is nowhere once it is erased in the last list", arguments: StoreKind.allCases)
  func erased(_ kind: StoreKind) throws {
    let it = try TransferFixture(kind)
    let (first, second, third) = (it.lists[0], it.lists[1], it.lists[2])
    try it.driver.run(.movePost(first, it.post, to: second), by: it.author)
    try it.checkSound()
    #expect(try it.row(first)?.title == "" && it.row(second)?.title == Self.secret)
    // They come one after the other in one transaction, and the store knows nothing of it until it is there.
    let works = try [
      Command.movePost(second, it.post, to: third), .movePost(third, it.post, to: first),
      .movePost(first, it.post, to: third), .erasePost(third, it.post),
    ].enumerated().map { try it.driver.work($1, by: it.author, key: "together-\($0)") }
    for result in try it.driver.run(works) { #expect(try result.get().changed) }
    while try it.pair.writer.tidy() {}
    for list in it.lists {
      let events = try it.pair.reader.past(
        in: .category(list), after: 0, through: .max, bytesMax: .max)
      #expect(!events.contains { $0.body.has(Self.secret) || $0.was.has(Self.secret) })
      #expect(try it.row(list)?.erased != nil)
    }
    try it.checkSound()
  }

  @Test("A removed one that others take back goes from its bin", arguments: StoreKind.allCases)
  func removed(_ kind: StoreKind) throws {
    let it = try TransferFixture(kind)
    let other = try it.driver.person("other")
    try it.driver.bring(other, "other", to: .category(it.lists[0]), by: it.author)
    try it.driver.run(.member(.setRole(.category(it.lists[0]), other, .admin)), by: it.author)
    let move = try it.driver.run(.movePost(it.lists[0], it.post, to: it.lists[1]), by: it.author)
    try it.driver.run(.removePost(it.lists[1], it.post, ifVersion: nil), by: it.author)
    let went = try #require(move.events.first { $0.stream == .category(it.lists[0]) })
    let undo = try #require(try it.driver.undo(went.seq, of: went.stream, by: other))
    #expect(try it.driver.run(undo, by: other).changed)
    #expect(try it.row(it.lists[0])?.title == Self.secret)
    let rest = try #require(try it.row(it.lists[1]))
    #expect(rest.title == "" && rest.moved != nil && rest.removed != nil)
    let bin = try it.pair.reader.posts(in: it.lists[1], on: .removed, before: nil, limit: 10)
    #expect(bin.isEmpty)
    try it.checkSound()
  }

  @Test("The rest of it is in no list and no bin", arguments: StoreKind.allCases)
  func shelves(_ kind: StoreKind) throws {
    let it = try TransferFixture(kind)
    try it.driver.run(.movePost(it.lists[0], it.post, to: it.lists[1]), by: it.author)
    func count(_ shelf: PostShelf, _ list: CategoryID) throws -> Int {
      try it.pair.reader.posts(in: list, on: shelf, before: nil, limit: 10).count
    }
    for shelf in [PostShelf.open, .done, .removed] {
      #expect(try count(shelf, it.lists[0]) == 0)
      #expect(try count(shelf, it.lists[1]) == (shelf == .open ? 1 : 0))
    }
    try it.driver.run(.movePost(it.lists[1], it.post, to: it.lists[0]), by: it.author)
    #expect(try count(.open, it.lists[0]) == 1 && count(.open, it.lists[1]) == 0)
    #expect(try it.row(it.lists[0])?.number == 1)
    try it.checkSound()
  }
}
