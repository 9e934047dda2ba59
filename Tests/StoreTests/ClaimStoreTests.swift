import Domain
import Sync
import TestRandom
import Testing
import Wire

@testable import Store

extension LedgerDriver {
  /// Does what the server does by itself at this moment. Returns how many claims it has ended.
  @discardableResult
  fileprivate func endClaims(_ claimEnds: inout ClaimEnds) throws -> Int {
    var ended = 0
    while claimEnds.isDue(at: Timestamp(milliseconds: now)) {
      let works = try claimEnds.works(at: Timestamp(milliseconds: now), in: store, limit: 100)
      guard !works.isEmpty else { break }
      for result in try run(works) { ended += try result.get().changed ? 1 : 0 }
      try #require(ended < 1_000, "it finds the same again and again")
    }
    return ended
  }

  fileprivate func claim(
    _ post: PostID, _ list: CategoryID, _ lease: Int64, by user: UserID
  ) throws {
    try run(.post(.change(list, post, .claim(milliseconds: lease))), by: user)
  }

  fileprivate func wait(_ milliseconds: Int64) {
    pass(to: Timestamp(milliseconds: now + milliseconds))
  }

  /// Returns the posts whose claims the log says are over.
  fileprivate func ended(_ list: CategoryID) throws -> [PostID] {
    try store.events(in: .category(list), after: 0, through: .max, bytesMax: 1 << 24)
      .flatMap { event in
        try EventCodec.decode(event.body, seq: event.seq).ops.compactMap { op in
          if case .post(.claim(let post, .ended)) = op { post } else { nil }
        }
      }
  }
}

@Suite("EventStore contract: claims")
struct ClaimStoreTests {
  @Test("A post that waits for an admin is nobody's next", arguments: StoreKind.allCases)
  func submitted(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let editor = try driver.person("editor")
    try driver.bring(editor, "editor", to: .category(list), by: author)
    let daily = Repetition(try RecurrenceRule("FREQ=DAILY"), confirms: true)
    let edit = PostEdit(due: .set(.day(Day(number: 20_000))), repeats: .set(daily))
    let posts = try ["submitted", "open"].map { try driver.post($0, in: list, by: author) }
    try driver.run(.editPost(list, posts[0], edit, ifVersion: nil), by: author)
    try driver.run(.completePost(list, posts[0], ifVersion: 2), by: editor)
    #expect(try driver.run(.post(.claimNext(list, milliseconds: 60_000)), by: editor).number == 2)
    try driver.run(.reopenPost(list, posts[0], ifVersion: nil), by: author)
    #expect(try driver.run(.post(.claimNext(list, milliseconds: 60_000)), by: editor).number == 1)
  }

  @Test(
    "a claim is found when its time is over, and ends once, whoever looks",
    arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let lists = try ["one", "two"].map { try driver.category($0, by: author) }
    let posts = try (0..<4).map { try driver.post("post", in: lists[$0 % 2], by: author) }
    let latest = Timestamp(milliseconds: .max)
    #expect(try pair.reader.endedClaims(through: latest, limit: 9) == [])
    for (index, hours) in [4, 1, 3, 2].enumerated() {
      try driver.claim(posts[index], lists[index % 2], Int64(hours) * 3_600_000, by: author)
    }
    let found = try pair.reader.endedClaims(through: latest, limit: 3)
    #expect(found.map(\.post) == [1, 3, 2].map { posts[$0] })
    #expect(found.map(\.category) == [1, 1, 0].map { lists[$0] })
    try driver.run(.completePost(lists[1], posts[3], ifVersion: nil), by: author)
    #expect(try pair.reader.endedClaims(through: latest, limit: 9).map(\.post)[1] == posts[2])
    var claimEnds = ClaimEnds()
    #expect(try driver.endClaims(&claimEnds) == 0)
    driver.wait(3_600_000)
    // This server was down, and looks again.
    let other = LedgerDriver(pair.writer, from: 7)
    other.pass(to: Timestamp(milliseconds: driver.now))
    var fresh = ClaimEnds()
    #expect(try other.endClaims(&fresh) == 1)
    #expect(try other.endClaims(&fresh) == 0)
    #expect(try other.ended(lists[1]) == [posts[1]])
    other.wait(9 * 3_600_000)
    #expect(try other.endClaims(&fresh) == 1, "one event for both of a list")
    #expect(try Set(other.ended(lists[0])) == [posts[0], posts[2]])
    #expect(try pair.reader.endedClaims(through: latest, limit: 9) == [])
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("the front of a list is in its order", arguments: StoreKind.allCases)
  func queue(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    var random = SeededRandom(seed: 5)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let people = [author, try driver.person("friend")]
    try driver.bring(people[1], "friend", to: .category(list), by: author)
    let words = ["post", "\"position\":\"4zz\"", "{\"claim\":{\"until\":1}}"]
    var open = try (0..<12).map { try driver.post(words[$0 % 3], in: list, by: author) }
    for round in 0..<40 {
      let post = open[random.below(open.count)]
      switch random.below(5) {
      case 0: try driver.claim(post, list, 60_000, by: author)
      case 1 where open.count > 5:
        try driver.run(.completePost(list, post, ifVersion: nil), by: author)
        open.removeAll { $0 == post }
      case 2:
        try driver.run(.post(.change(list, post, .assign(people[random.below(2)]))), by: author)
      default:
        let upper = open[random.below(open.count)]
        let move = Command.movePost(list, post, after: upper, before: nil)
        if upper != post { try driver.run(move, by: author) }
      }
      for user in people {
        let loaded = try pair.writer.load([.domain(.queue(list, for: user))])
        let expected = try free(in: list, pair, for: user)
        #expect(loaded == [.domain(.queue(expected))], "round \(round)")
      }
    }
  }

  private func free(
    in list: CategoryID, _ pair: StorePair, for user: UserID
  ) throws -> [QueuedPost] {
    let posts = try pair.reader.posts(in: list, on: .open, before: nil, limit: 100).compactMap {
      body -> Post? in
      guard case .post(let post) = try ObjectCodec.decode(body), post.claim == nil,
        post.assignees.isEmpty || post.assignees.contains(user)
      else { return nil }
      return post
    }
    return posts.sorted { $0.stands(before: $1) }.map { QueuedPost($0) }
  }

  @Test("A turn sees what it did before", arguments: StoreKind.allCases)
  func ownOrder(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let next = Command.post(.claimNext(list, milliseconds: 60_000))
    let posts = (0..<3).map { _ in PostID(driver.name()) }
    var works = try posts.map {
      try driver.work(.post(.add(list, $0, title: "new", notes: "")), by: author, key: "add-\($0)")
    }
    works.append(
      try driver.work(.movePost(list, posts[2], after: nil, before: posts[0]), by: author))
    works += try (0..<4).map { try driver.work(next, by: author, key: "next-\($0)") }
    let results = try driver.run(works)
    let numbers = results.suffix(4).map { result -> Int? in
      if case .success(let result) = result { result.number } else { nil }
    }
    #expect(numbers == [3, 1, 2, nil])
    let batch = Command.batch([.post(.change(list, posts[1], .release)), next])
    #expect(try driver.run(batch, by: author).parts.map(\.number) == [2, 2])
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("many that are somebody's are passed over in one look", arguments: StoreKind.allCases)
  func many(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    for chunk in 0..<(Limits.queueLookedAtMax / 100) {
      let posts = (0..<100).map { _ in PostID(driver.name()) }
      try driver.run(
        .batch(posts.map { .post(.add(list, $0, title: "\(chunk)", notes: "")) }), by: author)
      let lease = PostChange.claim(milliseconds: 60_000_000)
      let taken = chunk == 0 ? posts.dropLast() : posts[...]
      try driver.run(.batch(taken.map { .post(.change(list, $0, lease)) }), by: author)
    }
    _ = try driver.post("too far", in: list, by: author)
    let next = Command.post(.claimNext(list, milliseconds: 60_000))
    #expect(try driver.run(next, by: author, key: "a").number == 100)
    let work = try driver.work(next, by: author, key: "b")
    #expect(try driver.run([work]) == [.failure(.notFound("post"))])
  }

  @Test("Each of many who ask in one turn gets another post", arguments: StoreKind.allCases)
  func together(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    for _ in 0..<20 { _ = try driver.post("post", in: list, by: author) }
    let works = try (0..<25).map {
      try driver.work(.post(.claimNext(list, milliseconds: 60_000)), by: author, key: "next-\($0)")
    }
    let results = try driver.run(works)
    #expect(try results.prefix(20).map { try $0.get().number } == Array(1...20))
    #expect(results.suffix(5).allSatisfy { $0 == .failure(.notFound("post")) })
    // A repeat has the same answer.
    #expect(try driver.run(works) == results)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test(
    "a store that fails at any call leaves a claim ended once or not",
    arguments: FaultyStore.Fault.allCases, StoreKind.allCases)
  func faults(_ fault: FaultyStore.Fault, _ kind: StoreKind) throws {
    for call in 1..<20 {
      let pair = try StorePair(kind)
      let driver = LedgerDriver(pair.writer)
      let author = try driver.person("author")
      let list = try driver.category("list", by: author)
      let post = try driver.post("post", in: list, by: author)
      try driver.claim(post, list, 1_000, by: author)
      let store = FaultyStore(pair.writer, failing: call, with: fault)
      let failing = LedgerDriver(store, from: 7)
      failing.pass(to: Timestamp(milliseconds: driver.now + 60_000))
      var claimEnds = ClaimEnds()
      do { try failing.endClaims(&claimEnds) } catch { #expect(error is StoreError) }
      var later = ClaimEnds()
      try failing.endClaims(&later)
      #expect(try driver.ended(list) == [post], "call \(call)")
      guard store.hasFailed else { return }
    }
    Issue.record("the fault came every time")
  }
}
