import Domain
import Sync
import Testing
import Wire

@testable import Store

private func runID(_ number: UInt64) -> RunID { RunID(UUID(high: 0xA, low: number)) }

extension LedgerDriver {
  fileprivate func start(
    _ number: UInt64, _ post: PostID, _ list: CategoryID, phase: String? = nil, by user: UserID
  ) throws {
    try run(
      .changeRun(list, post, runID(number), .start(lease: 60_000, phase: phase)),
      by: user)
  }

  /// Does what the server does by itself at this moment of the clock that never jumps, if no word was kept back.
  /// Returns how many runs it has ended.
  fileprivate func loseRuns(_ watch: inout RunWatch, at machine: Int64) throws -> Int {
    try watch.ask(store, at: machine)
    let works = watch.works(at: machine + RunWords.everyMilliseconds, limit: 100)
    return try run(works).reduce(0) { $0 + (try $1.get().changed ? 1 : 0) }
  }
}

@Suite("EventStore contract: runs")
struct RunStoreTests {
  @Test("Runs that go on are found, list by list", arguments: StoreKind.allCases)
  func found(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let lists = try ["one", "two"].map { try driver.category($0, by: author) }
    let posts = try (0..<4).map { try driver.post("post", in: lists[$0 / 2], by: author) }
    #expect(try pair.reader.liveRuns() == [])
    for index in 0..<4 {
      try driver.start(UInt64(index), posts[index], lists[index / 2], by: author)
    }
    try driver.run(.changeRun(lists[0], posts[1], runID(1), .end(.ok, text: nil)), by: author)
    try driver.run(.completePost(lists[1], posts[3], ifVersion: nil), by: author)
    let expected = [0, 2].map { index in
      LiveRun(
        address: PostAddress(category: lists[index / 2], post: posts[index]),
        id: runID(UInt64(index)), user: author, lease: 60_000)
    }
    #expect(try Set(pair.reader.liveRuns()) == Set(expected))
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test(
    "A server that starts gives every run its whole lease, and loses each once",
    arguments: StoreKind.allCases)
  func restart(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("one", by: author)
    let posts = try (0..<3).map { _ in try driver.post("post", in: list, by: author) }
    for index in 0..<3 { try driver.start(UInt64(index), posts[index], list, by: author) }
    let other = LedgerDriver(pair.writer, from: 7)
    var watch = RunWatch()
    #expect(try other.loseRuns(&watch, at: 1_000_000) == 0)
    #expect(try other.loseRuns(&watch, at: 1_059_999) == 0)
    watch.heard(
      RunWord(user: author, address: PostAddress(category: list, post: posts[1])), at: 1_030_000)
    #expect(try other.loseRuns(&watch, at: 1_060_000) == 2)
    watch.forget()
    #expect(try other.loseRuns(&watch, at: 1_089_999) == 0, "what is known keeps its moment")
    #expect(try other.loseRuns(&watch, at: 1_090_000) == 1)
    #expect(try other.loseRuns(&watch, at: 9_000_000) == 0)
    #expect(try pair.reader.liveRuns() == [])
  }

  @Test("Erased words of runs are in no file, and what is left is sound")
  func erased() throws {
    let folder = try TemporaryFolder()
    let secret = "hunter2 was in the output"
    do {
      let driver = LedgerDriver(try writer(folder.data))
      let author = try driver.person("author")
      let list = try driver.category("one", by: author)
      let post = try driver.post("post", in: list, by: author)
      try driver.start(1, post, list, phase: secret, by: author)
      try driver.run(.changeRun(list, post, runID(1), .phase(secret + "!")), by: author)
      try driver.run(.changeRun(list, post, runID(1), .end(.failed, text: secret)), by: author)
      try driver.start(2, post, list, phase: secret, by: author)
      try driver.run(.erasePost(list, post), by: author)
      try driver.run(.changeRun(list, post, runID(2), .phase(secret)), by: author)
      try driver.run(.changeRun(list, post, runID(2), .end(.ok, text: secret)), by: author)
      try driver.run(.erasePost(list, post), by: author)
      while try driver.store.tidy() {}
      let store = try #require(driver.store as? SQLiteStore)
      #expect(try store.verify().differences == [])
    }
    #expect(try filesHolding(secret, in: folder) == [])
  }
}
