import Domain
import Sync
import TestRandom
import Testing

@testable import Store

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [81, 82, 83]

private let day = Day(number: 20_781)

extension Timestamp {
  static let distantFuture = Timestamp(milliseconds: .max)

  /// Returns the moment so many hours after the end of that day in UTC.
  fileprivate static func end(_ hours: Int64) -> Timestamp {
    Timestamp(milliseconds: Int64(day.number + 1) * 86_400_000 + hours * 3_600_000)
  }
}

extension LedgerDriver {
  /// Checks everything that is left to be checked. Returns the number of parts.
  @discardableResult
  func checkDues(limit: Int = 500) throws -> Int {
    var parts = 0
    while let part = try store.dueCheck(limit: limit) {
      for result in try run([.checkDues(part)]) { _ = try result.get() }
      parts += 1
    }
    return parts
  }

  fileprivate func set(
    _ due: FieldChange<Due>, _ post: PostID, in list: CategoryID, by user: UserID
  )
    throws
  {
    try run(.editPost(list, post, PostEdit(due: due), ifVersion: nil), by: user)
  }
}

@Suite("EventStore contract: dues")
struct DueTests {
  @Test("a row says when an open post is due, as it is now", arguments: StoreKind.allCases)
  func changes(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    let other = try driver.post("never due", in: list, by: author)
    func expect(_ deadline: Timestamp?, _ row: String) throws {
      let found = try pair.reader.untoldDues(through: .distantFuture, limit: 9)
      let wanted = deadline.map { [DuePost(category: list, post: post, deadline: $0)] } ?? []
      #expect(found == wanted, "\(row)")
    }
    try expect(nil, "no due")
    try driver.set(.set(.day(day)), post, in: list, by: author)
    try expect(.end(0), "a day, over when the next one begins")
    let noon = Due.time(day, minute: 720, zone: "Etc/GMT-2")
    try driver.set(.set(noon), post, in: list, by: author)
    try expect(.end(-14), "noon, two hours ahead of UTC")
    try driver.run(.editPost(list, post, PostEdit(title: "new"), ifVersion: nil), by: author)
    try expect(.end(-14), "another title")
    try driver.run(.completePost(list, post, ifVersion: nil), by: author)
    try expect(nil, "completed")
    try driver.set(.set(.day(day)), post, in: list, by: author)
    try expect(nil, "another due, still completed")
    try driver.run(.reopenPost(list, post, ifVersion: nil), by: author)
    try expect(.end(0), "reopened")
    try driver.run(.removePost(list, post, ifVersion: nil), by: author)
    try expect(nil, "removed")
    try driver.run(.restorePost(list, post, ifVersion: nil), by: author)
    try expect(.end(0), "restored")
    let cleared = try driver.run(
      .editPost(list, post, PostEdit(due: .clear), ifVersion: nil), by: author)
    try expect(nil, "cleared")
    let seq = try #require(cleared.events.first?.seq)
    try driver.run(.undo(UndoTarget(stream: .category(list), events: [seq], seen: nil)), by: author)
    try expect(.end(0), "what undo brings back")
    let works = try [Due.day(day), .time(day, minute: 0, zone: "UTC")].enumerated().map {
      try driver.work(
        .editPost(list, post, PostEdit(due: .set($1)), ifVersion: nil), by: author, key: "e\($0)")
    }
    for result in try driver.run(works) { _ = try result.get() }
    try expect(.end(-24), "the last of several in one transaction")
    try driver.run(.erasePost(list, post), by: author)
    try driver.run(.erasePost(list, other), by: author)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("the earliest come first, as many as are asked for", arguments: StoreKind.allCases)
  func order(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let lists = try ["one", "two"].map { try driver.category($0, by: author) }
    var posts: [PostID] = []
    for (index, days) in [5, 3, 4, 1, 3].enumerated() {
      let list = lists[index % 2]
      posts.append(try driver.post("post", in: list, by: author))
      try driver.set(.set(.day(day.adding(days: days))), posts[index], in: list, by: author)
    }
    for (hours, limit, expected) in [
      (23, 9, []), (24, 9, [3]), (72, 9, [3, 1, 4]), (72, 1, [3]), (999, 9, [3, 1, 4, 2, 0]),
    ] as [(Int64, Int, [Int])] {
      let found = try pair.reader.untoldDues(through: .end(hours), limit: limit).map(\.post)
      // Two lists have a post of the third day.
      #expect(Set(found) == Set(expected.map { posts[$0] }), "\(hours) \(limit)")
      #expect(found.first == expected.first.map { posts[$0] })
      #expect(found.last == posts[0] || hours < 999)
    }
  }

  @Test("only posts with a due are looked at again", arguments: StoreKind.allCases)
  func undated(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let posts = try (0..<9).map { try driver.post("\"due\":{\($0)", in: list, by: author) }
    for index in [2, 7] {
      try driver.set(.set(.day(day)), posts[index], in: list, by: author)
    }
    try driver.run(.category(.edit(list, CategoryEdit(zone: "Etc/GMT+3"))), by: author)
    for (limit, first, through) in [
      (9, [2, 7], nil), (2, [2, 7], 8), (1, [2], 3),
    ] as [(Int, [Int], Int?)] {
      let part = DueCheckPart(category: list, posts: first.map { posts[$0] }, through: through)
      #expect(try pair.reader.dueCheck(limit: limit) == part)
    }
    #expect(try driver.checkDues(limit: 1) == 3)
    #expect(try pair.reader.untoldDues(through: .end(3), limit: 9).count == 2)
  }

  @Test("a list whose days change is looked at in parts", arguments: StoreKind.allCases)
  func zones(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    var posts: [PostID] = []
    for index in 0..<7 {
      posts.append(try driver.post("post", in: list, by: author))
      if index != 3 { try driver.set(.set(.day(day)), posts[index], in: list, by: author) }
    }
    try driver.run(.completePost(list, posts[5], ifVersion: nil), by: author)
    #expect(try driver.checkDues() == 0)
    let edit = Command.category(.edit(list, CategoryEdit(zone: "Etc/GMT+3")))
    let edited = try driver.run(edit, by: author)
    #expect(try pair.reader.untoldDues(through: .end(0), limit: 9).count == 5, "not looked at yet")
    let part = try #require(try pair.reader.dueCheck(limit: 2))
    #expect(part == DueCheckPart(category: list, posts: Array(posts[..<2]), through: 2))
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
    // In the midst of it another post gets a row.
    for result in try driver.run([.checkDues(part)]) { _ = try result.get() }
    try driver.set(.set(.day(day)), posts[3], in: list, by: author)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
    #expect(try driver.checkDues(limit: 2) == 3, "four posts, and nothing more")
    #expect(try pair.reader.untoldDues(through: .end(2), limit: 9) == [])
    #expect(try pair.reader.untoldDues(through: .end(3), limit: 9).map(\.post).count == 6)
    let seq = try #require(edited.events.first?.seq)
    try driver.run(.undo(UndoTarget(stream: .category(list), events: [seq], seen: nil)), by: author)
    #expect(try driver.checkDues() == 1)
    #expect(try pair.reader.untoldDues(through: .end(0), limit: 9).count == 6)
    let awayAndBack: [(Command, Command)] = [
      (.category(.remove(list)), .category(.restore(list))),
      (.category(.archive(list)), .category(.unarchive(list))),
    ]
    for (away, back) in awayAndBack {
      try driver.run(away, by: author)
      #expect(try driver.checkDues() == 1)
      #expect(try pair.reader.untoldDues(through: .distantFuture, limit: 9) == [])
      try driver.run(back, by: author)
      #expect(try driver.checkDues() == 1)
      #expect(try pair.reader.untoldDues(through: .end(0), limit: 9).count == 6)
    }
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("after any history the rows are those of the posts", arguments: seeds)
  func histories(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    var random = SeededRandom(seed: seed)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    var posts: [PostID] = []
    var rows = 0
    for round in 0..<120 {
      let works = try (0...random.below(3)).map { index in
        let post = posts.isEmpty ? PostID(driver.name()) : posts[random.below(posts.count)]
        let command: Command
        switch random.below(9) {
        case 0:
          posts.append(PostID(driver.name()))
          let due = Due.day(day.adding(days: random.below(3)))
          command = .post(
            .add(
              PostAddress(category: list, post: posts[posts.count - 1]),
              NewPost(title: "post", fields: PostEdit(due: .set(due)))))
        case 1: command = .completePost(list, post, ifVersion: nil)
        case 2: command = .reopenPost(list, post, ifVersion: nil)
        case 3: command = .removePost(list, post, ifVersion: nil)
        case 4, 5: command = .restorePost(list, post, ifVersion: nil)
        case 6: command = .editPost(list, post, PostEdit(due: .clear), ifVersion: nil)
        case 7:
          let zone = "Etc/GMT-\(random.below(4))"
          command = .category(.edit(list, CategoryEdit(zone: zone)))
        default:
          let due = Due.time(day, minute: random.below(1_440), zone: "Etc/GMT-\(random.below(4))")
          command = .editPost(list, post, PostEdit(due: .set(due)), ifVersion: nil)
        }
        return try driver.work(command, by: author, key: "\(round)-\(index)")
      }
      try driver.run(works)
      if random.below(2) == 0, let part = try store.dueCheck(limit: 2) {
        try driver.run([.checkDues(part)])
      }
      guard round % 5 == 0 else { continue }
      let report = try store.verify()
      #expect(report.differences == [], "seed \(seed), round \(round)")
      rows += report.dues
    }
    #expect(rows > 30)
  }
}
