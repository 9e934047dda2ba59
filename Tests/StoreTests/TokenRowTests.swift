import Domain
import Sync
import Testing
import Wire

@testable import Store

@Suite("EventStore contract: bots and tokens") struct TokenRowTests {
  private static let end = Timestamp(milliseconds: 1_800_000_000_000)

  private func account(
    _ driver: LedgerDriver, _ username: String, owner: UserID? = nil
  ) -> Account {
    Account(
      id: UserID(driver.name()), username: username, password: .none, recoveryGeneration: 0,
      owner: owner)
  }

  /// Makes a session whose hash and time of opening are named by the number.
  private func session(
    _ driver: LedgerDriver, of user: UserID, _ number: UInt8, _ token: Token?
  ) -> SessionRecord {
    SessionRecord(
      id: SessionID(driver.name()), user: user, tokenHash: Array(repeating: number, count: 32),
      deviceHash: nil, client: "nightly build", openedAt: Timestamp(milliseconds: Int64(number)),
      usedAt: .neverUsed, token: token)
  }

  private func token(
    _ driver: LedgerDriver, lists: Set<CategoryID>? = nil, methods: Set<Method>? = nil
  ) -> Token {
    Token(id: TokenID(driver.name()), lists: lists, methods: methods, endsAt: Self.end)
  }

  @Test("a token comes back with its limits, a sign-in with none", arguments: StoreKind.allCases)
  func limits(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let owner = try driver.person("owner")
    let bot = account(driver, "nightly", owner: owner)
    let lists: Set<CategoryID> = [CategoryID(driver.name()), CategoryID(driver.name())]
    let methods: Set<Method> = [.post(.add), .query(.posts), .single(.undo)]
    let tokens: [Token?] = [
      token(driver), token(driver, lists: lists), token(driver, methods: methods),
      token(driver, lists: lists, methods: methods), nil,
    ]
    let sessions = tokens.enumerated().map { index, token in
      session(driver, of: bot.id, UInt8(index + 1), token)
    }
    try pair.writer.commit(
      LedgerTransaction(
        accounts: [.added(bot)] + sessions.map { AccountChange.sessionOpened($0) }))
    #expect(try pair.reader.sessions(of: bot.id) == sessions)
    #expect(try pair.reader.sessions(of: owner) == [])
    for session in sessions {
      #expect(try pair.reader.session(tokenHash: session.tokenHash) == session)
    }
    let loaded = try pair.writer.load([.domain(.sessions(bot.id))])
    #expect(loaded == [.domain(.sessions(sessions))])
  }

  @Test(
    "its use is kept beside its limits, and one that is closed is gone alone",
    arguments: StoreKind.allCases)
  func closing(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let bot = account(driver, "nightly", owner: try driver.person("owner"))
    let first = session(driver, of: bot.id, 1, token(driver, methods: [.post(.add)]))
    let second = session(driver, of: bot.id, 2, token(driver))
    try pair.writer.commit(
      LedgerTransaction(accounts: [
        .added(bot), .sessionOpened(first), .sessionOpened(second),
      ]))
    let later = Timestamp(milliseconds: 86_400_000)
    try pair.writer.commit(LedgerTransaction(accounts: [.sessionUsed(first.id, at: later)]))
    let used = try #require(try pair.reader.session(tokenHash: first.tokenHash))
    #expect(used.usedAt == later && used.token == first.token)
    try pair.writer.commit(
      LedgerTransaction(accounts: [.sessionsClosed([first.id], of: bot.id)]))
    #expect(try pair.reader.session(tokenHash: first.tokenHash) == nil)
    #expect(try pair.reader.sessions(of: bot.id) == [second])
  }

  @Test("the bots of a person are found by username in order", arguments: StoreKind.allCases)
  func owners(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let owner = try driver.person("owner")
    let other = try driver.person("other")
    let bots = ["weekly", "daily", "nightly"].map { account(driver, $0, owner: owner) }
    let another = account(driver, "hourly", owner: other)
    try pair.writer.commit(
      LedgerTransaction(accounts: (bots + [another]).map { AccountChange.added($0) }))
    let sorted = bots.sorted { $0.username < $1.username }
    #expect(try pair.reader.bots(of: owner) == sorted)
    #expect(try pair.reader.bots(of: other) == [another])
    #expect(try pair.reader.bots(of: bots[0].id) == [])
    #expect(try pair.reader.account(bots[0].id) == bots[0])
    #expect(try pair.reader.account(username: "hourly") == another)
    #expect(try pair.reader.account(owner)?.owner == nil)
    let loaded = try pair.writer.load([.domain(.bots(owner))])
    #expect(loaded == [.domain(.users(sorted.map(\.id)))])
  }

  @Test(
    "a bot that is given is its new owner's, and nobody is given who is not there",
    arguments: StoreKind.allCases)
  func given(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let owner = try driver.person("owner")
    let other = try driver.person("other")
    var bot = account(driver, "nightly", owner: owner)
    let program = try driver.person("program", kind: .bot)
    try pair.writer.commit(LedgerTransaction(accounts: [.added(bot)]))
    try pair.writer.commit(
      LedgerTransaction(accounts: [.given(bot.id, to: other), .given(program, to: other)]))
    bot.owner = other
    #expect(try pair.reader.bots(of: owner) == [])
    #expect(try pair.reader.bots(of: other).map(\.id) == [bot.id, program])
    #expect(try pair.reader.account(bot.id) == bot)
    let nobody = UserID(driver.name())
    #expect(throws: StoreError.self) {
      try pair.writer.commit(LedgerTransaction(accounts: [.given(nobody, to: owner)]))
    }
    #expect(try pair.reader.bots(of: owner) == [])
  }

  @Test("a bot without a password is no guest", arguments: StoreKind.allCases)
  func guests(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let bot = account(driver, "nightly", owner: try driver.person("owner"))
    let guest = account(driver, "guest-1")
    let used = Timestamp(milliseconds: 100)
    let byToken = session(driver, of: bot.id, 1, token(driver))
    let signedIn = session(driver, of: guest.id, 2, nil)
    try pair.writer.commit(
      LedgerTransaction(accounts: [
        .added(bot), .sessionOpened(byToken), .sessionUsed(byToken.id, at: used),
      ]))
    #expect(try pair.reader.guestCount(usedSince: used) == 0)
    try pair.writer.commit(
      LedgerTransaction(accounts: [
        .added(guest), .sessionOpened(signedIn), .sessionUsed(signedIn.id, at: used),
      ]))
    #expect(try pair.reader.guestCount(usedSince: used) == 1)
  }

  @Test("the commands about bots and tokens get into the rows", arguments: StoreKind.allCases)
  func commands(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let owner = try driver.person("owner")
    let heir = try driver.person("heir")
    let list = try driver.category("builds", by: owner)
    try driver.bring(heir, "heir", to: .category(list), by: owner)
    let bot = UserID(driver.name())
    let new = NewBot(id: bot, username: "nightly", name: "Nightly", zone: "UTC")
    try driver.run(.bot(.add(new)), by: owner)
    #expect(try pair.reader.bots(of: owner).map(\.id) == [bot])
    let id = TokenID(driver.name())
    let hash = [UInt8](repeating: 5, count: 32)
    var wish = NewToken(name: "nightly build", lists: [list], methods: [.post(.add)], days: 30)
    wish.made = NewToken.Made(session: SessionID(driver.name()), hash: hash)
    try driver.run(.bot(.addToken(bot, id, wish)), by: owner)
    let held = try #require(try pair.reader.session(tokenHash: hash))
    let token = try #require(held.token)
    #expect(held.user == bot && held.client == "nightly build" && held.usedAt == .neverUsed)
    #expect(token.id == id && token.lists == [list] && token.methods == [.post(.add)])
    try driver.run(.bot(.give(bot, to: "heir")), by: owner)
    #expect(try pair.reader.bots(of: owner) == [])
    #expect(try pair.reader.bots(of: heir).map(\.id) == [bot])
    #expect(try pair.reader.sessions(of: bot) == [])
    let next = TokenID(driver.name())
    wish.made = NewToken.Made(session: SessionID(driver.name()), hash: hash)
    try driver.run(.bot(.addToken(bot, next, wish)), by: heir)
    #expect(try pair.reader.sessions(of: bot).compactMap(\.token?.id) == [next])
    try driver.run(.bot(.end(bot)), by: heir)
    #expect(try pair.reader.sessions(of: bot) == [])
    #expect(try pair.reader.bots(of: heir).map(\.id) == [bot])
    if let store = pair.writer as? SQLiteStore {
      #expect(try store.verify().differences == [])
    }
  }

  @Test("a bot whose account has ended is nobody's", arguments: StoreKind.allCases)
  func ended(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let owner = try driver.person("owner")
    let bot = UserID(driver.name())
    let new = NewBot(id: bot, username: "nightly", name: "Nightly", zone: "UTC")
    try driver.run(.bot(.add(new)), by: owner)
    try driver.run([.askForEnd(bot, days: 0)])
    try driver.run([.endAccount(bot, mark: "mark of nightly")])
    #expect(try pair.reader.account(bot) == nil)
    #expect(try pair.reader.bots(of: owner) == [])
  }
}
