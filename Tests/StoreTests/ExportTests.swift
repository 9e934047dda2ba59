import Domain
import Sync
import Testing
import Wire

@testable import Store

extension EventStore {
  /// Returns all lines of an export, and the number of its pages.
  fileprivate func export(
    of user: UserID, between: () throws -> Void = {}
  ) throws -> (lines: [String], pages: Int) {
    var lines: [String] = []
    var place: ExportPlace?
    var pages = 0
    repeat {
      let page = try read { () throws(StoreError) in try exportPage(of: user, from: place) }
      #expect(page.lines.dropLast().reduce(0) { $0 + $1.count } <= Limits.pageBytesMax)
      lines += page.lines.map { String(decoding: $0, as: UTF8.self) }
      if page.after != nil { #expect(page.after != place && !page.lines.isEmpty) }
      place = page.after.flatMap { ExportPlace($0.text) }
      pages += 1
      try between()
    } while place != nil && pages < 500
    #expect(place == nil, "it does not end")
    return (lines, pages)
  }
}

@Suite("protocol §5.11: an export")
struct ExportTests {
  @Test(
    "it is what the person may read: each thing of each stream once, and the log",
    arguments: StoreKind.allCases)
  func whole(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let world = try busyWorldWithBot(driver)
    // Long texts: several pages.
    let list = try driver.category("long", by: world.people[0])
    for _ in 0..<20 {
      let notes = String(repeating: "n", count: 16_000)
      try driver.run(
        .post(.add(list, PostID(driver.name()), title: "long", notes: notes)), by: world.people[0])
    }
    for user in world.people {
      let (lines, pages) = try pair.reader.export(of: user)
      #expect(lines == (try expected(user, pair.reader)))
      #expect(user != world.people[0] || pages > 8)
    }
  }

  @Test(
    "Runs, reactions, talk, levels and bots are in it, and no token or webhook of a bot",
    arguments: StoreKind.allCases)
  func withBot(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let world = try busyWorldWithBot(LedgerDriver(pair.writer))
    let (lines, _) = try pair.reader.export(of: world.people[0])
    for text in [
      #"{"object":{"t":"reactions","#, #""t":"event.reacted""#, #""lastRun":{"#, #""run":{"#,
      #""t":"run.started""#, #""t":"run.phase""#, #""t":"run.ended""#,
      #"{"object":{"t":"line","#, #""t":"line.said""#, #""t":"line.edited""#,
      #"{"object":{"t":"settings","#, #""levels":[{"#, #""t":"settings.edited""#,
      #""username":"nightly""#,
    ] {
      #expect(lines.contains { $0.contains(text) }, "\(text)")
    }
    for text in ["nightly's token", "nightly's chat", "nightly.example.org"] {
      #expect(!lines.contains { $0.contains(text) }, "\(text)")
    }
  }

  /// Returns the expected lines, in the order of an export.
  private func expected(_ user: UserID, _ store: any EventStore) throws -> [String] {
    var lines: [String] = []
    for access in try store.streams(of: user).sorted(by: { $0.stream < $1.stream }) {
      let stream = access.stream
      let head = access.head
      lines.append(
        """
        {"stream":"\(stream)","role":"\(access.role.word)","epoch":"\(head.epoch.text)",\
        "seq":\(head.seq),"from":1}
        """)
      let snapshot = try #require(try store.snapshot(of: stream))
      let objects = try snapshot.objects.map { (try ObjectCodec.decode($0).key, $0) }
        .filter { $0.0.kind != .post }.sorted { $0.0 < $1.0 }
      lines += objects.map { "{\"object\":\(String(decoding: $0.1, as: UTF8.self))}" }
      if case .category(let list) = stream {
        for shelf in [PostShelf.open, .done, .removed] {
          let posts = try store.posts(in: list, on: shelf, before: nil, limit: 200)
          lines += posts.map { "{\"object\":\(String(decoding: $0, as: UTF8.self))}" }
        }
      }
      lines += try store.events(in: stream, after: 0, through: .max, bytesMax: .max).map {
        "{\"seq\":\($0.seq),\"event\":\(String(decoding: $0.body, as: UTF8.self))}"
      }
    }
    return lines + [#"{"end":true}"#]
  }

  @Test(
    "nothing is left out or told twice that stays, whatever happens between two pages",
    arguments: StoreKind.allCases)
  func moving(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let notes = String(repeating: "n", count: 9_000)
    func add() throws -> PostID {
      let id = PostID(driver.name())
      try driver.run(.post(.add(list, id, title: "t", notes: notes)), by: author)
      return id
    }
    let staying = try (0..<20).map { _ in try add() }
    var going = try (0..<8).map { _ in try add() }
    let (lines, pages) = try pair.reader.export(of: author) {
      _ = try add()
      if let post = going.popLast() {
        try driver.run(.removePost(list, post, ifVersion: nil), by: author)
      }
    }
    #expect(pages > 10)
    for post in staying {
      #expect(lines.count { $0.hasPrefix("{\"object\"") && $0.contains("\(post)") } == 1)
    }
    let head = try #require(try pair.reader.head(of: .category(list)))
    let numbered = lines.filter { $0.hasPrefix("{\"seq\"") && $0.contains("\"post.") }
    #expect(numbered.count > 28 && numbered.count <= Int(head.seq))
  }

  @Test("whoever is put out while it goes on gets nothing more of that list")
  func putOut() throws {
    let store = MemoryStore(MemoryDatabase(identity: testIdentity))
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let member = try driver.person("member")
    let list = try driver.category("list", by: author)
    try driver.bring(member, "member", to: .category(list), by: author)
    for _ in 0..<20 {
      let notes = String(repeating: "n", count: 9_000)
      try driver.run(.post(.add(list, PostID(driver.name()), title: "t", notes: notes)), by: author)
    }
    var isOut = false
    var after = ""
    let (lines, _) = try store.export(of: member) {
      if !isOut { try driver.run(.member(.remove(.category(list), member)), by: author) }
      isOut = true
      after = "the secret of later"
      _ = try driver.post(after, in: list, by: author)
    }
    #expect(!lines.contains { $0.contains(after) || $0.contains("\"post.added\"") })
  }

  @Test("An erased text is nowhere in the export", arguments: StoreKind.allCases)
  func erased(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("a slip of the pen", in: list, by: author)
    try driver.run(.erasePost(list, post), by: author)
    let (lines, _) = try pair.reader.export(of: author)
    #expect(lines.contains { $0.contains("\(post)") })
    #expect(!lines.contains { $0.contains("a slip") })
  }
}
