import Domain
import MethodSamples
import Testing
import Wire

@testable import Sync

@Suite("protocol §5.12: the reach of a token") struct TokenReachTests {
  private static let list = Household.list
  private static let other = Household.ownList
  private static let end = Timestamp(milliseconds: 300 * 86_400_000)
  private static let elsewhere = Failure.refused(.forbidden("this token is for other lists"))

  private static func token(
    lists: Set<CategoryID>? = nil, methods: Set<Method>? = nil
  ) -> Token {
    Token(id: TokenID(UUID(high: 1, low: 1)), lists: lists, methods: methods, endsAt: end)
  }

  private static func add(_ category: CategoryID) -> Command {
    .post(.add(category, Household.newPost, title: "new", notes: ""))
  }

  private func failure(
    _ request: Request, _ method: Method, by token: Token
  ) -> Failure? {
    RequestEnvelope(id: .number(1), method: method, request: request, canonical: [])
      .failure(by: token, of: Household.sender)
  }

  private func failure(_ command: Command, by token: Token) throws -> Failure? {
    let key = try #require(CommandKey("k"))
    return failure(.command(command, key: key, base: nil), command.method, by: token)
  }

  /// Returns the answer to a query. A token with lists alone does not look at the method.
  private func failure(_ query: Query, by token: Token) -> Failure? {
    failure(.query(query), .query(.posts), by: token)
  }

  @Test(
    "to name a method that no token may call allows nothing",
    arguments: Method.allCases.filter { !$0.row.isOpenToTokens })
  func closed(_ method: Method) {
    let refusal = Failure.refused(.forbidden("no token may call \(method.name)"))
    let named = Self.token(methods: [method])
    #expect(failure(.ping, method, by: named) == refusal)
    let all = Self.token(lists: [Self.list], methods: Set(Method.allCases))
    #expect(failure(.ping, method, by: all) == refusal)
  }

  @Test("the connection's methods are always allowed", arguments: ConnectionMethod.allCases)
  func connection(_ method: ConnectionMethod) {
    let token = Self.token(lists: [Self.list], methods: [.post(.add)])
    for request in [Request.ping, .about, .open([]), .close([])] {
      #expect(failure(request, .connection(method), by: token) == nil)
    }
  }

  @Test("a batch is judged by its commands, not by its name")
  func batches() throws {
    let add = Self.add(Self.list)
    let remove = Command.removePost(Self.list, Household.open, ifVersion: nil)
    let adding = Self.token(methods: [.post(.add)])
    #expect(try failure(.batch([add, add]), by: adding) == nil)
    let notAllowed = Failure.refused(.forbidden("this token does not allow post.remove"))
    #expect(try failure(.batch([add, remove]), by: adding) == notAllowed)
    let batching = Self.token(methods: [.single(.batch)])
    #expect(
      try failure(.batch([add]), by: batching)
        == .refused(.forbidden("this token does not allow post.add")))
  }

  @Test("a batch reaches no further than its commands may")
  func batchesOfLists() throws {
    let (here, there) = (Self.add(Self.list), Self.add(Self.other))
    let one = Self.token(lists: [Self.list])
    let both = Self.token(lists: [Self.list, Self.other])
    for commands in [[here, there], [there, here]] {
      #expect(try failure(.batch(commands), by: one) == Self.elsewhere)
      #expect(try failure(.batch(commands), by: both) == nil)
    }
    #expect(try failure(.batch([here, here]), by: one) == nil)
  }

  @Test("a command of the bot's own stream or of a group is not for lists")
  func homes() throws {
    let token = Self.token(lists: [Self.list])
    let commands: [Command] = [
      .markRead(.category(Self.list), seq: 1), .invitation(.accept(Household.newInvitation)),
      .group(.edit(Household.group, name: "new")),
      .member(.leave(.group(Household.group))),
      .changePersonal(Self.list, Household.open, .note("note")),
    ]
    for command in commands {
      #expect(try failure(command, by: token) == Self.elsewhere, "\(command)")
      #expect(try failure(command, by: Self.token()) == nil, "\(command)")
    }
  }

  /// Returns every query that is about one list.
  private func queries(about list: CategoryID) -> [Query] {
    let stream = StreamID.category(list)
    let day = Household.farDay
    return [
      .posts(PostsQuery(category: list, show: .done, before: nil, limit: 1)),
      .members(stream), .codes(stream), .links(list),
      .twins(TwinsQuery(category: list, title: "milk")),
      .stats(StatsQuery(stream, from: day, to: day)),
      .history(.events(HistoryEventsQuery(stream: stream, limit: 1))),
      .history(.state(HistoryStateQuery(category: list, moment: .seq(1), page: 1))),
      .history(.difference(HistoryDifferenceQuery(category: list, from: 1, to: 2, page: 1))),
      .history(.undo(UndoQuery(stream: stream, selection: .events([1])))),
    ]
  }

  @Test("a query about one of its lists is answered, about another list not")
  func queriesOfLists() {
    let token = Self.token(lists: [Self.list])
    for query in queries(about: Self.list) {
      #expect(failure(query, by: token) == nil, "\(query)")
    }
    for query in queries(about: Self.other) {
      #expect(failure(query, by: token) == Self.elsewhere, "\(query)")
      #expect(failure(query, by: Self.token()) == nil, "\(query)")
    }
  }

  @Test("a query about a group or about no single list is refused, even when it names the list")
  func queriesOfAll() throws {
    let token = Self.token(lists: [Self.list])
    let group = StreamID.group(Household.group)
    let day = Household.farDay
    let search = try #require(SearchQuery("milk", in: [Self.list]))
    let queries: [Query] = [
      .profile, .removedCategories, .badges(BadgesQuery()), .notifications(limit: 1),
      .search(search), .view(ViewQuery()), .view(ViewQuery(in: [Self.list])),
      .agenda(AgendaQuery(from: day, to: day, in: [Self.list])),
      .digest(DigestQuery(day: day)), .members(group), .codes(group),
      .stats(StatsQuery(group, from: day, to: day)),
      .history(.events(HistoryEventsQuery(stream: group, limit: 1))),
    ]
    for query in queries {
      #expect(failure(query, by: token) == Self.elsewhere, "\(query)")
      #expect(failure(query, by: Self.token()) == nil, "\(query)")
    }
  }

  @Test("a thing that holds for a moment is told in its lists alone")
  func moments() {
    let token = Self.token(lists: [Self.list])
    func told(_ request: EphemeralRequest, _ method: MomentMethod) -> Failure? {
      failure(.ephemeral(request), .moment(method), by: token)
    }
    let rows: [(CategoryID, Failure?)] = [(Self.list, nil), (Self.other, Self.elsewhere)]
    for (list, expected) in rows {
      let post = Household.open
      #expect(told(.presence(.category(list), isHere: true), .presence) == expected)
      #expect(told(.typing(list, nil, isTyping: true), .typing) == expected)
      #expect(told(.typing(list, post, isTyping: true), .typing) == expected)
      #expect(told(.progress(list, post, nil), .progress) == expected)
    }
    let inGroup = EphemeralRequest.presence(.group(Household.group), isHere: true)
    #expect(told(inGroup, .presence) == Self.elsewhere)
  }

  @Test("a token lives until its end, used or not")
  func age() {
    let session = SessionRecord(
      id: SessionID(1), user: "x", tokenHash: [1], deviceHash: nil, client: "t",
      openedAt: Timestamp(milliseconds: 0), usedAt: .neverUsed, token: Self.token())
    let last = Timestamp(milliseconds: Self.end.milliseconds - 1)
    #expect(SessionAge.isAlive(session, at: last))
    #expect(!SessionAge.isAlive(session, at: Self.end))
    #expect(SessionAge.needsNote(session, at: last))
  }

  @Test("a connection by a token ends with it, and its commands carry it")
  func identity() {
    let token = Self.token(lists: [Self.list])
    let identity = Identity(user: "x", session: SessionID(1), token: token)
    #expect(identity.endsAt == Self.end && !identity.isLink)
    #expect(identity.actor.token == token)
    let signedIn = Identity(user: "x", session: SessionID(1))
    #expect(signedIn.endsAt == nil && signedIn.actor.token == nil)
  }
}

@Suite("protocol §5.12: a token and what the ledger writes") struct TokenLedgerTests {
  private static let elsewhere = Result<CommandResult, Refusal>.failure(
    .forbidden("this token is for other lists"))

  private static func token(_ lists: Set<CategoryID>?) -> Token {
    Token(id: TokenID(UUID(high: 1, low: 1)), lists: lists, endsAt: Timestamp(milliseconds: .max))
  }

  private static func submission(
    _ command: Command, key: String, lists: Set<CategoryID>?
  ) throws -> Submission {
    let token = token(lists)
    return Submission(
      actor: Actor(user: "a", session: SessionID(token.id.uuid), token: token), command: command,
      key: try #require(CommandKey(key)), hash: [1])
  }

  /// Returns the house with the lists 8 and 9 of a. The post 5 was moved from 8 to 9.
  private static func moved() -> LedgerBench {
    var bench = LedgerBench.house()
    bench.openSession(of: token(nil))
    bench.must(.category(.add(8, name: "Here", group: nil)), by: "a")
    bench.must(.category(.add(9, name: "There", group: nil)), by: "a")
    bench.must(.post(.add(8, 5, title: "Milk", notes: "")), by: "a")
    bench.must(.movePost(8, 5, to: 9), by: "a")
    return bench
  }

  @Test("an undo that would write into another list is refused, and leaves no trace")
  func undo() throws {
    var bench = Self.moved()
    let seq = try #require(bench.events(of: .category(8)).last?.seq)
    let undo = Command.undo(UndoTarget(stream: .category(8), events: [seq], seen: nil))
    let limited = try Self.submission(undo, key: "t1", lists: [8])
    #expect(bench.settle(limited).0 == Self.elsewhere)
    #expect(bench.ledger.staged.isEmpty)
    // The key is not taken by the refusal.
    let free = try Self.submission(undo, key: "t1", lists: [8, 9])
    let (result, repeated) = bench.settle(free)
    #expect(try result.get().changed && !repeated)
  }

  @Test("a command that is told to people elsewhere is no reach into another list")
  func told() throws {
    var bench = LedgerBench.house()
    bench.openSession(of: Self.token(nil))
    let assign = Command.post(.change(1, 1, .assign("b")))
    let submission = try Self.submission(assign, key: "t1", lists: [1])
    #expect(try bench.settle(submission).0.get().changed)
    let streams = bench.ledger.staged.events.map(\.stream)
    #expect(streams.contains(.user("b")))
  }

  @Test("a new list beside one of the token's lists is another list")
  func newList() throws {
    var bench = LedgerBench.house()
    bench.openSession(of: Self.token(nil))
    let add = Command.category(.add(7, name: "New", group: 1))
    let limited = try Self.submission(add, key: "t1", lists: [2])
    #expect(bench.settle(limited).0 == Self.elsewhere)
    let free = try Self.submission(add, key: "t2", lists: nil)
    #expect(try bench.settle(free).0.get().changed)
  }

  @Test("a repeat is answered by the first result, whatever the token is for")
  func repeats() throws {
    var bench = Self.moved()
    let back = Command.movePost(9, 5, to: 8)
    let first = try bench.settle(Self.submission(back, key: "t1", lists: nil)).0.get()
    bench.commit()
    let (result, repeated) = bench.settle(try Self.submission(back, key: "t1", lists: [9]))
    #expect(repeated)
    #expect(try result.get() == first)
  }

  @Test("a command that waited while its token was revoked is refused, and a repeat is answered")
  func revoked() throws {
    var bench = Self.moved()
    let back = Command.movePost(9, 5, to: 8)
    let first = try Self.submission(back, key: "t1", lists: nil)
    let result = try bench.settle(first).0.get()
    bench.commit()
    #expect(
      try bench.settle(.closeSession(SessionID(Self.token(nil).id.uuid), of: "a")).0.get().changed)
    bench.commit()
    let late = try Self.submission(.movePost(8, 5, to: 9), key: "t2", lists: nil)
    #expect(bench.settle(late).0 == .failure(.unauthenticated))
    #expect(bench.ledger.staged.isEmpty)
    #expect(try bench.settle(first).0.get() == result)
  }

  @Test("the operator's gift of a bot is kept beside the log, and a second one changes nothing")
  func given() throws {
    var bench = LedgerBench.house()
    let new = NewBot(id: "x", username: "nightly", name: "Nightly", zone: "UTC")
    bench.must(.bot(.add(new)), by: "a")
    let gift = LedgerWork.giveBot("x", to: "b")
    #expect(try bench.settle(gift).0.get().changed)
    #expect(bench.ledger.staged.accounts == [.given("x", to: "b")])
    bench.commit()
    #expect(bench.content.accounts["x"]?.owner == "b")
    #expect(try bench.settle(gift).0.get().changed == false)
    let end = bench.submission(of: .bot(.end("x")), by: "a")
    #expect(bench.settle(end).0 == .failure(.notFound("bot")))
  }
}

extension LedgerBench {
  /// Opens a session for a token of a. Returns its id.
  @discardableResult
  mutating func openSession(of token: Token) -> SessionID {
    let session = SessionID(token.id.uuid)
    content.sessions[session] = SessionRecord(
      id: session, user: "a", tokenHash: [1], deviceHash: nil, client: "t", openedAt: now,
      usedAt: .neverUsed, token: token)
    return session
  }
}
