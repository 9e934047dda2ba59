import Calendar
import Domain
import Sync
import TestRandom
import Testing
import Wire

@testable import Store

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [81, 82, 83]

/// Zones that are 14 hours ahead of UTC, and 11 behind it.
private let (east, west) = ("Etc/GMT-14", "Etc/GMT+11")

/// One list, or several, of one author, who has a friend in the first.
private struct Lists {
  let pair: StorePair
  let driver: LedgerDriver
  let author: UserID
  let friend: UserID
  var lists: [ViewedList] = []

  init(_ kind: StoreKind, zones: [String] = ["UTC"]) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    friend = try driver.person("friend")
    for zone in zones {
      let id = CategoryID(driver.name())
      try driver.run(.category(.add(id, NewCategory(name: zone, zone: zone))), by: author)
      lists.append(ViewedList(category: id, zone: zone))
    }
    try driver.bring(friend, "friend", to: .category(lists[0].category), by: author)
  }

  var first: CategoryID { lists[0].category }

  @discardableResult
  func post(
    _ title: String, _ fields: PostEdit = PostEdit(), in list: Int = 0, by user: UserID? = nil
  ) throws -> PostID {
    let id = PostID(driver.name())
    try driver.run(
      .post(
        .add(
          PostAddress(category: lists[list].category, post: id),
          NewPost(title: title, fields: fields))), by: user ?? author)
    return id
  }

  func change(_ post: PostID, _ change: PostChange, in list: Int = 0) throws {
    try driver.run(
      .post(
        .change(
          PostAddress(category: lists[list].category, post: post), change, ifVersion: nil)),
      by: author)
  }

  func view(
    _ criteria: PostWhere, by sort: ViewSort = .created, after: ViewPlace? = nil, limit: Int = 50,
    zone: String = "UTC", looks: Int = .max, in lists: [ViewedList]? = nil
  ) -> PostView {
    PostView(
      ViewQuery(criteria, sort: sort, after: after), in: lists ?? self.lists, for: author,
      zone: zone, limit: limit, looks: ViewLooks(posts: looks, bytes: .max), .system)
  }

  func titles(
    _ criteria: PostWhere, by sort: ViewSort = .created, zone: String = "UTC",
    in lists: [ViewedList]? = nil
  ) throws -> String {
    try pair.reader.viewed(view(criteria, by: sort, zone: zone, in: lists))
      .posts.map(\.post.title).joined(separator: " ")
  }
}

private func day(_ text: String) throws -> Day { try #require(Day(text)) }

/// Returns the moment `2026-11-24T18:00`, as a clock shows it in UTC.
private func moment(_ text: String) throws -> Timestamp {
  let due = try #require(Due(localTime: text, zone: "UTC"))
  return try #require(due.deadline(categoryZone: "UTC", almanac: .system))
}

private func due(_ text: String, _ zone: String? = nil) throws -> PostEdit {
  guard let zone else { return PostEdit(due: .set(.day(try day(text)))) }
  return PostEdit(due: .set(try #require(Due(localTime: text, zone: zone))))
}

@Suite("EventStore contract: views")
struct ViewTests {
  @Test("each part of what is wanted holds, and all together", arguments: StoreKind.allCases)
  func criteria(_ kind: StoreKind) throws {
    let it = try Lists(kind)
    let tag = TagID(it.driver.name())
    try it.driver.run(.changeTag(it.first, tag, .add(name: "uni")), by: it.author)
    try it.post("plain")
    try it.post("friends", by: it.friend)
    let tagged = try it.post("tagged", PostEdit(priority: .set(.low)))
    let work = try it.post("work", PostEdit(priority: .set(.high)))
    let done = try it.post("done", PostEdit(priority: .set(.medium)))
    let gone = try it.post("gone")
    try it.change(tagged, .tag(tag))
    try it.change(work, .assign(it.friend))
    try it.change(work, .tag(tag))
    try it.change(done, .complete)
    try it.change(gone, .remove)
    let rows: [(PostWhere, String)] = [
      (PostWhere(), "work tagged friends plain"), (PostWhere(state: .done), "done"),
      (PostWhere(state: .any), "done work tagged friends plain"),
      (PostWhere(state: .bin), "gone"), (PostWhere(by: .me), "work tagged plain"),
      (PostWhere(by: .user(it.friend)), "friends"), (PostWhere(assignee: .me), ""),
      (PostWhere(assignee: .user(it.friend)), "work"), (PostWhere(tag: tag), "work tagged"),
      (PostWhere(by: .user(it.friend), tag: tag), ""),
      (PostWhere(assignee: .user(it.friend), tag: tag, priority: .high), "work"),
      (PostWhere(priority: .low), "work tagged"), (PostWhere(priority: .medium), "work"),
      (PostWhere(state: .any, priority: .medium), "done work"),
      (PostWhere(tag: TagID(it.driver.name())), ""),
    ]
    for (criteria, titles) in rows { #expect(try it.titles(criteria) == titles, "\(criteria)") }
    #expect(try it.titles(PostWhere(), by: .priority) == "work tagged friends plain")
    try it.change(tagged, .untag(tag))
    try it.change(done, .reopen)
    try it.change(gone, .restore)
    #expect(try it.titles(PostWhere(tag: tag)) == "work")
    #expect(try it.titles(PostWhere(), by: .priority) == "work done tagged gone friends plain")
    if let store = it.pair.writer as? SQLiteStore {
      #expect(try store.verify(.system).differences == [])
    }
  }

  @Test("an older assignment of who came in again means nothing", arguments: StoreKind.allCases)
  func assigned(_ kind: StoreKind) throws {
    let it = try Lists(kind)
    let post = try it.post("work")
    try it.change(post, .assign(it.friend))
    func titles() throws -> String {
      let access = try it.pair.reader.access(of: it.friend, to: .category(it.first))
      let list = ViewedList(
        category: it.first, zone: "UTC", assignedFrom: try #require(access).joinedSeq)
      return try it.titles(PostWhere(assignee: .user(it.friend)), in: [list])
    }
    #expect(try titles() == "work")
    try it.driver.run(.member(.leave(.category(it.first))), by: it.friend)
    try it.driver.bring(it.friend, "friend", to: .category(it.first), by: it.author)
    #expect(try titles() == "")
    try it.change(post, .assign(it.friend))
    #expect(try titles() == "work")
  }

  @Test(
    "a day is the one that was written; a time is on the reader's", arguments: StoreKind.allCases)
  func days(_ kind: StoreKind) throws {
    let it = try Lists(kind, zones: ["UTC", east, west])
    try it.post("utc", try due("2026-11-24"))
    try it.post("east", try due("2026-11-24"), in: 1)
    try it.post("west", try due("2026-11-24"), in: 2)
    try it.post("noon", try due("2026-11-24T12:00", "UTC"), in: 1)
    try it.post("late", try due("2026-11-24T23:00", "UTC"), in: 2)
    try it.post("never")
    func titles(_ from: String?, _ until: String?, _ zone: String) throws -> String {
      let window = DueWindow(
        from: try from.map { .day(try day($0)) }, until: try until.map { .day(try day($0)) })
      return try it.titles(PostWhere(due: window), by: .due, zone: zone)
    }
    // By their deadlines: 10:00, 12:00, 23:00, 24:00, and 11:00 of the next day.
    #expect(try titles("2026-11-24", "2026-11-24", "UTC") == "east noon late utc west")
    #expect(try titles("2026-11-24", "2026-11-24", east) == "east utc west")
    #expect(try titles("2026-11-25", "2026-11-25", east) == "noon late")
    #expect(try titles("2026-11-24", "2026-11-24", west) == "east noon late utc west")
    #expect(try titles("2026-11-25", nil, west) == "")
    #expect(try titles(nil, "2026-11-23", "UTC") == "")
    #expect(try it.titles(PostWhere(), by: .due) == "east noon late utc west never")
    for (from, until, found) in [
      ("2026-11-24T12:00", "2026-11-24T23:00", "noon late"),
      ("2026-11-24T12:01", "2026-11-25T00:00", "late utc"),
      ("2026-11-25T00:01", "2026-11-25T10:59", ""),
      ("2026-11-25T00:01", "2026-11-25T11:00", "west"),
    ] {
      let window = DueWindow(
        from: .moment(try moment(from)), until: .moment(try moment(until)))
      #expect(try it.titles(PostWhere(due: window), by: .due) == found, "\(from) \(until)")
    }
  }

  @Test("deadlines of an agenda, with what is overdue", arguments: StoreKind.allCases)
  func marks(_ kind: StoreKind) throws {
    let it = try Lists(kind, zones: ["UTC", east])
    try it.post("a", try due("2026-11-24"))
    try it.post("b", try due("2026-11-24"), in: 1)
    try it.post("c", try due("2026-11-24T12:00", "UTC"))
    try it.post("d", try due("2026-11-26"))
    let done = try it.post("e", try due("2026-11-24"))
    try it.change(done, .complete)
    let range = DueRange(
      it.lists, try moment("2026-11-24T12:00")...moment("2026-11-25T00:00"),
      now: try moment("2026-11-24T11:59"), .system)
    let found = try it.pair.reader.dues(range)
    #expect(
      found.marks == [
        DueMark(deadline: try moment("2026-11-24T12:00"), day: nil),
        DueMark(deadline: try moment("2026-11-25T00:00"), day: try day("2026-11-24")),
      ])
    #expect(found.overdue == 1)
  }

  @Test(
    "pages go on where the last one ended, whatever is added", arguments: StoreKind.allCases,
    ViewSort.allCases)
  func pages(_ kind: StoreKind, _ sort: ViewSort) throws {
    let it = try Lists(kind, zones: ["UTC", east, west])
    for number in 0..<24 {
      let fields = PostEdit(
        priority: number % 3 == 0 ? .set(Priority.allCases[number % 9 / 3]) : .keep,
        due: number % 2 == 0 ? .set(.day(Day(number: 20_000 + number % 5))) : .keep)
      try it.post("p\(number)", fields, in: number % 3)
    }
    for looks in [3, .max] {
      var seen: [ViewPlace] = []
      var after: ViewPlace?
      repeat {
        let page = try it.pair.reader.viewed(
          it.view(PostWhere(), by: sort, after: after, limit: 5, looks: looks))
        seen += page.posts.map(\.place)
        after = page.posts.count == 5 ? page.posts.last?.place : page.stoppedAt
        // None of the posts that no page has reached yet is missed. In this order the newest come first.
        if seen.count < 10, sort == .created { try it.post("later") }
      } while after != nil
      #expect(seen.count >= 24, "\(looks)")
      #expect(seen == Set(seen).sorted(), "\(looks)")
    }
  }

  @Test("a list in the order that people gave it", arguments: StoreKind.allCases)
  func positions(_ kind: StoreKind) throws {
    let it = try Lists(kind)
    var posts: [PostID] = []
    for title in ["a", "b", "c", "d", "\\\"position\\\":\\\"1\\\""] {
      posts.append(try it.post(title, title == "b" ? due("2026-11-24") : PostEdit()))
    }
    try it.change(posts[4], .edit(PostEdit(title: "e", notes: "\"position\":\"1\"")))
    #expect(try it.titles(PostWhere(), by: .position) == "a b c d e")
    try it.change(posts[3], .move(after: nil, before: posts[0]))
    try it.change(posts[0], .move(after: posts[1], before: posts[2]))
    #expect(try it.titles(PostWhere(), by: .position) == "d b a c e")
    try it.change(posts[2], .complete)
    #expect(try it.titles(PostWhere(), by: .position) == "d b a e")
    let window = DueWindow(until: .day(try day("2026-11-24")))
    #expect(try it.titles(PostWhere(due: window), by: .position) == "b")
    let first = try it.pair.reader.viewed(it.view(PostWhere(), by: .position, limit: 2))
    let after = try #require(first.posts.last?.place)
    let rest = try it.pair.reader.viewed(it.view(PostWhere(), by: .position, after: after))
    #expect(rest.posts.map(\.post.title) == ["a", "e"])
  }

  @Test("more hits than are kept at a time come all, in order")
  func many() throws {
    let it = try Lists(.sqlite)
    for round in 0..<21 {
      try it.driver.run(
        try (0..<200).map { index in
          let fields = PostEdit(
            due: index % 2 == 0 ? .set(.day(Day(number: 20_000 + index % 7))) : .keep)
          let command = Command.post(
            .add(
              PostAddress(category: it.first, post: PostID(it.driver.name())),
              NewPost(title: "p", fields: fields)))
          return try it.driver.work(command, by: it.author, key: "k-\(round)-\(index)")
        })
    }
    for sort in ViewSort.allCases {
      let all = try it.pair.reader.viewed(it.view(PostWhere(), by: sort, limit: 9_999)).posts
      #expect(all.count == 4_200 && all.map(\.place) == all.map(\.place).sorted())
    }
    let few = try it.pair.reader.viewed(it.view(PostWhere(by: .user(it.friend)), limit: 10))
    #expect(few == ViewedPage([]))
  }

  @Test("completed posts that have left the state are shown", arguments: StoreKind.allCases)
  func older(_ kind: StoreKind) throws {
    let it = try Lists(kind)
    let first = try it.post("first", try due("2026-11-24"))
    try it.change(first, .complete)
    for round in 0..<6 {
      for step in 0..<2 {
        try it.driver.run(
          try (0..<100).map { index in
            let post = PostID(UUID(high: 7, low: UInt64(round * 100 + index)))
            return try it.driver.work(
              step == 0
                ? .post(.add(it.first, post, title: "p", notes: ""))
                : .completePost(it.first, post, ifVersion: nil), by: it.author,
              key: "k-\(round)-\(step)-\(index)")
          })
      }
    }
    let window = DueWindow(from: .day(try day("2026-11-24")))
    #expect(try it.titles(PostWhere(state: .done, due: window)) == "first")
    let all = try it.pair.reader.viewed(it.view(PostWhere(state: .any), limit: 999))
    #expect(all.posts.count == 601)
    #expect(try it.titles(PostWhere()) == "")
  }
}
