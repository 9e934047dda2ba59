import Domain
import PowerLoss
import Sync
import Testing
import Wire

@testable import Store

extension LedgerDriver {
  /// Ends accounts as the ledger's thread does, until nothing more comes. Each part runs on a ledger that knows
  /// nothing.
  fileprivate func endAccounts(each: () throws -> Void = {}) throws {
    var ends = AccountEnds()
    var left = 1_000
    while let works = try ends.works(
      in: store, wall: Timestamp(milliseconds: now), machine: 0, mark: { "mark of \($0.count)" })
    {
      for result in try run(works) { _ = try result.get() }
      try each()
      left -= 1
      try #require(left > 0, "it does not end")
    }
  }
}

/// A person with a name that is nowhere else, who has done everything that writes it somewhere.
private struct Zoo {
  static let username = "zebra.quagga"
  static let botname = "quagga-bot"
  static let names = [username, "ZEBRA.QUAGGA", "Quagga the Second", botname]

  let driver: LedgerDriver
  let keeper, quagga, stranger: UserID
  /// The person's bot, in the shared list.
  let bot: UserID
  let shared, own, left, asked: CategoryID
  let group: GroupID
  let post: PostID
  /// The number of the line that the person said in the shared list.
  let line: Int64
  /// The event of the shared list to which the person has reacted.
  let praised: Int64
  let chore: PostID

  init(_ driver: LedgerDriver) throws {
    self.driver = driver
    keeper = try driver.person("keeper")
    quagga = try driver.person(Zoo.username)
    stranger = try driver.person("stranger")
    _ = try driver.session(of: quagga, token: 9)
    shared = try driver.category("shared", by: keeper)
    left = try driver.category("left", by: keeper)
    asked = try driver.category("asked", by: keeper)
    group = try driver.group("group", by: keeper)
    let inGroup = try driver.category("in the group", by: keeper, in: group)
    own = try driver.category("own", by: quagga)
    for stream in [StreamID.category(shared), .category(left), .group(group)] {
      try driver.bring(quagga, Zoo.username, to: stream, by: keeper)
    }
    post = try driver.post("written by them", in: shared, by: quagga)
    _ = try driver.post("a secret plan", in: own, by: quagga)
    try driver.run(.post(.change(shared, post, .assign(quagga))), by: keeper)
    try driver.run(
      .account(.editProfile(ProfileEdit(name: "Quagga the Second", location: "Cape"))), by: quagga)
    try driver.run(.member(.leave(.category(left))), by: quagga)
    try driver.run(.member(.setRole(.category(shared), quagga, .admin)), by: keeper)
    func ask(_ username: String, to list: CategoryID, by user: UserID) throws {
      let id = InvitationID(driver.name())
      try driver.run(.invitation(.send(id, .category(list), username: username, .viewer)), by: user)
    }
    try ask("stranger", to: shared, by: quagga)
    try ask("stranger", to: own, by: quagga)
    try ask(Zoo.username, to: asked, by: keeper)
    try driver.run(.person(.block(username: Zoo.username)), by: stranger)
    // This changes nothing: no event names it, and its hash is of the name.
    try driver.run(.person(.block(username: Zoo.username)), by: stranger, key: "in-vain")
    try driver.run(.person(.block(username: Zoo.username)), by: keeper)
    try driver.run(.person(.unblock(quagga)), by: keeper)
    _ = try driver.post("the last one", in: inGroup, by: quagga)
    bot = try driver.bot(Zoo.botname, in: shared, by: quagga)
    chore = try driver.post("a chore", in: shared, by: keeper)
    let done = try driver.run(.completePost(shared, chore, ifVersion: nil), by: keeper)
    praised = try #require(done.events.first?.seq)
    let said = try driver.run(.line(.say(.category(shared), text: "No more work")), by: quagga)
    line = try #require(said.events.first?.seq)
    try work()
  }

  /// Lets the person and their bot have a run each, of which the bot's goes on, and people react and mute.
  private func work() throws {
    let (first, second) = (RunID(driver.name()), RunID(driver.name()))
    try driver.run(.changeRun(shared, post, first, .start(lease: 60_000, phase: nil)), by: quagga)
    try driver.run(.changeRun(shared, post, first, .end(.failed, text: "exit 3")), by: quagga)
    try driver.run(.changeRun(shared, post, second, .start(lease: 60_000, phase: "test")), by: bot)
    try driver.run(.react(shared, event: praised, sign: "👏"), by: quagga)
    try driver.mute([.user(quagga), .user(bot)], by: keeper)
    try driver.mute([.category(shared)], by: quagga)
  }

  var streams: [StreamID] {
    [
      .category(shared), .category(own), .category(left), .category(asked), .group(group),
      .user(keeper), .user(quagga), .user(stranger), .user(bot),
    ]
  }

  /// Returns the places of the name in everything that a reader gets.
  func named(by store: any EventStore) throws -> [String] {
    var found: [String] = []
    for stream in streams {
      let past = try store.past(in: stream, after: 0, through: .max, bytesMax: .max)
      let objects = try store.snapshot(of: stream)?.objects ?? []
      for bytes in past.flatMap({ [$0.body, $0.was] }) + objects {
        let text = String(decoding: bytes, as: UTF8.self)
        if Zoo.names.contains(where: text.contains) { found.append("\(stream): \(text)") }
      }
    }
    return found
  }

  func end() throws {
    try driver.run(.account(.delete(days: 14)), by: quagga)
    driver.pass(to: Timestamp(milliseconds: driver.now + 15 * 86_400_000))
  }
}

@Suite("protocol §5.9: the end of an account, in stores")
struct AccountEndTests {
  @Test(
    "nothing names the person any more, and what they wrote stays", arguments: StoreKind.allCases)
  func forgotten(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    try zoo.end()
    #expect(try zoo.named(by: pair.reader).count > 10)
    try zoo.driver.endAccounts()
    #expect(try zoo.named(by: pair.reader) == [])
    #expect(try pair.reader.account(zoo.quagga) == nil)
    #expect(try pair.reader.account(username: Zoo.username) == nil)
    #expect(try pair.reader.sessions(of: zoo.quagga) == [])
    #expect(try pair.reader.streams(of: zoo.quagga) == [])
    #expect(try pair.reader.isSpent(code: "mark of 12"))
    #expect(try pair.reader.endingAccounts(through: .distantFuture, limit: 9) == [])
    let key = ObjectKey(kind: .post, id: zoo.post.uuid)
    let body = try #require(try pair.reader.object(key, in: .category(zoo.shared)))
    guard case .post(let post) = try ObjectCodec.decode(body) else {
      Issue.record("is no post")
      return
    }
    #expect(post.title == "written by them" && post.addedBy == zoo.quagga)
  }

  @Test(
    "members see somebody without a name; who was asked hears that it is over",
    arguments: StoreKind.allCases)
  func former(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    try zoo.end()
    try zoo.driver.endAccounts()
    let key = ObjectKey(kind: .member, id: zoo.quagga.uuid)
    for stream in [StreamID.category(zoo.shared), .category(zoo.left), .group(zoo.group)] {
      let body = try #require(try pair.reader.object(key, in: stream))
      guard case .member(let member) = try ObjectCodec.decode(body) else {
        Issue.record("is no member")
        return
      }
      #expect(member.username == "" && member.name == "" && member.role == nil, "\(stream)")
    }
    for stream in zoo.streams {
      #expect(try pair.reader.objects(.invitation, in: stream) == [], "\(stream)")
      #expect(try pair.reader.objects(.block, in: stream) == [], "\(stream)")
    }
  }

  @Test(
    "A bot goes with its owner, whose reaction, run and line of talk stay without a name",
    arguments: StoreKind.allCases)
  func bots(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    #expect(try pair.reader.sessions(of: zoo.bot).count == 1)
    #expect(try pair.reader.webhooks().count == 1)
    try zoo.end()
    try zoo.driver.endAccounts()
    #expect(try pair.reader.account(zoo.bot) == nil)
    #expect(try pair.reader.bots(of: zoo.quagga) == [])
    #expect(try pair.reader.sessions(of: zoo.bot) == [])
    #expect(try pair.reader.webhooks() == [])
    let list = StreamID.category(zoo.shared)
    func object(_ key: ObjectKey) throws -> Object {
      try ObjectCodec.decode(try #require(try pair.reader.object(key, in: list)))
    }
    let praise = Reactions(
      to: zoo.praised, [Reaction(user: zoo.quagga, sign: "👏", post: zoo.chore)])
    #expect(try object(praise.key) == .reactions(praise))
    guard case .line(let line) = try object(TalkLine.key(of: zoo.line)) else {
      Issue.record("is no line")
      return
    }
    #expect(line.said.by == zoo.quagga && line.text == "No more work")
    guard case .post(let post) = try object(ObjectKey(kind: .post, id: zoo.post.uuid)),
      case .member(let bot) = try object(ObjectKey(kind: .member, id: zoo.bot.uuid))
    else {
      Issue.record("is no post, or no member")
      return
    }
    #expect(post.lastRun?.user == zoo.quagga && post.lastRun?.text == "exit 3")
    #expect(bot.username == "" && bot.name == "" && bot.role == nil)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("The work of somebody who is gone reminds who added it", arguments: StoreKind.allCases)
  func work(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    let due = PostEdit(due: .set(.day(try #require(Day("2099-12-24")))))
    try zoo.driver.run(.editPost(zoo.shared, zoo.chore, due, ifVersion: nil), by: zoo.keeper)
    try zoo.driver.run(.reopenPost(zoo.shared, zoo.chore, ifVersion: nil), by: zoo.keeper)
    try zoo.driver.run(.post(.change(zoo.shared, zoo.chore, .assign(zoo.quagga))), by: zoo.keeper)
    try zoo.driver.look()
    try zoo.end()
    try zoo.driver.endAccounts()
    try zoo.driver.look()
    let rows = try pair.writer.dueReminders(through: Timestamp(milliseconds: 1 << 52), limit: 9)
    let address = PostAddress(category: zoo.shared, post: zoo.chore)
    #expect(rows.map(\.key) == [.post(ReminderKey(person: zoo.keeper, post: address))])
  }

  @Test(
    "A place with nobody else goes with it, and its id is never given again",
    arguments: StoreKind.allCases)
  func dropped(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    try zoo.end()
    try zoo.driver.endAccounts()
    while try pair.writer.tidy() {}
    for stream in [StreamID.category(zoo.own), .user(zoo.quagga), .user(zoo.bot)] {
      #expect(try pair.reader.head(of: stream)?.isDropped == true)
      #expect(try pair.reader.events(in: stream, after: 0, through: .max, bytesMax: .max) == [])
      #expect(try pair.reader.snapshot(of: stream)?.objects == [])
    }
    let again = Command.category(.add(zoo.own, name: "again", group: nil))
    #expect(throws: Refusal.exists(field: "id")) { try zoo.driver.run(again, by: zoo.keeper) }
    let person = Command.account(
      .register(
        Registration(
          id: zoo.quagga, username: "somebody", name: "S", zone: "UTC",
          password: PasswordHash(phc: "$"), code: nil)))
    #expect(throws: Refusal.exists(field: "id")) { try zoo.driver.run(person, by: zoo.quagga) }
  }

  @Test("no file of the folder has the name, nor what was theirs alone", arguments: [false, true])
  func files(trimmed: Bool) throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let zoo = try Zoo(LedgerDriver(store))
    try zoo.end()
    if trimmed {
      while !(try store.trim(before: Timestamp(milliseconds: zoo.driver.now)).isDone) {}
    }
    #expect(try filesHolding(Zoo.username, in: folder) != [])
    #expect(try filesHolding(".example.org/hook", in: folder) != [])
    try zoo.driver.endAccounts { _ = try store.tidy() }
    while try store.tidy() {}
    // The names of the bot's token and webhook have the bot's name in them, and so has the webhook's address.
    for text in Zoo.names + ["a secret plan", "Cape", ".example.org/hook"] {
      #expect(try filesHolding(text, in: folder) == [], "\(text)")
    }
    #expect(try store.verify().differences == [])
    let address = KeyAddress(
      stream: .user(zoo.stranger), actor: zoo.stranger, key: try #require(CommandKey("in-vain")))
    #expect(try store.key(address)?.hash == [])
  }

  @Test(
    "an event that does not say the name keeps its bytes, and its key its hash",
    arguments: StoreKind.allCases)
  func unsaid(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    let driver = zoo.driver
    try driver.run(
      .post(.change(zoo.shared, zoo.post, .unassign(zoo.quagga))), by: zoo.keeper, key: "unassigned"
    )
    let head = try #require(try pair.reader.head(of: .category(zoo.shared)))
    func newest() throws -> [StoredPast] {
      try pair.reader.past(
        in: .category(zoo.shared), after: head.seq - 1, through: head.seq, bytesMax: .max)
    }
    let before = try newest()
    try zoo.end()
    try driver.endAccounts()
    while try pair.writer.tidy() {}
    #expect(try newest() == before)
    let body = String(decoding: try #require(before.first).body, as: UTF8.self)
    #expect(body.contains("\(zoo.quagga)"))
    let address = KeyAddress(
      stream: .category(zoo.shared), actor: zoo.keeper, key: try #require(CommandKey("unassigned")))
    #expect(try pair.reader.key(address)?.hash.count == 32)
  }

  @Test("texts are erased beside it: both are in no file in the end")
  func erasedBeside() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let zoo = try Zoo(LedgerDriver(store))
    let post = try zoo.driver.post("a slip of the pen", in: zoo.shared, by: zoo.keeper)
    try zoo.end()
    try zoo.driver.run(.erasePost(zoo.shared, post), by: zoo.keeper)
    try zoo.driver.endAccounts()
    var left = 10_000
    while try store.tidy() {
      left -= 1
      try #require(left > 0, "it is erased without end")
    }
    for text in Zoo.names + ["a slip of the pen"] {
      #expect(try filesHolding(text, in: folder) == [], "\(text)")
    }
    #expect(try store.verify().differences == [])
  }

  @Test("it goes on wherever it was interrupted; it is sound at every moment")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let zoo = try Zoo(LedgerDriver(store))
    try zoo.end()
    var later: UInt64 = 20
    var left = 200
    while try !store.endingAccounts(through: .distantFuture, limit: 1).isEmpty {
      #expect(try store.verify().differences == [])
      var ends = AccountEnds()
      let driver = LedgerDriver(store, from: later)
      // Time goes on from driver to driver, because the bot ends a little later than its owner.
      driver.pass(to: Timestamp(milliseconds: zoo.driver.now + Int64(later) * 10_000))
      later += 1
      let works = try ends.works(
        in: store, wall: Timestamp(milliseconds: driver.now), machine: 0,
        mark: { "mark of \($0.count)" })
      // This does only the first of its parts.
      for result in try driver.run(Array((works ?? []).prefix(1))) { _ = try result.get() }
      left -= 1
      try #require(left > 0, "it does not end")
    }
    #expect(try zoo.named(by: store) == [])
    while try store.tidy() { #expect(try store.verify().differences == []) }
    #expect(try filesHolding(Zoo.username, in: folder) == [])
  }

  @Test("it ends the same whichever call to the store fails", arguments: FaultyStore.Fault.allCases)
  func everyCall(_ fault: FaultyStore.Fault) throws {
    let expected = try ended(failing: .max, fault).lines
    for call in 1..<1_000 {
      let (lines, hasFailed) = try ended(failing: call, fault)
      #expect(lines == expected, "call \(call)")
      guard hasFailed else {
        #expect(call > 40)
        return
      }
    }
    Issue.record("it calls the store without end")
  }

  /// Ends an account with a store that fails at one call. Returns what is left, and whether that call came.
  private func ended(
    failing call: Int, _ fault: FaultyStore.Fault
  ) throws -> (lines: [String], hasFailed: Bool) {
    let real = MemoryStore(MemoryDatabase(identity: testIdentity))
    let zoo = try Zoo(LedgerDriver(real))
    try zoo.end()
    let store = FaultyStore(real, failing: call, with: fault)
    var ledger = Ledger(
      storeEpoch: real.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
    var ends = AccountEnds()
    var names: UInt64 = 0
    let tools = LedgerTools(
      newTransaction: { _ in
        names += 1
        return TransactionID(UUID(high: 3, low: names))
      }, isZone: { _ in true }, hasRoom: { _ in true })
    let now = Timestamp(milliseconds: zoo.driver.now)
    var machine: Int64 = 0
    while try machine < 500_000_000 && !real.endingAccounts(through: now, limit: 1).isEmpty {
      // So much later nothing is left alone any more.
      machine += 1_000_000
      do throws(StoreError) {
        let works = try ends.works(in: store, wall: now, machine: machine) { "mark \($0.count)" }
        guard let works else { continue }
        let turn = ledger.turn(works, at: now, in: store, tools) { transaction throws(StoreError) in
          try store.commit(transaction)
        }
        _ = ends.note(works, turn, machine: machine)
      } catch {
        continue
      }
    }
    var lines = try zoo.named(by: real)
    for stream in zoo.streams {
      guard let snapshot = real.snapshot(of: stream) else { continue }
      lines.append("\(stream) \(snapshot.head.seq) \(snapshot.head.isDropped)")
      lines += snapshot.objects.map { String(decoding: $0, as: UTF8.self) }
    }
    lines.append("\(try real.endingAccounts(through: now, limit: 1))")
    return (lines, store.hasFailed)
  }

  @Test("one that cannot be gone on with keeps no other", arguments: StoreKind.allCases)
  func aside(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let first = try driver.person("first")
    let second = try driver.person("second")
    for user in [first, second] { try driver.run(.account(.delete(days: 1)), by: user) }
    var ends = AccountEnds()
    func works(_ machine: Int64) throws -> LedgerWork? {
      try ends.works(in: pair.writer, wall: .distantFuture, machine: machine) { $0 }?.first
    }
    #expect(try works(0) == .endAccount(first, mark: "first"))
    let nothing = LedgerTurn.idle
    #expect(
      ends.note([.endAccount(first, mark: "first")], nothing, machine: 0) == first)
    #expect(try works(1) == .endAccount(second, mark: "second"))
    #expect(ends.note([.endAccount(second, mark: "second")], nothing, machine: 1) == second)
    #expect(try works(2) == nil)
    #expect(try works(30_000) == .endAccount(first, mark: "first"))
  }

  @Test("a copy that is taken on the way ends it too", arguments: [1, 3, 6])
  func copied(after parts: Int) throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let zoo = try Zoo(LedgerDriver(store))
    try zoo.end()
    var ends = AccountEnds()
    for _ in 0..<parts {
      let works = try ends.works(
        in: store, wall: Timestamp(milliseconds: zoo.driver.now), machine: 0,
        mark: { "mark of \($0.count)" })
      _ = try zoo.driver.run(works ?? [])
    }
    let copy = try TemporaryFolder()
    try writeFile(copy.data.databasePath, [])
    try SQLiteStore(reading: folder.data).copy(intoEmptyFile: copy.data.databasePath)
    let other = try writer(copy.data)
    let driver = LedgerDriver(other, from: 7)
    driver.pass(to: Timestamp(milliseconds: zoo.driver.now))
    try driver.endAccounts()
    while try other.tidy() {}
    #expect(try filesHolding(Zoo.username, in: copy) == [])
    #expect(try other.verify().differences == [])
  }

  @Test("who keeps the account keeps everything", arguments: StoreKind.allCases)
  func kept(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    try zoo.end()
    try zoo.driver.run(.account(.keep), by: zoo.quagga)
    try zoo.driver.endAccounts()
    #expect(try pair.reader.account(zoo.quagga) != nil)
    #expect(try pair.reader.streams(of: zoo.quagga).count == 5)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("a work that comes too early, or too late, does nothing", arguments: StoreKind.allCases)
  func early(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let zoo = try Zoo(LedgerDriver(pair.writer))
    let work = LedgerWork.endAccount(zoo.quagga, mark: "mark")
    #expect(try zoo.driver.run([work]).map { try $0.get().changed } == [false])
    try zoo.driver.run(.account(.delete(days: 14)), by: zoo.quagga)
    #expect(try zoo.driver.run([work]).map { try $0.get().changed } == [false])
    #expect(try pair.reader.account(zoo.quagga) != nil)
    try zoo.end()
    try zoo.driver.endAccounts()
    #expect(try zoo.driver.run([work]).map { try $0.get().changed } == [false])
  }
}

extension LedgerTurn {
  /// A turn of works that changed nothing.
  fileprivate static var idle: LedgerTurn {
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    let store = MemoryStore(MemoryDatabase(identity: testIdentity))
    let tools = LedgerTools(
      newTransaction: { _ in nil }, isZone: { _ in true }, hasRoom: { _ in true })
    return ledger.turn([], at: Timestamp(milliseconds: 0), in: store, tools) {
      (_) throws(StoreError) in
    }
  }
}
