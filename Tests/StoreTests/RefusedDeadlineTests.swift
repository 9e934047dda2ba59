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
  let desk: Desk
  var ledger: Ledger
  var refused = RefusedDeadlines()
  /// The posts that were said to be left out.
  var leftOut: [PostID] = []

  init(_ store: any EventStore, _ desk: Desk) {
    self.store = store
    self.desk = desk
    ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
  }

  /// Tells, and returns whether there was something to tell.
  mutating func tell(machine: Int64, failing: Bool = false) throws -> Bool {
    _ = refused.look(machine: machine)
    let refused = refused
    let posts = try store.untoldDues(through: over, limit: 3 + refused.count)
      .filter { !refused.leavesOut($0) }
    let works = refused.works(for: posts)
    let desk = desk
    let store = store
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(desk.name()) }, isZone: { _ in true },
      hasRoom: { _ in true })
    let turn = ledger.turn(works, at: over, in: store, tools) { transaction throws(StoreError) in
      if failing { throw .notCommitted(StoreFault(.disk, "as the test wants it")) }
      try store.commit(transaction)
    }
    leftOut += self.refused.note(works, turn, machine: machine).map(\.post)
    return !posts.isEmpty
  }
}

@Suite("protocol §5.8: deadlines that cannot be told")
struct RefusedDeadlineTests {
  @Test("keep no other from being told, and are tried again", arguments: StoreKind.allCases)
  func aside(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let posts = try (0..<7).map { index in
      let post = try desk.post("post \(index)", in: list, by: author)
      let edit = PostEdit(due: .set(.day(day)))
      try desk.run(.editPost(list, post, edit, ifVersion: nil), by: author)
      return post
    }
    let store = HoleyStore(pair.writer)
    store.hole = posts[1]
    var it = Teller(store, desk)
    for _ in 0..<3 {
      #expect(try it.tell(machine: 0, failing: true))
      #expect(it.refused.count == 0, "a commit that failed says nothing of a post")
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
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let posts = try (0..<5).map { index in
      let post = try desk.post("post \(index)", in: list, by: author)
      try desk.run(.changePersonal(list, post, .remind(.at(over))), by: author)
      return post
    }
    let parts = try desk.store.reminderChecks(limit: 9, butAbout: [])
    for result in try desk.run([.checkReminders(parts)]) { _ = try result.get() }
    let store = HoleyStore(pair.writer)
    store.hole = posts[1]
    var ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
    var refused = RefusedReminders()
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(desk.name()) }, isZone: { _ in true },
      hasRoom: { _ in true })
    for _ in 0..<9 {
      let rows = try store.dueReminders(through: over, limit: 3 + refused.count)
        .filter { !refused.leavesOut($0) }
      let works = refused.works(for: rows)
      let turn = ledger.turn(works, at: over, in: store, tools) { transaction throws(StoreError) in
        try store.commit(transaction)
      }
      _ = refused.note(works, turn, machine: 0)
    }
    #expect(refused.count == 1)
    let left = try store.dueReminders(through: over, limit: 9)
    #expect(left.compactMap(\.key.post?.post.post) == [posts[1]])
  }

  @Test("A single refused deadline is not asked for again and again", arguments: StoreKind.allCases)
  func single(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let post = try desk.post("post", in: list, by: author)
    try desk.run(.editPost(list, post, PostEdit(due: .set(.day(day))), ifVersion: nil), by: author)
    let store = HoleyStore(pair.writer)
    store.hole = post
    var it = Teller(store, desk)
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
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let posts = try (0..<5).map { index in
      let post = try desk.post("post \(index)", in: list, by: author)
      let edit = PostEdit(due: .set(.day(day)))
      try desk.run(.editPost(list, post, edit, ifVersion: nil), by: author)
      return post
    }
    let store = HoleyStore(pair.writer)
    store.hole = posts[1]
    var settler = Settler(store, desk)
    var refused = RefusedChecks()
    var looks = 0
    while true {
      let parts = try store.reminderChecks(limit: 9, butAbout: refused.aside)
      guard !parts.isEmpty else { break }
      let works = Array(refused.works(for: parts).prefix(1))
      _ = refused.note(works, settler.settle(works), machine: 0)
      looks += 1
      try #require(looks < 20, "it finds the same again and again")
    }
    #expect(refused.aside == [.post(PostAddress(category: list, post: posts[1]))])
    let rows = try store.dueReminders(through: over, limit: 9)
    #expect(Set(rows.compactMap(\.key.post?.post.post)) == Set(posts).subtracting([posts[1]]))
    store.hole = nil
    #expect(refused.look(machine: 30_000) && refused.aside.isEmpty)
  }

  @Test("A refused claim keeps no others", arguments: StoreKind.allCases)
  func claims(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let posts = try (0..<5).map { index in
      let post = try desk.post("post \(index)", in: list, by: author)
      try desk.run(.post(.change(list, post, .claim(milliseconds: 600_000))), by: author)
      return post
    }
    let store = HoleyStore(pair.writer)
    store.hole = posts[1]
    var settler = Settler(store, desk)
    var leases = Leases()
    var turns = 0
    while true {
      let works = try leases.works(at: over, in: store, limit: 9)
      guard !works.isEmpty else { break }
      _ = leases.note(works, settler.settle(works), machine: 0)
      turns += 1
      try #require(turns < 20, "it finds the same again and again")
    }
    #expect(leases.leftOut == 1)
    #expect(try store.endedClaims(through: over, limit: 9).map(\.post) == [posts[1]])
    #expect(!leases.isDue(at: over), "it is left alone for a while")
    leases.look(machine: 29_999)
    #expect(!leases.isDue(at: over))
    store.hole = nil
    leases.look(machine: 30_000)
    let works = try leases.works(at: over, in: store, limit: 9)
    #expect(settler.settle(works).hasDoneSomething)
    #expect(try store.endedClaims(through: over, limit: 9) == [])
  }
}

/// Settles work as the ledger's thread settles what it does by itself.
private struct Settler {
  let store: any EventStore
  let desk: Desk
  var ledger: Ledger

  init(_ store: any EventStore, _ desk: Desk) {
    self.store = store
    self.desk = desk
    ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
  }

  mutating func settle(_ works: [LedgerWork]) -> LedgerTurn {
    let (desk, store) = (desk, store)
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(desk.name()) }, isZone: { _ in true },
      hasRoom: { _ in true })
    return ledger.turn(works, at: over, in: store, tools) { transaction throws(StoreError) in
      try store.commit(transaction)
    }
  }
}
