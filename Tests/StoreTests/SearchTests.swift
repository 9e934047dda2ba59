import Domain
import PowerLoss
import Sync
import TestRandom
import Testing
import Wire

@testable import Store

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [71, 72, 73]

extension EventStore {
  /// Returns the found posts as `list:number`.
  fileprivate func titles(
    _ text: String, in categories: [CategoryID], _ place: SearchPlace = .lists,
    after: FoundPlace? = nil, limit: Int = 50
  ) throws -> [String] {
    let query = try #require(SearchQuery(text))
    return try found(
      PostSearch(query.words, in: categories, place, after: after, limit: limit)
    ).map(\.post.title)
  }
}

@Suite("EventStore contract: search")
struct SearchTests {
  @Test("posts have all words in title or notes, newest first", arguments: StoreKind.allCases)
  func words(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let food = try driver.category("food", by: author)
    let home = try driver.category("home", by: author)
    for (list, title, notes) in [
      (food, "Oat milk", "two litres"), (home, "fix the door", "milk the cow"), (food, "牛奶", ""),
      (food, "Bread", "rye, no MILK"), (home, "Été", "à Montréal"),
    ] {
      try driver.run(
        .post(.add(list, PostID(driver.name()), title: title, notes: notes)), by: author)
    }
    let both = [food, home].sorted()
    let rows: [(String, [CategoryID], [String])] = [
      ("milk", both, ["Bread", "fix the door", "Oat milk"]),
      ("milk", [food], ["Bread", "Oat milk"]),
      ("milk", [], []), ("MIL two", both, ["Oat milk"]), ("ilk", both, []), ("奶", both, ["牛奶"]),
      ("montreal ete", both, ["Été"]), ("milk bread rye", both, ["Bread"]),
      ("milk bread rye no", both, ["Bread"]), ("milk bread rye no wheat", both, []),
      ("milk", [food, CategoryID(driver.name())], ["Bread", "Oat milk"]),
    ]
    for (text, lists, expected) in rows {
      #expect(try pair.reader.titles(text, in: lists) == expected, "\(text)")
    }
  }

  @Test("a post is found as it is now, open or done, or in the bin", arguments: StoreKind.allCases)
  func changes(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("alpha", in: list, by: author)
    func expect(_ lists: [String], bin: [String], _ words: String = "alpha beta gamma") throws {
      for word in words.split(separator: " ").map(String.init) {
        let here = lists.contains(word) ? 1 : 0
        #expect(try pair.reader.titles(word, in: [list]).count == here, "\(word)")
        let removed = bin.contains(word) ? 1 : 0
        #expect(
          try pair.reader.titles(word, in: [list], .bin).count == removed, "\(word) in the bin")
      }
    }
    try expect(["alpha"], bin: [])
    let edited = try driver.run(
      .editPost(list, post, PostEdit(title: "beta", notes: "gamma"), ifVersion: nil), by: author)
    try expect(["beta", "gamma"], bin: [])
    try driver.run(.completePost(list, post, ifVersion: nil), by: author)
    try expect(["beta", "gamma"], bin: [])
    try driver.run(.removePost(list, post, ifVersion: nil), by: author)
    try expect([], bin: ["beta", "gamma"])
    try driver.run(.restorePost(list, post, ifVersion: nil), by: author)
    try expect(["beta", "gamma"], bin: [])
    let seq = try #require(edited.events.first?.seq)
    try driver.run(
      .undo(UndoTarget(stream: .category(list), events: [seq], seen: nil)), by: author)
    try expect(["alpha"], bin: [])
    try driver.run(.erasePost(list, post), by: author)
    try expect([], bin: [])
    try driver.run(.editPost(list, post, PostEdit(title: "beta"), ifVersion: nil), by: author)
    try expect(["beta"], bin: [])
    try driver.run(.editPost(list, post, PostEdit(notes: "alpha"), ifVersion: nil), by: author)
    try expect(["alpha", "beta"], bin: [])
    let step = StepID(driver.name())
    for (change, found) in [
      (.add(content: "gamma"), ["alpha", "beta", "gamma"]),
      (.edit(content: "delta"), ["alpha", "beta"]), (.remove, ["alpha", "beta"]),
    ] as [(StepChange, [String])] {
      try driver.run(
        .post(
          .change(
            PostAddress(category: list, post: post), .step(step, change), ifVersion: nil)),
        by: author)
      try expect(found, bin: [])
    }
    try driver.run(.editPost(list, post, PostEdit(notes: ""), ifVersion: nil), by: author)
    // Several changes in one transaction: the last one counts.
    let works = try ["alpha", "gamma"].enumerated().map { index, title in
      try driver.work(
        .editPost(list, post, PostEdit(title: title), ifVersion: nil), by: author, key: "e\(index)")
    }
    for result in try driver.run(works) { _ = try result.get() }
    try expect(["gamma"], bin: [])
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("completed posts that have left the state are found", arguments: StoreKind.allCases)
  func older(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let first = try driver.post("needle", in: list, by: author)
    try driver.run(.completePost(list, first, ifVersion: nil), by: author)
    for round in 0..<6 {
      for step in 0..<2 {
        let works = try (0..<100).map { index in
          let post = PostID(UUID(high: 7, low: UInt64(round * 100 + index)))
          return try driver.work(
            step == 0
              ? .post(.add(list, post, title: "hay", notes: ""))
              : .completePost(list, post, ifVersion: nil), by: author,
            key: "k-\(round)-\(step)-\(index)")
        }
        try driver.run(works)
      }
    }
    let done = try pair.reader.objects(.post, in: .category(list))
    #expect(done.count == Limits.completedInStateMax)
    #expect(try pair.reader.titles("needle", in: [list]) == ["needle"])
    // An edit outside of the state is found as well.
    try driver.run(.editPost(list, first, PostEdit(title: "pin"), ifVersion: nil), by: author)
    #expect(try pair.reader.titles("pin", in: [list]) == ["pin"])
    #expect(try pair.reader.titles("needle", in: [list]) == [])
  }

  @Test("pages go on where the last one ended, whatever is added", arguments: StoreKind.allCases)
  func pages(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let lists = try (0..<3).map { try driver.category("list \($0)", by: author) }.sorted()
    // Some posts are of one moment: those of one transaction of a batch have one time.
    for round in 0..<6 {
      let commands = lists.flatMap { list in
        (0..<2).map {
          Command.post(.add(list, PostID(driver.name()), title: "p \(round)-\($0)", notes: ""))
        }
      }
      try driver.run(.batch(commands), by: author)
    }
    let query = try #require(SearchQuery("p"))
    var seen: [FoundPost] = []
    var after: FoundPlace?
    repeat {
      let page = try pair.reader.found(
        PostSearch(query.words, in: lists, .lists, after: after, limit: 5))
      seen += page
      after = page.count == 5 ? page.last?.place : nil
      _ = try driver.post("p later", in: lists[0], by: author)
    } while after != nil
    #expect(seen.count == 36)
    #expect(seen.map(\.place) == Set(seen.map(\.place)).sorted())
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.place.createdAt >= $1.place.createdAt })
  }

  @Test("more hits than are kept at a time come all, in order")
  func many() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    for round in 0..<21 {
      try driver.run(
        try (0..<200).map { index in
          let command = Command.post(
            .add(
              list, PostID(driver.name()), title: index % 97 == 0 ? "rare one" : "common one",
              notes: ""
            ))
          return try driver.work(command, by: author, key: "k-\(round)-\(index)")
        })
    }
    let all = try pair.reader.found(
      PostSearch(
        try #require(SearchQuery("one")).words, in: [list], .lists, after: nil, limit: 9_999))
    #expect(all.map(\.post.number) == (1...4_200).reversed())
    #expect(try pair.reader.titles("one rare", in: [list], limit: 99).count == 63)
  }

  @Test(
    "lists that are searched: those of the user, removed ones not", arguments: StoreKind.allCases)
  func lists(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let mine = try driver.category("mine", by: author)
    let shared = try driver.category("shared", by: author)
    let removed = try driver.category("removed", by: author)
    _ = try driver.category("of editor", by: editor)
    _ = try driver.group("group", by: author)
    try driver.bring(editor, "editor", to: .category(shared), by: author)
    for number in 1...3 { _ = try driver.post("p \(number)", in: shared, by: author) }
    try driver.run(.category(.remove(removed)), by: author)
    let found = try pair.reader.searchedLists(of: author)
    #expect(found.map(\.category) == [mine, shared].sorted())
    let line = try #require(found.first { $0.category == shared })
    #expect(line.role == .owner && line.posts == 3)
    #expect(line.changedAt == (try pair.reader.head(of: .category(shared)))?.at)
    try driver.run(.member(.leave(.category(shared))), by: editor)
    #expect(!(try pair.reader.searchedLists(of: editor)).map(\.category).contains(shared))
    try driver.run(.category(.restore(removed)), by: author)
    #expect(try pair.reader.searchedLists(of: author).count == 3)
    try driver.run(.category(.archive(mine)), by: author)
    let archived = try pair.reader.searchedLists(of: author).filter(\.isArchived)
    #expect(archived.map(\.category) == [mine])
  }

  /// A plain look at every post is the judge.
  @Test("both stores find the same in a random history", arguments: seeds)
  func same(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let stores = try StoreKind.allCases.map { try StorePair($0) }
    let drivers = stores.map { LedgerDriver($0.writer) }
    let people = try drivers.map { try $0.person("author") }
    let lists = try (0..<3).map { index in
      try zip(drivers, people).map { try $0.0.category("list \(index)", by: $0.1) }[0]
    }
    let vocabulary = [
      "milk", "Milch", "牛奶", "ミルク", "みるく", "Été", "oat", "oats", "12", "١٢", "🎂", "don't", "dont",
      "Müller", "Mueller", "muller", "e-mail", "email", "über-ich", "Apfelkuchen", "kuchen",
      "v2.0.1",
      "2.0", "می\u{200C}خواهم", "خواهم",
    ]
    var posts: [(CategoryID, PostID)] = []
    for step in 0..<250 {
      let words = (0..<(1 + Int.random(in: 0..<4, using: &random))).map { _ in
        vocabulary.randomElement(using: &random)!
      }.joined(separator: [" ", "-", ""].randomElement(using: &random)!)
      let (list, post) =
        posts.randomElement(using: &random) ?? (lists[0], PostID(UUID(high: 8, low: 0)))
      let command: Command
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        let new = (lists.randomElement(using: &random)!, PostID(UUID(high: 8, low: UInt64(step))))
        posts.append(new)
        command = .post(.add(new.0, new.1, title: words, notes: step % 3 == 0 ? words : ""))
      case 4: command = .editPost(list, post, PostEdit(title: words), ifVersion: nil)
      case 5: command = .completePost(list, post, ifVersion: nil)
      case 6: command = .removePost(list, post, ifVersion: nil)
      case 7: command = .restorePost(list, post, ifVersion: nil)
      default: command = .erasePost(list, post)
      }
      for (driver, person) in zip(drivers, people) {
        try driver.run([try driver.work(command, by: person)])
      }
      guard step % 10 == 9 else { continue }
      let text =
        vocabulary.randomElement(using: &random)! + " "
        + (vocabulary + ["", "", ""]).randomElement(using: &random)!
      let query = try #require(SearchQuery(text))
      for place in SearchPlace.allCases {
        let answers = try stores.map {
          try $0.reader.found(
            PostSearch(query.words, in: lists.sorted(), place, after: nil, limit: 20))
        }
        #expect(answers[0] == answers[1], "seed \(seed), step \(step): \(text)")
      }
    }
    let store = try #require(stores[0].writer as? SQLiteStore)
    #expect(try store.verify().differences == [])
  }
}
