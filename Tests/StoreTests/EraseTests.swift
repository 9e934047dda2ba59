import Domain
import Glibc
import PowerLoss
import Sync
import TestRandom
import Testing
import Wire

@testable import Store

/// Returns the files of a folder that hold this text, as it is or as JSON may write it.
func filesHolding(_ text: String, in folder: TemporaryFolder) throws -> [String] {
  let escaped = text.utf16.map { unit in
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }.joined()
  return try names(in: folder.path).filter { name in
    let bytes = try readFile(folder.path + "/" + name)
    return bytes.contains(text) || bytes.contains(escaped)
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var place = 0
      while let hit = memchr(start + place, Int32(text[0]), bytes.count - place) {
        place = UnsafeRawPointer(hit) - start
        guard place + text.count <= bytes.count else { return false }
        if memcmp(start + place, text, text.count) == 0 { return true }
        place += 1
      }
      return false
    }
  }
}

extension EventStore {
  /// Tidies up as the ledger does between batches.
  fileprivate func tidyAll() throws {
    while try tidy() {}
  }
}

@Suite("protocol §5.6 erasing: stores")
struct EraseTests {
  private static let secret = "hunter2 is my \u{201C}Paßwort\u{201D}"

  @Test("An erased text is in no event, object or key", arguments: StoreKind.allCases)
  func everywhere(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let stream = StreamID.category(category)
    let other = try driver.post("stays", in: category, by: author)
    let post = try driver.post(Self.secret, in: category, by: author)
    let key = "with-the-notes"
    let edit = PostEdit(
      title: "t", notes: Self.secret, priority: .set(.high),
      location: .set(Location(text: Self.secret, point: GeoPoint(latitude: 1, longitude: 2))))
    try driver.run(.editPost(category, post, edit, ifVersion: nil), by: author, key: key)
    let (step, gone) = (StepID(driver.name()), StepID(driver.name()))
    try driver.run(
      .changeStep(category, post, step, .add(content: Self.secret)), by: author, key: "a-step")
    try driver.run(.changeStep(category, post, step, .edit(content: "s" + Self.secret)), by: author)
    try driver.run(.changeStep(category, post, gone, .add(content: Self.secret)), by: author)
    let removal = try driver.run(.changeStep(category, post, gone, .remove), by: author)
    let seq = try #require(removal.events.first?.seq)
    try driver.run(
      .undo(UndoTarget(stream: stream, events: [seq], seen: nil)), by: author)
    try driver.run(.completePost(category, post, ifVersion: nil), by: author)
    try driver.run(.reopenPost(category, post, ifVersion: nil), by: author)
    try driver.run(.removePost(category, post, ifVersion: nil), by: author)
    let before = try pair.reader.events(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(try pair.writer.key(address(key, author, stream))?.hash.count == 32)

    try driver.run(.erasePost(category, post), by: author)
    let after = try pair.reader.events(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(!after.contains { $0.body.contains(Self.secret) })
    #expect(try pair.writer.key(address(key, author, stream))?.hash == [])
    let body = try #require(
      try pair.reader.object(ObjectKey(kind: .post, id: post.uuid), in: stream))
    guard case .post(let erased) = try ObjectCodec.decode(body) else {
      Issue.record("is no post")
      return
    }
    #expect(erased.title == "" && erased.notes == "" && erased.removed != nil)
    #expect(erased.steps.map(\.content) == ["", ""])
    #expect(try pair.writer.key(address("a-step", author, stream))?.hash == [])
    #expect(erased.location == nil && erased.priority == .high)
    #expect(erased.erased?.by == author)
    // Nothing else has changed.
    for (old, new) in zip(before, after) {
      let (was, now) = (
        try EventCodec.decode(old.body, seq: old.seq), try EventCodec.decode(new.body, seq: new.seq)
      )
      #expect(TextEraser(post).event(was) == now)
      #expect(was.ops.map(OpKind.init) == now.ops.map(OpKind.init))
    }
    #expect(after[1].body == before[1].body, "another post's event")
    _ = other
  }

  @Test(
    "A removed line of talk goes from events, from what was before them, and from keys",
    arguments: StoreKind.allCases)
  func lines(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let stream = StreamID.category(category)
    func say(_ text: String, key: String) throws -> Int64 {
      let said = try driver.run(.line(.say(stream, text: text)), by: author, key: key)
      return try #require(said.events.first?.seq)
    }
    let line = try say(Self.secret, key: "said")
    let edit = Command.line(.edit(stream, line: line, text: "2. " + Self.secret))
    try driver.run(edit, by: author, key: "edited")
    // The number of another line begins with that of the first, which must not matter.
    var others: [Int64] = []
    while others.last ?? 0 < line * 10 {
      others.append(try say("stays", key: "line-\(others.count)"))
    }
    let last = try #require(others.last)
    #expect("\(last)".hasPrefix("\(line)"))
    // This changes nothing and says nothing of the text.
    let vain = Command.line(.react(stream, line: last, sign: nil))
    try driver.run(vain, by: author, key: "in-vain")
    try driver.run(.line(.remove(stream, line: line)), by: author)
    let past = try pair.reader.past(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(!past.contains { $0.body.contains(Self.secret) || $0.was.contains(Self.secret) })
    let stay = past.filter { $0.body.contains("stays") }.map(\.seq)
    #expect(stay == others)
    for key in ["said", "edited"] {
      #expect(try pair.writer.key(address(key, author, stream))?.hash == [])
    }
    for key in ["line-\(others.count - 1)", "in-vain"] {
      #expect(try pair.writer.key(address(key, author, stream))?.hash.count == 32)
    }
    #expect(try pair.reader.object(TalkLine.key(of: line), in: stream) == nil)
    #expect(try pair.reader.object(TalkLine.key(of: last), in: stream) != nil)
  }

  @Test(
    "The words of runs go, and a reaction to the erased post stays",
    arguments: StoreKind.allCases)
  func runsAndReactions(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let stream = StreamID.category(category)
    let post = try driver.post("a job", in: category, by: author)
    let run = RunID(driver.name())
    for change in [
      RunChange.start(lease: 60_000, phase: Self.secret), .phase("2. " + Self.secret),
      .end(.ok, text: Self.secret),
    ] {
      try driver.run(.changeRun(category, post, run, change), by: author)
    }
    let done = try driver.run(.completePost(category, post, ifVersion: nil), by: author)
    let praise = Reactions(
      to: try #require(done.events.first?.seq), [Reaction(user: author, sign: "👏", post: post)])
    try driver.run(.react(category, event: praise.event, sign: "👏"), by: author)
    try driver.run(.erasePost(category, post), by: author)
    let past = try pair.reader.past(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(!past.contains { $0.body.contains(Self.secret) || $0.was.contains(Self.secret) })
    func object(_ key: ObjectKey) throws -> Object {
      try ObjectCodec.decode(try #require(try pair.reader.object(key, in: stream)))
    }
    #expect(try object(praise.key) == .reactions(praise))
    guard case .post(let erased) = try object(ObjectKey(kind: .post, id: post.uuid)) else {
      Issue.record("is no post")
      return
    }
    #expect(erased.lastRun?.id == run && erased.lastRun?.outcome == .ok)
    #expect(erased.lastRun?.text == nil)
  }

  private func address(_ key: String, _ user: UserID, _ stream: StreamID) throws -> KeyAddress {
    KeyAddress(stream: stream, actor: user, key: try #require(CommandKey(key)))
  }

  @Test("whatever comes with the key of an erased text gets the first result")
  func repeats() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let post = PostID(driver.name())
    let add = Command.post(.add(category, post, title: Self.secret, notes: ""))
    let first = try driver.run(add, by: author, key: "k")
    try driver.run(.erasePost(category, post), by: author)
    #expect(try driver.run(add, by: author, key: "k") == first)
    #expect(try driver.run(.category(.remove(category)), by: author, key: "k") == first)
  }

  @Test("the hash of a batch goes, whichever list has its key", arguments: StoreKind.allCases)
  func batches(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let first = try driver.category("first", by: author)
    let second = try driver.category("second", by: author)
    let post = PostID(driver.name())
    let add = Command.post(.add(second, post, title: Self.secret, notes: ""))
    try driver.run(.batch([.category(.edit(first, name: "1st")), add]), by: author, key: "both")
    let address = try address("both", author, .category(first))
    #expect(try pair.writer.key(address)?.hash.count == 32)
    try driver.run(.erasePost(second, post), by: author)
    #expect(try pair.writer.key(address)?.hash == [])
  }

  @Test("an undo does not write it again", arguments: StoreKind.allCases)
  func undone(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let stream = StreamID.category(category)
    let post = PostID(driver.name())
    try driver.run(.post(.add(category, post, title: "t", notes: Self.secret)), by: author)
    let cleared = try driver.run(
      .editPost(category, post, PostEdit(notes: ""), ifVersion: nil), by: author)
    let seq = try #require(cleared.events.first?.seq)
    let undo = Command.undo(UndoTarget(stream: stream, events: [seq], seen: nil))
    // The command is in one transaction with the erasing, so the store does not know of the erasing then.
    let works = try [Command.erasePost(category, post), undo].enumerated().map {
      try driver.work($1, by: author, key: "together-\($0)")
    }
    #expect(try driver.run(works).map { try $0.get().changed } == [true, false])
    #expect(try driver.run(undo, by: author).changed == false)
    let key = ObjectKey(kind: .post, id: post.uuid)
    #expect(try pair.reader.object(key, in: stream)?.contains(Self.secret) == false)
    let events = try pair.reader.past(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(!events.contains { $0.body.contains(Self.secret) || $0.was.contains(Self.secret) })
  }

  @Test("text written after the erasing stays, in the same transaction too")
  func later() throws {
    for kind in StoreKind.allCases {
      let pair = try StorePair(kind)
      let driver = LedgerDriver(pair.writer)
      let author = try driver.person("author")
      let category = try driver.category("list", by: author)
      let post = PostID(driver.name())
      let works = try [
        Command.post(.add(category, post, title: Self.secret, notes: "")),
        .erasePost(category, post),
        .editPost(category, post, PostEdit(title: "new"), ifVersion: nil),
      ].enumerated().map { try driver.work($1, by: author, key: "batch-\($0)") }
      for result in try driver.run(works) { _ = try result.get() }
      let stream = StreamID.category(category)
      let events = try pair.reader.events(in: stream, after: 0, through: .max, bytesMax: .max)
      #expect(events.map { $0.body.contains(Self.secret) } == [false, false, false, false])
      #expect(events.last?.body.contains("new") == true)
      let again = try driver.run(.erasePost(category, post), by: author)
      #expect(again.changed && again.version == 4)
      if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
    }
  }

  /// The texts have all lengths, in many lists, and are written over and moved about by other rows. A copy that SQLite
  /// leaves behind in a page is found here.
  @Test("after it no file of the folder has the text", arguments: [1, 2, 3, 4] as [UInt64])
  func remains(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let lists = try (0..<12).map { try driver.category("list \($0)", by: author) }
    var texts: [(CategoryID, PostID, [String])] = []
    for number in 0..<700 {
      if number % 40 == 0 { _ = try store.tidy() }
      let list = lists[Int.random(in: 0..<lists.count, using: &random)]
      let filler = String(
        repeating: "x", count: [5, 80, 400, 2_500].randomElement(using: &random)!)
      // The words by themselves are among those by which posts are found.
      let text = "<secret s\(number)word>"
      if Bool.random(using: &random), let index = texts.indices.randomElement(using: &random) {
        let (list, post, _) = texts[index]
        let edit = PostEdit(notes: text + filler)
        try driver.run(.editPost(list, post, edit, ifVersion: nil), by: author)
        texts[index].2.append(text)
      } else {
        let post = PostID(driver.name())
        try driver.run(.post(.add(list, post, title: text, notes: filler)), by: author)
        texts.append((list, post, [text]))
      }
    }
    let chosen = texts.shuffled(using: &random).prefix(texts.count / 2)
    for (list, post, _) in chosen { try driver.run(.erasePost(list, post), by: author) }
    try store.tidyAll()
    let held = try names(in: folder.path).map { try readFile(folder.path + "/" + $0) }
    for (_, _, secrets) in chosen {
      for secret in secrets.flatMap({ [$0, String($0.dropFirst(8).dropLast())] })
      where held.contains(where: { $0.contains(secret) }) {
        Issue.record("\(secret) is still there")
      }
    }
    #expect(try store.verify().differences == [])
    #expect(try filesHolding("<secret", in: folder) != [], "the others are there")
  }

  @Test("a long list is erased in steps; readers and verify see it as done from the first")
  func steps() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let (category, post, author) = try longList(LedgerDriver(store))
    let stream = StreamID.category(category)
    let reader = try SQLiteStore(reading: folder.data)
    try LedgerDriver(store, from: 9).run(.erasePost(category, post), by: author)
    #expect(try filesHolding(Self.secret, in: folder) != [], "it should take more than one step")
    let events = try reader.events(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(!events.contains { $0.body.contains(Self.secret) })
    let past = try reader.past(in: stream, after: 0, through: .max, bytesMax: .max)
    #expect(!past.contains { $0.body.contains(Self.secret) || $0.was.contains(Self.secret) })
    #expect(try reader.verify().differences == [])

    let copy = folder.path + "/copy"
    try writeFile(copy, [])
    try reader.copy(intoEmptyFile: copy)
    #expect(!(try readFile(copy)).contains(Self.secret), "a copy has it")
    try removeCopy(copy)

    try store.tidyAll()
    #expect(try filesHolding(Self.secret, in: folder) == [])
    #expect(try reader.verify().differences == [])
    #expect(try reader.events(in: stream, after: 0, through: .max, bytesMax: .max) == events)
  }

  private func removeCopy(_ path: String) throws {
    for name in [path, path + "-wal", path + "-shm"] { _ = removeFile(name) }
  }

  /// Makes a list with a secret in the first event, and more events than one step takes.
  private func longList(_ driver: LedgerDriver) throws -> (CategoryID, PostID, UserID) {
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let post = try driver.post(Self.secret, in: category, by: author)
    for round in 0..<9 {
      try driver.run(
        try (0..<500).map { index in
          let command = Command.post(
            .add(
              category, PostID(driver.name()), title: "p", notes: ""))
          return try driver.work(command, by: author, key: "f-\(round)-\(index)")
        })
    }
    return (category, post, author)
  }

  @Test("a crash between the answer and the files loses nothing of it")
  func crash() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let (category, post, author) = try longList(LedgerDriver(store))
    try LedgerDriver(store, from: 9).run(.erasePost(category, post), by: author)
    repeat {
      // These are the files on the disk, as a kill -9 would leave them.
      let left = try TemporaryFolder()
      for name in names(in: folder.path) where name != "lock" && !name.hasSuffix("-shm") {
        try writeFile(left.path + "/" + name, try readFile(folder.path + "/" + name))
      }
      let again = try writer(left.data)
      #expect(try again.verify().differences == [])
      try again.tidyAll()
      #expect(try filesHolding(Self.secret, in: left) == [])
      #expect(try again.verify().differences == [])
    } while try store.tidy()
  }

  @Test("while somebody reads, the log is not cut; afterwards it is")
  func reading() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let category = try driver.category("list", by: author)
    let post = try driver.post(Self.secret, in: category, by: author)
    let reader = try SQLiteStore(reading: folder.data)
    try reader.read { () throws(StoreError) in
      _ = try reader.head(of: .category(category))
      do {
        try driver.run(.erasePost(category, post), by: author)
        try store.tidyAll()
        #expect(try EraseTests.filesHold(Self.secret, folder))
      } catch {
        Issue.record(error)
      }
    }
    try store.tidyAll()
    #expect(try filesHolding(Self.secret, in: folder) == [])
  }

  private static func filesHold(_ text: String, _ folder: TemporaryFolder) throws -> Bool {
    try names(in: folder.path).contains { try readFile(folder.path + "/" + $0).contains(text) }
  }
}
