import Domain
import Sync
import Testing
import Wire

@testable import Store

@Suite("EventStore contract: posts that say the same")
struct TwinTests {
  @Test("the same words in the same order, however they are written", arguments: StoreKind.allCases)
  func words(_ kind: StoreKind) throws {
    let it = try House(kind)
    try it.add(
      [
        "Oat milk", "oat MILK!", "oat milk and bread", "milk, oat", "Été", "牛奶", "!!!", "oat",
        "Oat-milks",
      ])
    try it.add(["Plain milk"], notes: "oat milk")
    try it.add(["Oat milk"], notes: "two litres")
    let rows: [(String, [String])] = [
      ("oat milk", ["Oat milk", "oat MILK!", "Oat milk"]),
      ("OAT – milk.", ["Oat milk", "oat MILK!", "Oat milk"]),
      ("ete", ["Été"]), ("牛奶", ["牛奶"]), ("牛", []), ("oat", ["oat"]), ("bread", []), ("plain", []),
    ]
    for (title, expected) in rows { #expect(try it.twins(title) == expected, "\(title)") }
    // A title without a word has no twin, not even itself.
    #expect(TwinTitle("!!!") == nil)
    #expect(TwinTitle("") == nil)
  }

  @Test(
    "Twins are found of a post as it is now: renamed, done, removed, erased",
    arguments: StoreKind.allCases)
  func changes(_ kind: StoreKind) throws {
    let it = try House(kind)
    let post = try it.add(["milk"])[0]
    #expect(try it.twins("milk") == ["milk"])
    #expect(try it.twins("milk", besides: post) == [])
    try it.run(.completePost(it.list, post, ifVersion: nil))
    #expect(try it.twins("milk") == ["milk"])
    try it.run(.removePost(it.list, post, ifVersion: nil))
    #expect(try it.twins("milk") == [])
    try it.run(.restorePost(it.list, post, ifVersion: nil))
    try it.run(.editPost(it.list, post, PostEdit(title: "bread"), ifVersion: nil))
    #expect(try it.twins("milk") == [])
    #expect(try it.twins("bread") == ["bread"])
    try it.run(.erasePost(it.list, post))
    #expect(try it.twins("bread") == [])
  }

  @Test("open ones first, the newest, and not too many", arguments: StoreKind.allCases)
  func order(_ kind: StoreKind) throws {
    let it = try House(kind)
    let posts = try it.add(Array(repeating: "milk", count: 25))
    for post in posts.suffix(12) { try it.run(.completePost(it.list, post, ifVersion: nil)) }
    let title = try #require(TwinTitle("Milk"))
    let found = try it.pair.reader.posts(beginning: title, in: it.list)
    #expect(found.map(\.number) == (1...25).reversed())
    let twins = title.twins(among: found, besides: posts[12])
    #expect(twins.map(\.number) == (3...12).reversed() + (16...25).reversed())
  }

  @Test("The newest of very many that begin alike are looked at", arguments: StoreKind.allCases)
  func many(_ kind: StoreKind) throws {
    let it = try House(kind)
    try it.add(["milk"])
    try it.add((1..<TwinTitle.lookedAtMax).map { "milk \($0)" })
    #expect(try it.twins("milk") == ["milk"])
    try it.add(["milk and bread"])
    #expect(try it.twins("milk") == [])
    try it.add(["milk"])
    #expect(try it.twins("milk") == ["milk"])
  }

  @Test("Twins are looked for in this list and no other", arguments: StoreKind.allCases)
  func lists(_ kind: StoreKind) throws {
    let it = try House(kind)
    try it.add(["milk"])
    let other = try it.driver.category("other", by: it.author)
    let title = try #require(TwinTitle("milk"))
    #expect(try it.pair.reader.posts(beginning: title, in: other) == [])
    #expect(
      try it.pair.reader.posts(beginning: title, in: CategoryID(it.driver.name())) == [])
  }
}

/// A list with one person.
private struct House {
  let pair: StorePair
  let driver: LedgerDriver
  let author: UserID
  let list: CategoryID

  init(_ kind: StoreKind) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    list = try driver.category("list", by: author)
  }

  @discardableResult
  func add(_ titles: [String], notes: String = "") throws -> [PostID] {
    try titles.map { title in
      let post = PostID(driver.name())
      try run(.post(.add(list, post, title: title, notes: notes)))
      return post
    }
  }

  func run(_ command: Command) throws { try driver.run(command, by: author) }

  func twins(_ title: String, besides post: PostID? = nil) throws -> [String] {
    let wanted = try #require(TwinTitle(title))
    let found = try pair.reader.posts(beginning: wanted, in: list)
    return wanted.twins(among: found, besides: post).map(\.title)
  }
}
