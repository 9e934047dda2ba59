import Domain
import Sync
import Testing
import Wire

@testable import Store

@Suite("words of posts are written anew")
struct RewordTests {
  @Test("Posts of an earlier version are found all the time, and by the present words in the end")
  func findsAllTheTime() throws {
    let house = try House()
    #expect(try house.titles("łódź").count == House.posts / 2)
    #expect(try house.titles("lodz") == [], "by the old words alone")
    var steps = 0
    while try house.store.tidy() {
      steps += 1
      #expect(try house.store.verify().differences == [])
      #expect(try house.titles("łódź").count == House.posts / 2)
      #expect(try house.titles("milk 7") == House.found("milk 7"))
      #expect(try house.twins("Łódź e-mail 2") == ["Łódź e-mail 2"])
    }
    #expect(steps > House.posts / 128)
    #expect(try house.titles("lodz").count == House.posts / 2)
    #expect(try house.titles("email").count == House.posts / 2)
    #expect(try house.store.verify().differences == [])
    #expect(try house.place() == nil)
  }

  @Test("A server that is killed in the middle goes on where it was")
  func goesOn() throws {
    let house = try House()
    let places = [try house.place()] + (try stepsWithKills(house))
    #expect(places == places.sorted { ($0 ?? .max) < ($1 ?? .max) })
    #expect(Set(places).count == places.count, "no step is done twice")
    #expect(places.last == .some(nil))
    #expect(try house.titles("lodz").count == House.posts / 2)
  }

  /// Runs the steps. After each one the files are copied as a kill leaves them, and the copy is opened.
  private func stepsWithKills(_ house: House) throws -> [Int64?] {
    var places: [Int64?] = []
    while try house.store.tidy() {
      let killed = try TemporaryFolder()
      try killed.data.prepare()
      for end in ["", "-wal"] {
        try writeFile(
          killed.data.databasePath + end, try readFile(house.folder.data.databasePath + end))
      }
      let store = try writer(killed.data)
      #expect(try store.verify().differences == [])
      let place = try store.statements().placeOfPresentWords()
      places.append(place)
      while try store.tidy() {}
      #expect(try store.verify().differences == [])
      #expect(try store.statements().placeOfPresentWords() == nil)
    }
    return places
  }

  @Test("Posts that people write, remove and erase in the meantime are as they left them")
  func meanwhile() throws {
    let house = try House()
    let driver = LedgerDriver(house.store, from: 9)
    _ = try house.store.tidy()
    let (list, posts) = (house.list, house.ids)
    let last = try #require(posts.last)
    try driver.run(
      .editPost(list, last, PostEdit(title: "Smørrebrød"), ifVersion: nil), by: house.author)
    try driver.run(.removePost(list, posts[posts.count - 4], ifVersion: nil), by: house.author)
    try driver.run(.erasePost(list, posts[posts.count - 6]), by: house.author)
    try driver.run(
      .post(.add(list, PostID(driver.name()), title: "Müller", notes: "")), by: house.author)
    #expect(try house.store.verify().differences == [])
    #expect(try house.titles("smorrebrod") == ["Smørrebrød"])
    #expect(try house.titles("mueller") == ["Müller"])
    #expect(try house.titles("milk").count == House.posts / 2 - 1, "one was edited")
    while try house.store.tidy() { #expect(try house.store.verify().differences == []) }
    #expect(try house.titles("lodz").count == House.posts / 2 - 2)
    #expect(try house.titles("lodz", .bin).count == 1)
    #expect(try house.titles("smoerrebroed") == ["Smørrebrød"])
    #expect(try house.store.verify().differences == [])
  }

  @Test("A new database has nothing to write anew, and verify takes no old words there")
  func newDatabase() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    _ = try driver.post("e-mail", in: list, by: author)
    #expect(try store.statements().placeOfPresentWords() == nil)
    #expect(try !store.tidy())
    try store.write { (database) throws(DatabaseError) in
      try database.execute("UPDATE post_words SET words = x'0065006d61696c'")
    }
    #expect(try store.verify().differences.count == 1)
  }
}

/// A database of the version before, with one person and one list, opened by this one.
private struct House {
  static let posts = 400

  let folder: TemporaryFolder
  let store: SQLiteStore
  let author: UserID
  let list: CategoryID
  let ids: [PostID]

  init() throws {
    folder = try TemporaryFolder()
    (author, list, ids) = try House.fill(folder)
    try House.makeOld(folder)
    store = try writer(folder.data)
  }

  private static func fill(
    _ folder: TemporaryFolder
  ) throws -> (UserID, CategoryID, [PostID]) {
    let driver = LedgerDriver(try writer(folder.data))
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let ids = (0..<posts).map { _ in PostID(driver.name()) }
    for start in stride(from: 0, to: posts, by: 100) {
      try driver.run(
        try (start..<start + 100).map { index in
          try driver.work(
            .post(.add(list, ids[index], title: title(index), notes: "")), by: author,
            key: "p\(index)"
          )
        })
    }
    return (author, list, ids)
  }

  private static func title(_ index: Int) -> String {
    index % 2 == 0 ? "Łódź e-mail \(index)" : "milk \(index)"
  }

  /// Returns the titles that are found of those that begin so, the newest first.
  static func found(_ beginning: String) -> [String] {
    (0..<posts).reversed().map(title).filter { $0.hasPrefix(beginning) }
  }

  /// Changes the database into one as the version before has left it.
  private static func makeOld(_ folder: TemporaryFolder) throws {
    let database = try Database(path: folder.data.databasePath, access: .readWrite)
    let posts = try database.prepare("SELECT stream, body FROM object WHERE kind = 6").rows {
      (row) throws(DatabaseError) in (stream: row.int64(0), body: row.bytes(1))
    }
    let write = try database.prepare("UPDATE post_words SET words = ?2 WHERE place = ?1")
    try database.execute("BEGIN")
    for row in posts {
      guard case .post(let post) = try ObjectCodec.decode(row.body) else { continue }
      try write.bind(1, row.stream << 32 + Int64(post.number))
      try write.bind(2, copying: post.foldedWordsOfFirstForm)
      try write.run()
    }
    // This is the step of the present words; later steps stay as they are.
    try database.execute("DROP TABLE words_check; \(Schema.wordsOfPresentForm) COMMIT")
  }

  func titles(_ text: String, _ place: SearchPlace = .lists) throws -> [String] {
    let query = try #require(SearchQuery(text))
    let reader = try SQLiteStore(reading: folder.data)
    return try reader.found(
      PostSearch(query.words, in: [list], place, after: nil, limit: 1_000)
    ).map(\.post.title)
  }

  func twins(_ title: String) throws -> [String] {
    let wanted = try #require(TwinTitle(title))
    let found = try store.posts(beginning: wanted, in: list)
    return wanted.twins(among: found, besides: nil).map(\.title)
  }

  func place() throws -> Int64? { try store.statements().placeOfPresentWords() }
}
