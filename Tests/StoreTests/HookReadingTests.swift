import Calendar
import Domain
import TestRandom
import Testing
import Wire

@testable import Store
@testable import Sync

private struct Unexpected: Error {}

/// A reader beside a driver, with a bot that has a token and a sign-in.
private struct Reading {
  let driver: LedgerDriver
  let reader: Reader<[UInt8]>
  let author: UserID
  let list: CategoryID
  let bot: UserID
  let token: String
  let signIn = "a sign-in"

  init(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    self.driver = driver
    author = try driver.person("author")
    list = try driver.category("builds", by: author)
    let account = Account(
      id: UserID(driver.name()), username: "nightly", password: .none, recoveryGeneration: 0,
      owner: author)
    bot = account.id
    let made = Token(id: TokenID(driver.name()), lists: [list], endsAt: Self.end)
    token = CodeBook.none.token(made.id, bot)
    let sessions = [(token, made), (signIn, nil)].map { text, token in
      SessionRecord(
        id: SessionID(driver.name()), user: account.id, tokenHash: testDigest([text]),
        deviceHash: nil, client: "a program", openedAt: Timestamp(milliseconds: 1),
        usedAt: .neverUsed, token: token)
    }
    try pair.writer.commit(
      LedgerTransaction(
        accounts: [.added(account)] + sessions.map { AccountChange.sessionOpened($0) }))
    reader = Reader(
      pair.reader, hellos: UserLimits(TokenRate(count: 60, everyMilliseconds: 60_000, burst: 60)),
      snapshotBytesMax: 1 << 20,
      ReaderTools(
        server: ServerName(name: "tests", version: "1"), tokenHash: { testDigest([$0]) },
        startOfDay: { _, _ in nil }, frame: { $0 }, almanac: .system))
  }

  private static let end = Timestamp(milliseconds: 1_800_000_000_000)

  func read(
    _ body: String, token: String? = nil, at now: Int64 = 0, counts: Bool = true
  ) throws -> HookReading {
    try reader.read(
      HookMessage(
        token: token ?? self.token, body: Array(body.utf8), form: .form, list: nil, key: nil,
        fresh: "fresh", digest: testDigest),
      at: SessionMoment(milliseconds: now, wall: Timestamp(milliseconds: 172_800_000)),
      counts: { _ in counts })
  }

  func post(_ body: String) throws -> PostID {
    guard case .read(let order, _) = try read(body) else { throw Unexpected() }
    return try order.get().requests.post
  }

  /// Adds the post of a thing as a client would, under an id of its own.
  func bring(_ id: String) throws -> PostID {
    let post = PostID(driver.name())
    let item = ImportedPost(
      source: SourceKey(name: HookReport.things, id: id), url: nil,
      fields: PostEdit(title: "brought"))
    try driver.run(
      .post(.importUpsert(PostAddress(category: list, post: post), item)), by: author)
    return post
  }
}

@Suite("protocol §5.17: the owner of a report, and the post that is meant")
struct HookReadingTests {
  @Test("a token of a bot is good, and nothing else is", arguments: StoreKind.allCases)
  func tokens(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    guard case .read(.success, let used) = try it.read("title=x") else { throw Unexpected() }
    #expect(used?.user == it.bot && used?.token?.lists == [it.list])
    for token in [it.signIn, "", "x", it.token + "x"] {
      for body in ["title=x", "title="] {
        guard case .unwelcome = try it.read(body, token: token) else { throw Unexpected() }
      }
    }
    guard case .countedElsewhere(it.bot) = try it.read("title=x", counts: false) else {
      throw Unexpected()
    }
    guard case .read(.failure(let failure), _) = try it.read("title=") else { throw Unexpected() }
    #expect(failure.kind == .invalid)
  }

  @Test("a bot that reports too often has to wait")
  func rate() throws {
    let it = try Reading(.memory)
    func isTaken(at now: Int64) throws -> Bool {
      guard case .read(let order, _) = try it.read("title=x", at: now) else { throw Unexpected() }
      if case .failure(.rateLimited) = order { return false }
      return true
    }
    var taken = 0
    while try isTaken(at: 0) { taken += 1 }
    #expect(taken == Limits.botCommandsBurst)
    #expect(try isTaken(at: 60_000))
  }

  @Test(
    "the post of a thing is found by its source, whoever brought it", arguments: StoreKind.allCases)
  func found(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    let brought = try it.bring("7")
    #expect(try it.post("id=7&title=x") == brought)
    #expect(try it.post("id=7&title=x&source=other") != brought)
    #expect(try it.post("id=77&title=x") != brought)
    try it.driver.run(.removePost(it.list, brought, ifVersion: nil), by: it.author)
    #expect(try it.post("id=7&title=x") == brought)
  }

  @Test("where its text was erased a thing is a new post", arguments: StoreKind.allCases)
  func erased(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    var seen: [PostID] = []
    for _ in 0..<3 {
      let post = try it.post("id=7&title=x")
      #expect(!seen.contains(post))
      seen.append(post)
      let item = ImportedPost(
        source: SourceKey(name: HookReport.things, id: "7"), url: nil,
        fields: PostEdit(title: "x"))
      try it.driver.run(
        .post(.importUpsert(PostAddress(category: it.list, post: post), item)), by: it.author)
      #expect(try it.post("id=7&title=x") == post)
      try it.driver.run(.erasePost(it.list, post), by: it.author)
    }
  }
}
