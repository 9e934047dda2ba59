import Domain
import Sync
import Testing
import Wire

@testable import Store

private let day = Day(number: 20_781)
private let over = Timestamp(milliseconds: Int64(day.number + 1) * 86_400_000)

extension LedgerDriver {
  /// Does what the server does by itself at this moment. Returns how many posts it has told.
  @discardableResult
  fileprivate func tellOverdue(at time: Timestamp) throws -> Int {
    pass(to: time)
    var told = 0
    while true {
      let posts = try store.untoldDues(through: time, limit: Deadlines.postsPerTurn)
      guard !posts.isEmpty else { return told }
      for result in try run(Deadlines.works(for: posts)) { _ = try result.get() }
      told += posts.count
      try #require(told < 10_000, "it finds the same again and again")
    }
  }

  fileprivate func post(due: Due, in list: CategoryID, by user: UserID) throws -> PostID {
    let post = try post("post", in: list, by: user)
    try run(.editPost(list, post, PostEdit(due: .set(due)), ifVersion: nil), by: user)
    return post
  }

  /// Returns what the log says of deadlines.
  fileprivate func marks(of list: CategoryID) throws -> [OverdueMark] {
    let events = try store.events(
      in: .category(list), after: 0, through: .max, bytesMax: 1 << 24)
    return try events.flatMap { event in
      try EventCodec.decode(event.body, seq: event.seq).ops.compactMap { op in
        if case .post(.overdue(_, let mark, _)) = op { mark } else { nil }
      }
    }
  }
}

@Suite("protocol §5.8: deadlines in a store")
struct TellingTests {
  @Test(
    "each deadline is told once, whatever becomes of the due and of the server",
    arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    var driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post(due: .day(day), in: list, by: author)
    #expect(try driver.tellOverdue(at: Timestamp(milliseconds: over.milliseconds - 1)) == 0)
    #expect(try driver.tellOverdue(at: over) == 1)
    #expect(try driver.marks(of: list) == [.became(over)])
    let later = Timestamp(milliseconds: over.milliseconds + 86_400_000)
    let moves: [(FieldChange<Due>, [OverdueMark])] = [
      (.set(.day(day.adding(days: 1))), [.taken, .became(later)]),
      (.set(.day(day)), [.taken, .again(over)]),
      (.clear, [.taken]), (.set(.day(day)), [.again(over)]),
    ]
    var expected: [OverdueMark] = [.became(over)]
    for (index, (due, marks)) in moves.enumerated() {
      // A server that has just started knows only what the store does.
      driver = LedgerDriver(pair.writer, from: UInt64(index + 2))
      try driver.run(.editPost(list, post, PostEdit(due: due), ifVersion: nil), by: author)
      try driver.tellOverdue(at: later)
      expected += marks
      #expect(try driver.marks(of: list) == expected)
    }
    try driver.run(.completePost(list, post, ifVersion: nil), by: author)
    try driver.run(.reopenPost(list, post, ifVersion: nil), by: author)
    #expect(try driver.tellOverdue(at: later) == 0, "it is overdue all the time")
    #expect(try driver.marks(of: list) == expected)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test(
    "A deadline is told once, also when the log has forgotten that it was told",
    arguments: StoreKind.allCases)
  func beyondTheHorizon(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post(due: .day(day), in: list, by: author)
    try driver.tellOverdue(at: over)
    for due in [FieldChange<Due>.clear, .set(.day(day))] {
      try driver.run(.editPost(list, post, PostEdit(due: due), ifVersion: nil), by: author)
      _ = try driver.post("later", in: list, by: author)
      try pair.writer.trimAll(before: driver.now)
    }
    #expect(try driver.tellOverdue(at: over) == 1)
    #expect(try driver.marks(of: list) == [.again(over)])
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("many at once come in events of one list each", arguments: StoreKind.allCases)
  func many(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let lists = try ["one", "two"].map { try driver.category($0, by: author) }
    for index in 0..<230 {
      _ = try driver.post(due: .day(day), in: lists[index % 10 == 0 ? 1 : 0], by: author)
    }
    let heads = try lists.map { try pair.reader.head(of: .category($0))?.seq ?? 0 }
    #expect(try driver.tellOverdue(at: over) == 230)
    for (list, count) in zip(lists, [207, 23]) {
      #expect(try driver.marks(of: list) == Array(repeating: .became(over), count: count))
    }
    let after = try lists.map { try pair.reader.head(of: .category($0))?.seq ?? 0 }
    // 230 posts are told in four turns.
    #expect(after[0] - heads[0] <= 4 && after[1] - heads[1] <= 4)
    #expect(try driver.tellOverdue(at: over) == 0)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("a list whose days change, that is removed or restored", arguments: StoreKind.allCases)
  func lists(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post(due: .day(day), in: list, by: author)
    let done = try driver.post(due: .day(day), in: list, by: author)
    try driver.tellOverdue(at: over)
    try driver.run(.completePost(list, done, ifVersion: nil), by: author)
    try driver.run(.category(.edit(list, CategoryEdit(zone: "Etc/GMT+1"))), by: author)
    try driver.checkDues()
    #expect(try driver.marks(of: list) == [.became(over), .became(over), .taken])
    // A post that was completed meanwhile is looked at when it is open again.
    try driver.run(.reopenPost(list, done, ifVersion: nil), by: author)
    try driver.checkDues()
    #expect(try driver.marks(of: list).count == 4)
    #expect(try driver.tellOverdue(at: over) == 0)
    try driver.run(.category(.remove(list)), by: author)
    let hour = Timestamp(milliseconds: over.milliseconds + 3_600_000)
    // The rows are still there; nothing is written into a removed list.
    try driver.tellOverdue(at: hour)
    #expect(try driver.marks(of: list).count == 4)
    try driver.checkDues()
    try driver.run(.category(.restore(list)), by: author)
    try driver.checkDues()
    #expect(try driver.tellOverdue(at: hour) == 2)
    #expect(try driver.marks(of: list).suffix(2) == [.became(hour), .became(hour)])
    try driver.run(.removePost(list, post, ifVersion: nil), by: author)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test(
    "a store that fails at any call leaves a deadline untold or told",
    arguments: FaultyStore.Fault.allCases, StoreKind.allCases)
  func faults(_ fault: FaultyStore.Fault, _ kind: StoreKind) throws {
    for call in 1..<20 {
      let pair = try StorePair(kind)
      let driver = LedgerDriver(pair.writer)
      let author = try driver.person("author")
      let list = try driver.category("list", by: author)
      _ = try driver.post(due: .day(day), in: list, by: author)
      let store = FaultyStore(pair.writer, failing: call, with: fault)
      let failing = LedgerDriver(store, from: 7)
      do { try failing.tellOverdue(at: over) } catch { #expect(error is StoreError) }
      let told = try driver.marks(of: list)
      #expect(
        told == (store.hasFailed && fault != .unknownWritten ? [] : [.became(over)]) || told == [])
      try failing.tellOverdue(at: over)
      try LedgerDriver(pair.writer, from: 9).tellOverdue(at: over)
      #expect(try driver.marks(of: list) == [.became(over)], "call \(call)")
      guard store.hasFailed else { return }
    }
    Issue.record("the fault came every time")
  }
}
