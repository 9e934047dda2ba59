import Calendar
import Domain
import Simulation
import Sync
import Testing

@testable import Store

private let day = Day(number: 20_781)
private let over = Timestamp(milliseconds: Int64(day.number + 1) * 86_400_000)

/// A store in which one post cannot be read.
private final class HoleyStore: StoreLayer {
  let inner: any EventStore
  var hole: PostID?

  init(_ inner: any EventStore) { self.inner = inner }

  func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    for case .domain(.object(_, let key)) in needs where key.id == hole?.uuid {
      throw .unreadable(StoreFault(.damaged, "as the test wants it"))
    }
    return try inner.load(needs)
  }
}

/// Tells deadlines as the ledger's thread does, three at a time.
private struct Teller {
  let store: any EventStore
  let driver: LedgerDriver
  var ledger: Ledger
  var quarantine = DeadlineQuarantine()
  /// The posts that were said to be left out.
  var leftOut: [PostID] = []

  init(_ store: any EventStore, _ driver: LedgerDriver) {
    self.store = store
    self.driver = driver
    ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
  }

  /// Tells, and returns whether there was something to tell.
  mutating func tell(machine: Int64, failing: Bool = false) throws -> Bool {
    _ = quarantine.look(machine: machine)
    let quarantine = quarantine
    let posts = try store.untoldDues(through: over, limit: 3 + quarantine.count)
      .filter { !quarantine.leavesOut($0) }
    let works = quarantine.works(for: posts)
    let driver = driver
    let store = store
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(driver.name()) }, isZone: { _ in true },
      hasRoom: { _ in true })
    let turn = ledger.turn(works, at: over, in: store, tools) { transaction throws(StoreError) in
      if failing { throw .notCommitted(StoreFault(.disk, "as the test wants it")) }
      try store.commit(transaction)
    }
    leftOut += self.quarantine.note(works, turn, machine: machine).map(\.post)
    return !posts.isEmpty
  }
}

/// Posts of one list, each changed by the same command. The second one cannot be read.
private struct PostsWithHole {
  let pair: StorePair
  let driver: LedgerDriver
  let author: UserID
  let list: CategoryID
  let posts: [PostID]
  let store: HoleyStore

  init(
    _ kind: StoreKind, _ count: Int, _ command: (CategoryID, PostID) -> Command
  ) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    list = try driver.category("list", by: author)
    var posts: [PostID] = []
    for index in 0..<count {
      let post = try driver.post("post \(index)", in: list, by: author)
      try driver.run(command(list, post), by: author)
      posts.append(post)
    }
    self.posts = posts
    store = HoleyStore(pair.writer)
    store.hole = posts[1]
  }
}

@Suite("protocol §5.8: deadlines that cannot be told")
struct QuarantineTests {
  @Test("keep no other from being told, and are tried again", arguments: StoreKind.allCases)
  func aside(_ kind: StoreKind) throws {
    let made = try PostsWithHole(kind, 7) { list, post in
      .editPost(list, post, PostEdit(due: .set(.day(day))), ifVersion: nil)
    }
    let (pair, driver, posts, store) = (made.pair, made.driver, made.posts, made.store)
    var it = Teller(store, driver)
    for _ in 0..<3 {
      #expect(try it.tell(machine: 0, failing: true))
      #expect(it.quarantine.count == 0, "a commit that failed says nothing of a post")
    }
    var turns = 0
    while try it.tell(machine: 0) {
      turns += 1
      try #require(turns < 9, "it finds the same again and again")
    }
    #expect(it.leftOut == [posts[1]])
    let untold = try pair.reader.untoldDues(through: over, limit: 9)
    #expect(untold.map(\.post) == [posts[1]])
    #expect(try !it.tell(machine: 29_999), "not yet")
    #expect(try it.tell(machine: 30_000))
    #expect(try !it.tell(machine: 30_001))
    #expect(it.leftOut == [posts[1]], "the operator is told once")
    store.hole = nil
    #expect(try it.tell(machine: 60_000))
    #expect(try pair.reader.untoldDues(through: over, limit: 9) == [])
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("A refused reminder keeps no others", arguments: StoreKind.allCases)
  func reminders(_ kind: StoreKind) throws {
    let made = try PostsWithHole(kind, 5) { .changePersonal($0, $1, .remind(.at(over))) }
    let (driver, posts, store) = (made.driver, made.posts, made.store)
    let parts = try driver.store.reminderChecks(limit: 9, butAbout: [])
    for result in try driver.run([.checkReminders(parts)]) { _ = try result.get() }
    var ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
    var quarantine = ReminderQuarantine()
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(driver.name()) }, isZone: { _ in true },
      hasRoom: { _ in true })
    for _ in 0..<9 {
      let rows = try store.dueReminders(through: over, limit: 3 + quarantine.count)
        .filter { !quarantine.leavesOut($0) }
      let works = quarantine.works(for: rows)
      let turn = ledger.turn(works, at: over, in: store, tools) { transaction throws(StoreError) in
        try store.commit(transaction)
      }
      _ = quarantine.note(works, turn, machine: 0)
    }
    #expect(quarantine.count == 1)
    let left = try store.dueReminders(through: over, limit: 9)
    #expect(left.compactMap(\.key.post?.post.post) == [posts[1]])
  }

  @Test("A single refused deadline is not asked for again and again", arguments: StoreKind.allCases)
  func single(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    try driver.run(
      .editPost(list, post, PostEdit(due: .set(.day(day))), ifVersion: nil), by: author)
    let store = HoleyStore(pair.writer)
    store.hole = post
    var it = Teller(store, driver)
    var looks = 0
    while try it.tell(machine: 0) {
      looks += 1
      try #require(looks < 9, "it finds the same again and again")
    }
    #expect(looks == 3 && it.leftOut == [post])
    #expect(try !it.tell(machine: 29_999), "not yet")
    #expect(try it.tell(machine: 30_000))
    #expect(try !it.tell(machine: 30_001), "it is known")
    store.hole = nil
    #expect(try it.tell(machine: 60_001))
    #expect(try pair.reader.untoldDues(through: over, limit: 9) == [])
  }

  @Test("A note of what is to be looked at keeps no others", arguments: StoreKind.allCases)
  func checks(_ kind: StoreKind) throws {
    let made = try PostsWithHole(kind, 5) { list, post in
      .editPost(list, post, PostEdit(due: .set(.day(day))), ifVersion: nil)
    }
    let (driver, posts, store) = (made.driver, made.posts, made.store)
    var settler = Settler(store, driver)
    var quarantine = CheckQuarantine()
    var looks = 0
    while true {
      let parts = try store.reminderChecks(limit: 9, butAbout: quarantine.aside)
      guard !parts.isEmpty else { break }
      let works = Array(quarantine.works(for: parts).prefix(1))
      _ = quarantine.note(works, settler.settle(works), machine: 0)
      looks += 1
      try #require(looks < 20, "it finds the same again and again")
    }
    #expect(quarantine.aside == [.post(PostAddress(category: made.list, post: posts[1]))])
    let rows = try store.dueReminders(through: over, limit: 9)
    #expect(Set(rows.compactMap(\.key.post?.post.post)) == Set(posts).subtracting([posts[1]]))
    store.hole = nil
    #expect(quarantine.look(machine: 30_000) && quarantine.aside.isEmpty)
  }

  @Test("A refused claim keeps no others", arguments: StoreKind.allCases)
  func claims(_ kind: StoreKind) throws {
    let made = try PostsWithHole(kind, 5) {
      .post(.change($0, $1, .claim(milliseconds: 600_000)))
    }
    let (driver, posts, store) = (made.driver, made.posts, made.store)
    var settler = Settler(store, driver)
    var claimEnds = ClaimEnds()
    var turns = 0
    while true {
      let works = try claimEnds.works(at: over, in: store, limit: 9)
      guard !works.isEmpty else { break }
      _ = claimEnds.note(works, settler.settle(works), machine: 0)
      turns += 1
      try #require(turns < 20, "it finds the same again and again")
    }
    #expect(claimEnds.leftOut == 1)
    #expect(try store.endedClaims(through: over, limit: 9).map(\.post) == [posts[1]])
    #expect(!claimEnds.isDue(at: over), "it is left alone for a while")
    claimEnds.look(machine: 29_999)
    #expect(!claimEnds.isDue(at: over))
    store.hole = nil
    claimEnds.look(machine: 30_000)
    let works = try claimEnds.works(at: over, in: store, limit: 9)
    #expect(settler.settle(works).hasDoneSomething)
    #expect(try store.endedClaims(through: over, limit: 9) == [])
  }
}

/// Settles work as the ledger's thread settles what it does by itself.
private struct Settler {
  let store: any EventStore
  let driver: LedgerDriver
  var ledger: Ledger

  init(_ store: any EventStore, _ driver: LedgerDriver) {
    self.store = store
    self.driver = driver
    ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
  }

  mutating func settle(_ works: [LedgerWork]) -> LedgerTurn {
    let (driver, store) = (driver, store)
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(driver.name()) }, isZone: { _ in true },
      hasRoom: { _ in true })
    return ledger.turn(works, at: over, in: store, tools) { transaction throws(StoreError) in
      try store.commit(transaction)
    }
  }
}
