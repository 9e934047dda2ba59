import Domain
import Sync
import Testing
import Wire

@testable import Store

private let day: Int64 = 24 * 3_600_000

extension LedgerDriver {
  fileprivate var time: Timestamp { Timestamp(milliseconds: now) }

  fileprivate func wait(_ milliseconds: Int64) {
    pass(to: Timestamp(milliseconds: now + milliseconds))
  }

  /// Does what the server does by itself at this moment. Returns how many posts have gone. Without `machine` the wall
  /// clock has never jumped.
  @discardableResult
  fileprivate func empty(
    _ bin: inout Bin, isTrusted: Bool = true, machine: Int64? = nil
  ) throws -> Int {
    var gone = 0
    while true {
      bin.look()
      let works = try bin.works(
        at: time, machine: machine ?? now, isTrusted: isTrusted, in: store)
      guard !works.isEmpty else { return gone }
      for (work, result) in zip(works, try run(works)) {
        guard case .purge(_, let posts) = work, try result.get().changed else { continue }
        gone += posts.count
      }
      try #require(gone < 1_000, "it finds the same again and again")
    }
  }

  fileprivate func remove(_ post: PostID, _ list: CategoryID, by user: UserID) throws {
    try run(.removePost(list, post, ifVersion: nil), by: user)
  }

  /// Returns the posts that the log says have gone.
  fileprivate func purged(_ list: CategoryID) throws -> [PostID] {
    try store.events(in: .category(list), after: 0, through: .max, bytesMax: 1 << 24)
      .flatMap { event in
        try EventCodec.decode(event.body, seq: event.seq).ops.compactMap { op in
          if case .post(.purged(let post, _)) = op { post } else { nil }
        }
      }
  }
}

@Suite("EventStore contract: the bin")
struct BinStoreTests {
  private static let secret = "hunter2 is my \u{201C}Paßwort\u{201D}"

  /// A post in a bin that counts from the beginning.
  private struct Binned {
    let pair: StorePair
    let driver: LedgerDriver
    let author: UserID
    let list: CategoryID
    var bin: Bin
  }

  private func binned() throws -> Binned {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    var bin = newBin()
    try driver.empty(&bin)
    try driver.remove(try driver.post("post", in: list, by: author), list, by: author)
    return Binned(pair: pair, driver: driver, author: author, list: list, bin: bin)
  }

  private func newBin(days: Int? = 30, newest: Timestamp? = nil) -> Bin {
    Bin(BinRules(keepDays: days), newest: newest)
  }

  @Test("Posts in the bin are found by when they came there", arguments: StoreKind.allCases)
  func found(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let lists = try ["one", "two"].map { try driver.category($0, by: author) }
    let posts = try (0..<6).map { index in
      let title = ["post", "\"updatedAt\":1", "{\"removed\":{"][index % 3]
      return try driver.post(title, in: lists[index % 2], by: author)
    }
    let latest = Timestamp(milliseconds: .max)
    #expect(try pair.reader.binnedPosts(through: latest, limit: 9) == [])
    try driver.run(.completePost(lists[0], posts[0], ifVersion: nil), by: author)
    for index in [3, 0, 5, 4] { try driver.remove(posts[index], lists[index % 2], by: author) }
    let all = try pair.reader.binnedPosts(through: latest, limit: 9)
    #expect(all.map(\.post) == [3, 0, 5, 4].map { posts[$0] })
    #expect(all.map(\.category) == [1, 0, 1, 0].map { lists[$0] })
    #expect(all.map(\.since) == all.map(\.since).sorted())
    #expect(try pair.reader.binnedPosts(through: all[1].since, limit: 9) == Array(all[...1]))
    #expect(try pair.reader.binnedPosts(through: latest, limit: 3) == Array(all[..<3]))

    try driver.run(.restorePost(lists[1], posts[3], ifVersion: nil), by: author)
    try driver.run(.movePost(lists[0], posts[2], to: lists[1], ifVersion: nil), by: author)
    #expect(try pair.reader.binnedPosts(through: latest, limit: 9) == Array(all[1...]))
    try driver.remove(posts[3], lists[1], by: author)
    let again = try pair.reader.binnedPosts(through: latest, limit: 9)
    #expect(again.map(\.post) == [0, 5, 4, 3].map { posts[$0] })
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test(
    "it goes when its time has come, once, whoever looks and after whatever downtime",
    arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let posts = try (0..<40).map { try driver.post("post \($0)", in: list, by: author) }
    var bin = newBin()
    #expect(try driver.empty(&bin) == 0)
    for post in posts.dropLast() { try driver.remove(post, list, by: author) }
    let first = try #require(
      try pair.reader.binnedPosts(through: Timestamp(milliseconds: .max), limit: 1).first)
    driver.pass(to: Timestamp(milliseconds: first.since.milliseconds + 30 * day - 1))
    #expect(try driver.empty(&bin) == 0, "a moment before")
    driver.wait(1)
    let works = try bin.works(at: driver.time, machine: .max - 1, isTrusted: true, in: pair.writer)
    #expect(works == [.purge(list, [first])], "that one alone")
    // This server was down, and looks again.
    let other = LedgerDriver(pair.writer, from: 7)
    other.pass(to: Timestamp(milliseconds: driver.now + 60_000))
    var fresh = newBin()
    #expect(try other.empty(&fresh) == 39)
    #expect(try other.empty(&fresh) == 0)
    #expect(try Set(other.purged(list)) == Set(posts.dropLast()))
    #expect(try other.purged(list).count == 39)
    #expect(try fresh.isSettled(at: other.time, in: pair.writer))
    #expect(try pair.reader.posts(in: list, on: .removed, before: nil, limit: 50) == [])
    #expect(try pair.reader.posts(in: list, on: .open, before: nil, limit: 50).count == 1)
    for post in posts.prefix(2) {
      let work = try other.work(.restorePost(list, post, ifVersion: nil), by: author)
      #expect(try other.run([work]) == [.failure(.goneForGood)])
    }
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("for ever is for ever", arguments: StoreKind.allCases)
  func ever(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    try driver.remove(try driver.post("post", in: list, by: author), list, by: author)
    var bin = newBin(days: nil)
    driver.wait(40_000 * day)
    #expect(try driver.empty(&bin) == 0)
    var other = newBin(days: 0)
    #expect(try driver.empty(&other) == 1)
  }

  @Test("a clock that is not trusted takes nothing, and what is there counts anew when it is")
  func clock() throws {
    let it = try binned()
    let (pair, driver) = (it.pair, it.driver)
    var bin = it.bin
    let machine = driver.now
    // The clock is years ahead, and nobody has confirmed it.
    driver.wait(400 * day)
    #expect(try driver.empty(&bin, isTrusted: false, machine: machine) == 0)
    #expect(try pair.reader.binCountsFrom() == Timestamp(milliseconds: .max))
    #expect(try !bin.isSettled(at: driver.time, in: pair.writer))
    // Another start does not believe it either.
    var fresh = newBin(newest: driver.time)
    #expect(try driver.empty(&fresh, isTrusted: false, machine: machine) == 0)
    // The operator says that the clock was wrong before: it is thirty days from now.
    #expect(try driver.empty(&fresh, machine: machine) == 0)
    let from = try #require(try pair.reader.binCountsFrom())
    #expect(from <= driver.time && driver.now - from.milliseconds < 60_000)
    driver.pass(to: Timestamp(milliseconds: from.milliseconds + 30 * day - 1))
    #expect(try driver.empty(&fresh, machine: machine) == 0)
    driver.wait(1)
    #expect(try driver.empty(&fresh, machine: machine) == 1)
  }

  @Test(
    "A doubted clock counts anew when it is trusted again before anybody looks, or the store fails")
  func doubted() throws {
    for (fails, restarts) in [(false, false), (true, false), (false, true)] {
      let it = try binned()
      let (pair, driver) = (it.pair, it.driver)
      var bin = it.bin
      let machine = driver.now
      driver.wait(31 * day)
      if fails {
        let store = FaultyStore(pair.writer, failing: 1, with: .refuses)
        #expect(throws: StoreError.self) { try bin.doubt(in: store) }
      } else {
        try bin.doubt(in: pair.writer)
      }
      _ = try driver.post("of that time", in: it.list, by: it.author)
      if restarts { bin = newBin(newest: driver.time) }
      #expect(try driver.empty(&bin, machine: machine) == 0, "from now, says the operator")
      driver.wait(30 * day)
      #expect(try driver.empty(&bin, machine: machine) == 1)
    }
  }

  @Test("after a start long behind the newest event nothing goes for a day")
  func held() throws {
    let it = try binned()
    let (pair, driver) = (it.pair, it.driver)
    let newest = try #require(try pair.reader.newestEventTime())
    driver.pass(to: Timestamp(milliseconds: newest.milliseconds + 31 * day))
    var late = newBin(newest: newest)
    #expect(try driver.empty(&late, machine: 5) == 0)
    #expect(try driver.empty(&late, machine: 4 + day) == 0)
    #expect(try driver.empty(&late, machine: 5 + day) == 1)
  }

  @Test("Posts that were in the bin before it had times count from the first start with them")
  func upgraded() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    try driver.remove(try driver.post("post", in: list, by: author), list, by: author)
    driver.wait(300 * day)
    _ = try driver.post("newer", in: list, by: author)
    var bin = newBin(newest: driver.time)
    #expect(try driver.empty(&bin) == 0)
    driver.wait(29 * day)
    #expect(try driver.empty(&bin) == 0)
    driver.wait(2 * day)
    #expect(try driver.empty(&bin) == 1)
  }

  @Test("after it no file of the folder has the text, and nobody finds or reads it")
  func nowhere() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post(Self.secret, in: list, by: author)
    let edit = PostEdit(
      title: "t", notes: Self.secret, due: .set(.day(Day(number: 20_000))),
      location: .set(Location(text: Self.secret)))
    try driver.run(.editPost(list, post, edit, ifVersion: nil), by: author, key: "with-the-notes")
    try driver.run(
      .changeStep(list, post, StepID(driver.name()), .add(content: Self.secret)), by: author)
    let copy = PostID(driver.name())
    try driver.run(.post(.add(list, copy, title: "stays", notes: "")), by: author)
    try driver.run(.editPost(list, post, PostEdit(title: Self.secret), ifVersion: nil), by: author)
    let removal = try driver.run(.removePost(list, post, ifVersion: nil), by: author)
    #expect(try filesHolding(Self.secret, in: folder) != [])
    var bin = newBin(days: 0)
    driver.wait(1)
    #expect(try driver.empty(&bin) == 1)
    let query = try #require(SearchQuery("hunter2"))
    for place in [SearchPlace.lists, .bin] {
      #expect(
        try store.found(PostSearch(query.words, in: [list], place, after: nil, limit: 9)) == [])
    }
    let key = KeyAddress(
      stream: .category(list), actor: author, key: try #require(CommandKey("with-the-notes")))
    #expect(try store.key(key)?.hash == [])
    let events = try store.past(in: .category(list), after: 0, through: .max, bytesMax: .max)
    #expect(
      !events.contains { String(decoding: $0.body + $0.was, as: UTF8.self).contains("hunter2") })
    let kinds = try events.map { event in
      try EventCodec.decode(event.body, seq: event.seq).ops.compactMap { OpKind($0)?.rawValue }
    }
    #expect(kinds.suffix(2) == [["post.removed"], ["post.purged"]] && kinds.count == 8)
    while try store.tidy() {}
    #expect(try filesHolding(Self.secret, in: folder) == [])
    #expect(try store.verify().differences == [])
    // An undo does not bring it back either.
    let seq = try #require(removal.events.first?.seq)
    let undo = Command.undo(
      UndoTarget(stream: .category(list), events: [seq], seen: nil))
    _ = try driver.run([try driver.work(undo, by: author)])
    #expect(try store.posts(in: list, on: .open, before: nil, limit: 9).count == 1)
    #expect(try filesHolding(Self.secret, in: folder) == [])
  }

  @Test("a database is checked against its log, and an index that misses a post is no secret")
  func verified() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    try driver.remove(post, list, by: author)
    var bin = newBin(days: 0)
    #expect(try driver.empty(&bin) == 1)
    #expect(try store.verify().differences == [])
    do {
      // The database looks as if the rest were still in the bin.
      let database = try Database(path: folder.data.databasePath, access: .readWrite)
      try database.execute(
        "UPDATE object SET number = 1 WHERE kind = 6 AND in_state = 0 AND number IS NULL")
    }
    #expect(try store.verify().differences.count == 1)
  }

  @Test("since when the bin counts is kept", arguments: StoreKind.allCases)
  func mark(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    #expect(try pair.reader.binCountsFrom() == nil)
    for milliseconds in [Int64.max, 1_700_000_000_000, 0] {
      try pair.writer.countBin(from: Timestamp(milliseconds: milliseconds))
      #expect(try pair.reader.binCountsFrom() == Timestamp(milliseconds: milliseconds))
    }
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().isSound) }
  }

  @Test(
    "a store that fails at any call leaves a post gone once or not",
    arguments: FaultyStore.Fault.allCases, StoreKind.allCases)
  func faults(_ fault: FaultyStore.Fault, _ kind: StoreKind) throws {
    for call in 1..<20 {
      let pair = try StorePair(kind)
      let driver = LedgerDriver(pair.writer)
      let author = try driver.person("author")
      let list = try driver.category("list", by: author)
      let post = try driver.post("post", in: list, by: author)
      try driver.remove(post, list, by: author)
      let store = FaultyStore(pair.writer, failing: call, with: fault)
      let failing = LedgerDriver(store, from: 7)
      failing.pass(to: Timestamp(milliseconds: driver.now + 60_000))
      var bin = newBin(days: 0)
      do { try failing.empty(&bin) } catch { #expect(error is StoreError) }
      var later = newBin(days: 0)
      try failing.empty(&later)
      #expect(try driver.purged(list) == [post], "call \(call)")
      guard store.hasFailed else { return }
    }
    Issue.record("the fault came every time")
  }
}
