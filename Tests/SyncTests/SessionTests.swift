import Domain
import TestRandom
import Testing
import Wire

@testable import Sync

/// One session with its clock and all its effects, and requests by small numbers.
private struct SessionBench {
  var session: Session
  let rules: SessionRules
  var milliseconds: Int64 = 0
  var effects: [SessionEffect] = []

  init(
    _ rules: SessionRules = SessionRules(), ready: Bool = true, kind: UserKind = .person
  ) {
    self.rules = rules
    session = Session(rules, at: SessionMoment(milliseconds: 0, wall: wall))
    guard ready else { return }
    receive(0, .hello(hello))
    guard case .welcome(let result, let it, let followsAll, let attachments) = welcome else {
      return
    }
    let identity = Identity(user: it.user, session: it.session, kind: kind)
    finish(1, .welcome(result, identity, followsAll: followsAll, attachments))
    effects = []
  }

  var now: SessionMoment { SessionMoment(milliseconds: milliseconds, wall: wall) }

  mutating func receive(_ id: Int64, _ request: Request) {
    let envelope = RequestEnvelope(
      id: .number(id), method: .connection(.ping), request: request,
      canonical: [UInt8(truncatingIfNeeded: id)])
    effects += session.received(.success(envelope), rules, at: now)
  }

  mutating func receive(_ error: RequestError) {
    effects += session.received(.failure(error), rules, at: now)
  }

  mutating func finish(_ ticket: Int, _ outcome: RequestOutcome) {
    effects += session.finished(Ticket(ticket), outcome, rules, at: now)
  }

  /// The ids of the answers so far, with the kinds of the errors: `3`, `4 not_found`.
  var answers: [String] {
    effects.compactMap { effect in
      switch effect {
      case .answer(let bytes, _), .push(let bytes): describe(bytes)
      default: nil
      }
    }
  }

  var closed: CloseCode? {
    for effect in effects { if case .close(let code) = effect { return code } }
    return nil
  }

  /// The tickets of the dispatched requests, in order.
  var dispatched: [Int] { effects.compactMap(\.ticket) }
}

private func describe(_ bytes: [UInt8]) -> String {
  guard let root = try? JSONDocument(bytes).root else { return "not JSON" }
  if let method = root["method"]?.string { return method }
  let id = root["id"]?.int64.map(String.init) ?? "null"
  guard let kind = root["error"]?["data"]?["kind"]?.string else { return id }
  return "\(id) \(kind)"
}

extension SessionEffect {
  fileprivate var ticket: Int? {
    switch self {
    case .submit(let ticket, _), .ask(let ticket, _), .hello(let ticket, _),
      .open(let ticket, _, _), .query(let ticket, _, _, _), .logout(let ticket, _),
      .about(let ticket, _), .ephemeral(let ticket, _, _):
      ticket.number
    case .answer, .push, .ready, .watch, .unwatch, .pauseReading, .resumeReading, .close: nil
    }
  }
}

private let wall = Timestamp(milliseconds: 1_790_000_000_000)
private func uuid(_ number: UInt64) -> UUID { UUID(high: 1, low: number) }
private let user = UserID(uuid(1))
private let list = CategoryID(uuid(2))

private let hello = Hello(
  token: "t", client: ClientName(name: "test", version: "1"), cursors: [], streams: .all)

private let welcome = RequestOutcome.welcome(
  HelloResult(
    user: user, session: SessionID(uuid(9)), time: wall,
    server: ServerName(name: "s", version: "1"),
    heartbeat: Heartbeat(pingEveryMilliseconds: 1, timeoutMilliseconds: 1),
    retry: RetryAdvice(minMilliseconds: 1, maxMilliseconds: 1, factor: 2), limits: [],
    streams: []),
  Identity(user: user, session: SessionID(uuid(9))), followsAll: true,
  [
    Sync.Attachment(
      stream: .user(user), epoch: Epoch("e"), head: 1, joinedSeq: 1, start: .snapshot)
  ])

private func command(_ key: String = "k") -> Request {
  guard let key = CommandKey(key) else { preconditionFailure("no key: \(key)") }
  return .command(.category(.remove(list)), key: key)
}

private let query = Request.query(.profile)
private let done = RequestOutcome.done(CommandResult(changed: true))

@Suite("protocol: one connection")
struct SessionTests {
  @Test(
    "Before hello only these are served",
    arguments: [
      (Request.ping, "1"), (command(), "1 unauthenticated"), (query, "1 unauthenticated"),
      (.open([]), "1 unauthenticated"), (.close([]), "1 unauthenticated"),
      (.logout, "1 unauthenticated"),
      (
        .changePassword(ChangePasswordRequest(old: "a", new: "b", key: CommandKey("k")!)),
        "1 unauthenticated"
      ),
    ])
  func beforeHello(_ request: Request, _ answer: String) {
    var bench = SessionBench(ready: false)
    bench.receive(1, request)
    #expect(bench.answers == [answer])
    #expect(bench.closed == nil)
  }

  @Test(
    "Registering, signing in and recovering come before hello",
    arguments: [
      Request.register(
        RegisterRequest(
          id: user, username: "author", name: "Author", zone: "UTC", password: "p", code: nil)),
      .login(LoginRequest(username: "author", password: "p", client: nil, device: nil)),
      .recover(
        RecoverRequest(username: "author", code: "c", password: "p", key: CommandKey("k")!)),
      .pair(PairRequest(code: "c", client: nil, device: nil)),
      .hello(hello),
    ])
  func doors(_ request: Request) {
    var bench = SessionBench(ready: false)
    bench.receive(1, request)
    #expect(bench.dispatched == [1])
    #expect(bench.answers.isEmpty)
  }

  @Test("The answer to hello comes before anything is watched")
  func helloFirst() {
    var bench = SessionBench(ready: false)
    bench.receive(1, .hello(hello))
    bench.finish(1, welcome)
    guard bench.effects.count == 4, case .answer = bench.effects[1],
      case .ready(let identity, followsAll: true, wantsObjects: false) = bench.effects[2],
      case .watch(let attachments) = bench.effects[3]
    else {
      Issue.record("\(bench.effects)")
      return
    }
    #expect(identity.user == user && attachments.count == 1)
    #expect(bench.session.identity == identity)
  }

  @Test("A token that is not valid is answered, then the connection is closed with 4502")
  func badToken() {
    var bench = SessionBench(ready: false)
    bench.receive(1, .hello(hello))
    bench.receive(2, .ping)
    bench.finish(1, .unwelcome)
    #expect(bench.answers == ["1 unauthenticated"])
    #expect(bench.effects.last == .close(.tokenInvalid))
    #expect(bench.session.hasEnded)
  }

  @Test("A failing store does not end a connection that says hello")
  func helloUnavailable() {
    var bench = SessionBench(ready: false)
    bench.receive(1, .hello(hello))
    bench.finish(1, .failed(.unavailable(afterMilliseconds: 5)))
    #expect(bench.answers == ["1 unavailable"])
    bench.receive(2, .hello(hello))
    #expect(bench.dispatched == [1, 2])
  }

  @Test("A connection says hello once, and an id is in flight once")
  func onlyOnce() {
    var bench = SessionBench()
    bench.receive(5, .hello(hello))
    bench.receive(6, command())
    bench.receive(6, command())
    bench.finish(3, done)
    #expect(bench.answers == ["5 invalid_request", "6", "6 invalid_request"])
  }

  @Test(
    "Without hello the connection is closed after ten seconds",
    arguments: [(9_999, nil), (10_000, .helloTimeout)] as [(Int64, CloseCode?)])
  func deadline(_ milliseconds: Int64, _ code: CloseCode?) {
    var bench = SessionBench(ready: false)
    bench.milliseconds = milliseconds
    bench.effects += bench.session.deadlinePassed(bench.rules, at: bench.now)
    #expect(bench.closed == code)
  }

  @Test("The deadline waits for a request that is being worked on, and not after hello")
  func deadlineWaits() {
    var bench = SessionBench(ready: false)
    bench.receive(1, .login(LoginRequest(username: "a", password: "p", client: nil, device: nil)))
    bench.milliseconds = 10_000
    bench.effects += bench.session.deadlinePassed(bench.rules, at: bench.now)
    #expect(bench.closed == nil)
    bench.finish(1, .failed(.credentials))
    bench.milliseconds = 20_000
    bench.effects += bench.session.deadlinePassed(bench.rules, at: bench.now)
    #expect(bench.closed == .helloTimeout)
    var ready = SessionBench()
    ready.milliseconds = 60_000
    #expect(ready.session.deadline == nil)
    #expect(ready.session.deadlinePassed(ready.rules, at: ready.now).isEmpty)
  }

  @Test("Answers come in the order of the requests, whatever comes first")
  func order() {
    var bench = SessionBench()
    for id in 1...3 { bench.receive(Int64(id), command("k\(id)")) }
    #expect(bench.dispatched == [2, 3, 4])
    bench.finish(4, done)
    bench.finish(2, done)
    #expect(bench.answers == ["1"])
    bench.finish(3, .failed(.refused(.notFound("post"))))
    #expect(bench.answers == ["1", "2 not_found", "3"])
  }

  @Test("A query waits for what came before it, and what comes after waits for it")
  func exclusive() {
    var bench = SessionBench()
    bench.receive(1, command())
    bench.receive(2, query)
    bench.receive(3, command())
    bench.receive(4, .ping)
    #expect(bench.dispatched == [2])
    bench.finish(2, done)
    #expect(bench.dispatched == [2, 3])
    bench.finish(3, .answer(Answer.done(.number(2))))
    #expect(bench.dispatched == [2, 3, 4])
    bench.finish(4, done)
    #expect(bench.answers == ["1", "2", "3", "4"])
  }

  @Test("The socket is not read with so many requests in flight", arguments: [63, 64, 65])
  func inFlight(_ count: Int) {
    var bench = SessionBench()
    for id in 1...count { bench.receive(Int64(id), command("k\(id)")) }
    let pauses = bench.effects.filter { $0 == .pauseReading }.count
    #expect(pauses == (count >= Limits.inFlightMax ? 1 : 0))
    for ticket in 2...(count + 1) { bench.finish(ticket, done) }
    #expect(bench.effects.filter { $0 == .resumeReading }.count == pauses)
    #expect(bench.answers.count == count)
  }

  @Test("More requests than the bucket has are refused with the time to wait")
  func rate() {
    var rules = SessionRules()
    rules.rate = TokenRate(count: 20, everyMilliseconds: 1_000, burst: 3)
    var bench = SessionBench(rules)
    for id in 1...3 { bench.receive(Int64(id), command("k\(id)")) }
    bench.receive(4, .ping)
    // There is a token by then, but this one was sent behind the third.
    bench.milliseconds = 50
    bench.receive(5, command("k5"))
    bench.milliseconds = 1_000
    bench.receive(6, command("k3"))
    for ticket in bench.dispatched { bench.finish(ticket, done) }
    #expect(bench.answers == ["1", "2", "3 rate_limited", "4", "5 rate_limited", "6"])
  }

  @Test("A bot has its own bucket, full from its hello on", arguments: [UserKind.person, .bot])
  func botRate(_ kind: UserKind) {
    var rules = SessionRules()
    rules.rate = TokenRate(count: 20, everyMilliseconds: 1_000, burst: 3)
    rules.botRate = TokenRate(count: 50, everyMilliseconds: 1_000, burst: 6)
    var bench = SessionBench(rules, kind: kind)
    for id in 1...8 { bench.receive(Int64(id), command("k\(id)")) }
    for ticket in bench.dispatched { bench.finish(ticket, done) }
    // The hello of either was one of the people's.
    let burst = kind == .bot ? 6 : 2
    #expect(
      bench.answers == (1...8).map { $0 <= burst ? "\($0)" : "\($0) rate_limited" })
    #expect(bench.session.identity?.kind == kind)
    // By then either bucket is full again, a bot's sixth included.
    bench.effects = []
    bench.milliseconds = 1_000
    for id in 11...17 { bench.receive(Int64(id), command("l\(id)")) }
    for ticket in bench.dispatched { bench.finish(ticket, done) }
    #expect(bench.answers.count { !$0.contains("rate_limited") } == (kind == .bot ? 6 : 3))
  }

  @Test("Every answer says to what it is one, and whether it was granted")
  func answered() {
    var bench = SessionBench()
    bench.receive(1, command("k1"))
    bench.receive(2, command("k2"))
    bench.receive(3, .ping)
    bench.receive(RequestError(id: .number(4), method: .post(.add), failure: .unknownMethod()))
    bench.receive(RequestError(id: nil, failure: .invalidRequest(.notAnObject)))
    bench.finish(2, done)
    bench.finish(3, .failed(.unavailable(afterMilliseconds: 1)))
    let answered = bench.effects.compactMap { effect in
      if case .answer(_, let answered) = effect { answered } else { nil }
    }
    #expect(
      answered == [
        Answered(.connection(.ping)), Answered(.connection(.ping), .unavailable),
        Answered(.connection(.ping)),
        Answered(.post(.add), .unknownMethod), Answered(nil, .invalidRequest),
      ])
  }

  @Test("Ten messages in a row that are no requests end the connection", arguments: [9, 10])
  func nonsense(_ count: Int) {
    var bench = SessionBench()
    for _ in 0..<count {
      bench.receive(RequestError(id: nil, failure: .invalidRequest(.notAnObject)))
    }
    #expect(bench.answers == Array(repeating: "null invalid_request", count: count))
    #expect(bench.closed == (count < 10 ? nil : .protocolAbuse))
  }

  @Test("A request in between begins the count again")
  func sense() {
    var bench = SessionBench()
    for round in 0..<30 {
      bench.receive(RequestError(id: nil, failure: .invalidRequest(.notAnObject)))
      if round % 9 == 8 { bench.receive(Int64(round), .ping) }
    }
    #expect(bench.closed == nil)
  }

  @Test("Binary messages are not this protocol")
  func binary() {
    var bench = SessionBench()
    bench.effects += bench.session.receivedBinary()
    #expect(bench.effects == [.close(.unsupportedData)])
  }

  @Test("Draining finishes what is in flight, refuses the rest and closes")
  func drain() {
    var bench = SessionBench()
    bench.receive(1, command("k1"))
    bench.receive(2, query)
    let push = Push.drain(afterMilliseconds: 0, withinMilliseconds: 9)
    bench.effects += bench.session.drain(push, at: bench.now)
    bench.receive(3, command("k3"))
    #expect(bench.closed == nil)
    bench.finish(2, done)
    #expect(bench.answers == ["server.drain", "1", "2 draining", "3 draining"])
    #expect(bench.effects.last == .close(.drain))
  }

  @Test("An idle connection is told and closed at once, one without hello only closed")
  func drainIdle() {
    var bench = SessionBench()
    bench.effects += bench.session.drain([0x7B, 0x7D], at: bench.now)
    #expect(bench.effects == [.push([0x7B, 0x7D]), .close(.drain)])
    var anonymous = SessionBench(ready: false)
    anonymous.effects += anonymous.session.drain([0x7B, 0x7D], at: anonymous.now)
    #expect(anonymous.effects == [.close(.drain)])
  }

  @Test("A session that was closed elsewhere ends with 4506, and late outcomes are dropped")
  func signedOut() {
    var bench = SessionBench()
    bench.receive(1, command())
    bench.effects += bench.session.signedOut()
    bench.finish(2, done)
    bench.receive(2, .ping)
    #expect(bench.answers.isEmpty)
    #expect(bench.effects.last == .close(.signedOut))
  }

  @Test("Signing out is answered, then the connection is closed")
  func logout() {
    var bench = SessionBench()
    bench.receive(1, .logout)
    bench.finish(2, .loggedOut)
    #expect(bench.answers == ["1"])
    #expect(bench.effects.last == .close(.normal))
  }

  @Test(
    "In any interleaving each request has one answer, in order, and queries see what was before")
  func interleavings() {
    for seed in UInt64(1)...300 { interleave(seed) }
  }

  private func interleave(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var rules = SessionRules()
    rules.rate = TokenRate(count: 1_000, everyMilliseconds: 1, burst: 100_000)
    var bench = SessionBench(rules)
    var exclusiveTickets: Set<Int> = []
    var outstanding: [Int] = []
    var seen = 0
    var sent = 0
    while sent < 40 || !outstanding.isEmpty {
      if sent < 40, outstanding.isEmpty || random.below(3) > 0 {
        sent += 1
        switch random.below(4) {
        case 0: bench.receive(Int64(sent), query)
        case 1: bench.receive(Int64(sent), .ping)
        default: bench.receive(Int64(sent), command("k\(sent)"))
        }
      } else {
        bench.finish(outstanding.remove(at: random.below(outstanding.count)), done)
      }
      for effect in bench.effects[seen...] {
        guard let ticket = effect.ticket else { continue }
        let isExclusive = if case .query = effect { true } else { false }
        #expect(
          outstanding.allSatisfy { !exclusiveTickets.contains($0) }
            && !(isExclusive && !outstanding.isEmpty),
          "seed \(seed): \(ticket) was dispatched too early")
        if isExclusive { exclusiveTickets.insert(ticket) }
        outstanding.append(ticket)
      }
      seen = bench.effects.count
    }
    // `done` has the shape of a command's answer; what counts here is that the ids are in order.
    #expect(bench.answers == (1...40).map(String.init), "seed \(seed)")
  }
}
