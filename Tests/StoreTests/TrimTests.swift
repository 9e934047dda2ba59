import Calendar
import Domain
import Testing
import Wire

@testable import Store
@testable import Sync

extension EventStore {
  /// Runs a whole sweep. Returns the horizons that moved.
  @discardableResult
  func trimAll(before time: Int64) throws -> [StreamID: Int64] {
    var horizons: [StreamID: Int64] = [:]
    while true {
      let step = try trim(before: Timestamp(milliseconds: time))
      if let horizon = step.horizon { horizons[horizon.stream] = horizon.seq }
      if step.isDone { return horizons }
    }
  }
}

@Suite("protocol §5.7 horizon: stores")
struct TrimTests {
  @Test(
    "events before a time are gone, with their keys; the state stays", arguments: StoreKind.allCases
  )
  func forgotten(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let stream = StreamID.category(category)
    let old = try (0..<300).map { try driver.post("old \($0)", in: category, by: author) }
    let oldKey = PostID(driver.name())
    try driver.run(.post(.add(category, oldKey, title: "x", notes: "")), by: author, key: "old")
    // The answer at the horizon itself is kept: nothing may have changed then.
    _ = try driver.post("one more", in: category, by: author)
    let time = driver.now + 1
    try driver.run(.completePost(category, old[0], ifVersion: nil), by: author, key: "new")
    try driver.run(.completePost(category, old[1], ifVersion: nil), by: author)
    let before = try #require(try pair.reader.snapshot(of: stream))

    #expect(try pair.writer.trimAll(before: time)[stream] == 303)
    let after = try #require(try pair.reader.snapshot(of: stream))
    #expect(after.objects == before.objects)
    #expect(after.head.horizon == 303 && after.head.seq == 305)
    let events = try pair.reader.events(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(events.map(\.seq) == [304, 305])
    #expect(try pair.reader.events(in: stream, after: 304, through: .max, bytesMax: 1).count == 1)
    #expect(try pair.reader.transaction(at: StreamPosition(stream: stream, seq: 303)) == nil)
    #expect(try pair.reader.transaction(at: StreamPosition(stream: stream, seq: 304)) != nil)
    #expect(try pair.writer.key(address("old", author, stream)) == nil)
    #expect(try pair.writer.key(address("new", author, stream)) != nil)
    // The own stream keeps its newest event, whatever its age.
    let own = try #require(try pair.reader.head(of: .user(author)))
    #expect(own.horizon == own.seq - 1)
    #expect(try pair.writer.trimAll(before: time) == [:])
    try driver.run(.reopenPost(category, old[0], ifVersion: nil), by: author)
    #expect(try pair.reader.head(of: stream)?.horizon == 303)
    if let store = pair.reader as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  private func address(_ key: String, _ user: UserID, _ stream: StreamID) throws -> KeyAddress {
    KeyAddress(stream: stream, actor: user, key: try #require(CommandKey(key)))
  }

  @Test(
    "A command from before the horizon is not done again when its key is forgotten",
    arguments: StoreKind.allCases)
  func stale(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let epoch = try #require(try pair.reader.head(of: .category(list))?.epoch)
    func add(_ key: String, after seq: Int64) throws -> Result<CommandResult, Refusal> {
      let command = Command.post(.add(list, PostID(driver.name()), title: "once", notes: ""))
      let base = CommandBase(epoch: epoch, seq: seq)
      return try #require(
        try driver.run([try driver.work(command, by: author, key: key, base: base)]).first)
    }
    #expect(throws: Never.self) { try add("first", after: 1).get() }
    for number in 0..<4 { _ = try driver.post("post \(number)", in: list, by: author) }
    // The ledger goes on with what it has in memory.
    try driver.trim(before: driver.now - 1_000)
    #expect(try pair.reader.head(of: .category(list))?.horizon == 4)
    #expect(try pair.writer.key(address("first", author, .category(list))) == nil)
    #expect(try add("first", after: 1) == .failure(.staleBase))
    #expect(try add("second", after: 3) == .failure(.staleBase))
    #expect(throws: Never.self) { try add("third", after: 4).get() }
  }

  @Test(
    "Former members are not told that there is no list where their command may have taken effect",
    arguments: StoreKind.allCases)
  func formerMember(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let (author, editor) = (try driver.person("author"), try driver.person("editor"))
    let list = try driver.category("list", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
    let epoch = try #require(try pair.reader.head(of: .category(list))?.epoch)
    for number in 0..<4 { _ = try driver.post("post \(number)", in: list, by: editor) }
    try driver.run(.member(.remove(.category(list), editor)), by: author)
    try driver.trim(before: driver.now - 1_000)
    let horizon = try #require(try pair.reader.head(of: .category(list))?.horizon)
    func add(
      _ key: String, in epoch: Epoch, after seq: Int64
    ) throws -> Result<CommandResult, Refusal> {
      let command = Command.post(.add(list, PostID(driver.name()), title: "once", notes: ""))
      let base = CommandBase(epoch: epoch, seq: seq)
      return try #require(
        try driver.run([try driver.work(command, by: editor, key: key, base: base)]).first)
    }
    #expect(try add("first", in: epoch, after: horizon - 1) == .failure(.staleBase))
    // From the horizon on every key is known, so the answer is true.
    #expect(try add("second", in: epoch, after: horizon) == .failure(.notFound("category")))
    // A restore may have given the stream another epoch and kept what the command did.
    #expect(try add("third", in: Epoch("before.1"), after: 1) == .failure(.staleBase))
    let stranger = try driver.person("stranger")
    let guess = Command.post(.add(list, PostID(driver.name()), title: "once", notes: ""))
    let base = CommandBase(epoch: Epoch("before.1"), seq: 1)
    let work = try driver.work(guess, by: stranger, key: "fourth", base: base)
    #expect(try driver.run([work]).first == .failure(.notFound("category")))
  }

  @Test(
    "verify goes on from the state at the horizon, wherever it lies", arguments: [0, 3, 9, 20, 99])
  func sound(_ part: Int64) throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let start = driver.now
    let world = try busyWorldWithBot(driver)
    let time = start + (driver.now + 1 - start) * part / 99
    try store.trimAll(before: time)
    #expect(try store.verify().differences == [])
    let author = world.people[0]
    let list = try driver.category("another", by: author)
    for number in 0..<3 { _ = try driver.post("post \(number)", in: list, by: author) }
    try store.trimAll(before: driver.now)
    #expect(try store.verify().differences == [])
  }

  @Test("The oldest of more than 500 completed posts leave the state at the horizon too")
  func ranked() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    var posts: [PostID] = []
    for round in 0..<6 {
      let fresh = (0..<100).map { _ in PostID(driver.name()) }
      try driver.run(
        try fresh.enumerated().flatMap { index, post in
          [
            try driver.work(
              .post(.add(list, post, title: "p", notes: "")), by: author,
              key: "a\(round)-\(index)"),
            try driver.work(
              .completePost(list, post, ifVersion: nil), by: author, key: "c\(round)-\(index)"),
          ]
        })
      posts += fresh
    }
    try driver.run(.editPost(list, posts[0], PostEdit(title: "older"), ifVersion: nil), by: author)
    try driver.run(.removePost(list, posts[1], ifVersion: nil), by: author)
    try store.trimAll(before: driver.now + 1)
    try driver.run(.reopenPost(list, posts[0], ifVersion: nil), by: author)
    #expect(try store.verify().differences == [])
  }

  @Test("a text that only the state at the horizon has is erased there")
  func erasedBeyond() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("a text for nobody", in: list, by: author)
    _ = try driver.post("another", in: list, by: author)
    try store.trimAll(before: driver.now + 1)
    try driver.run(.erasePost(list, post), by: author)
    while try store.tidy() {}
    for name in names(in: folder.path) {
      let bytes = try readFile(folder.path + "/" + name)
      #expect(bytes.firstRange(of: Array("a text for nobody".utf8)) == nil, "\(name)")
    }
    #expect(try store.verify().differences == [])
  }

  @Test("a crash between two steps leaves a sound store that goes on")
  func crash() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    _ = try busyWorld(driver)
    let time = Timestamp(milliseconds: driver.now)
    var steps = 0
    while try !store.trim(before: time).isDone {
      steps += 1
      guard steps % 3 == 0 else { continue }
      let left = try TemporaryFolder()
      for name in names(in: folder.path) where name != "lock" && !name.hasSuffix("-shm") {
        try writeFile(left.path + "/" + name, try readFile(folder.path + "/" + name))
      }
      let again = try writer(left.data)
      #expect(try again.verify().differences == [])
      try again.trimAll(before: driver.now)
      #expect(try again.verify().differences == [])
    }
    #expect(steps > 3)
  }

  @Test(
    "a reader that is asked for a tail across the horizon gives a snapshot",
    arguments: StoreKind.allCases)
  func slowReader(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    for number in 0..<9 { _ = try driver.post("post \(number)", in: list, by: author) }
    let rate = TokenRate(count: 1, everyMilliseconds: 1, burst: 1)
    let tools = ReaderTools<[UInt8]>(
      server: ServerName(name: "t", version: "1"), tokenHash: { _ in nil },
      startOfDay: { time, _ in time }, frame: { $0 }, almanac: .system)
    let reader = Reader(
      pair.reader, hellos: UserLimits(rate), snapshotBytesMax: 1 << 20, tools)
    func ask(after seq: Int64) throws -> String {
      let read = HubRead(
        connection: HubConnection(1), user: author, stream: .category(list), watch: 1,
        want: .tail(after: seq))
      switch try reader.answer(read) {
      case .tail(_, let through), .changes(_, let through): return "tail to \(through)"
      case .page(_, let place): return "snapshot at \(place.seq)"
      case .lost, .gone, .failed: return "?"
      }
    }
    #expect(try ask(after: 4) == "tail to 10")
    let horizon = try pair.writer.trimAll(before: driver.now - 3_000)[.category(list)]
    #expect(horizon == 6)
    #expect(try ask(after: 4) == "snapshot at 10")
    #expect(try ask(after: 5) == "snapshot at 10")
    #expect(try ask(after: 6) == "tail to 10")
  }
}
