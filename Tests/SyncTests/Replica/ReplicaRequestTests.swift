import Domain
import Testing
import Wire

@testable import Sync

@Suite("replica: protocol §10, requests until they are settled")
struct ReplicaRequestTests {
  @Test(
    "an answer is told when the copy contains it, whichever comes first", arguments: [true, false])
  func settled(resultFirst: Bool) throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.add(1, to: list)
    let (messages, made) = try bench.server.answer(bench.sent[0])
    let push = bench.server.push(made[0])
    bench.deliver(resultFirst ? messages[0] : push)
    #expect(bench.answered == [])
    bench.deliver(resultFirst ? push : messages[0])
    #expect(bench.answered == [1])
    #expect(bench.replica.pendingCount == 0)
  }

  @Test("a lost answer is asked for again with the same key, after hello, in order")
  func resent() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    for number in 1...3 as ClosedRange<Int64> { bench.add(number, to: list) }
    // The server did the first; nobody heard of it.
    _ = try bench.server.answer(bench.sent[0])
    bench.forgetSent()
    bench.take(bench.replica.closed(.lost, now: 0, random: 0))
    bench.take(bench.replica.woke(now: 0))
    bench.take(bench.replica.opened())
    #expect(try bench.methods() == [.connection(.hello)])
    try bench.exchange()
    #expect(bench.answered == [1, 2, 3])
    #expect(bench.server.effects.values.allSatisfy { $0 == 1 })
    #expect(bench.isLevel)
  }

  @Test("requests made without a connection wait for it")
  func offline() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    bench.add(1, to: list)
    #expect(bench.sent.isEmpty)
    try bench.connect()
    #expect(bench.answered == [1])
  }

  static let refusals: [(ErrorKind, Int?, Bool)] = [
    (.invalid, nil, true), (.forbidden, nil, true), (.notFound, nil, true), (.conflict, nil, true),
    (.gone, nil, true), (.exists, nil, true), (.keyReused, nil, true), (.quota, nil, true),
    (.rateLimited, 50, false), (.unavailable, 50, false), (.unknownOutcome, nil, false),
    (.internal, nil, false), (.draining, nil, false),
  ]

  @Test("an error is told, or followed by another try, as its kind says", arguments: refusals)
  func errors(kind: ErrorKind, after: Int?, isFinal: Bool) throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.add(1, to: list)
    let id = try RequestEnvelope(decoding: bench.sent[0]).id
    bench.forgetSent()
    bench.deliver(error(id, kind, after: after))
    #expect(bench.answered == (isFinal ? [1] : []))
    guard !isFinal else { return }
    if kind == .draining {
      bench.take(bench.replica.closed(.closed(code: 4001), now: 0, random: 0))
      bench.take(bench.replica.woke(now: 10_000))
      bench.take(bench.replica.opened())
    } else {
      bench.take(bench.replica.woke(now: 10_000))
    }
    try bench.exchange()
    #expect(bench.answered == [1])
    #expect(bench.isLevel)
  }

  @Test("an error without an id is the answer to the oldest request, and the others go on")
  func unreadableRequest() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    for number in 1...3 as ClosedRange<Int64> { bench.add(number, to: list) }
    bench.deliver(error(nil, .parse, after: nil))
    #expect(bench.answered == [1])
    bench.dropFirstSent()
    try bench.exchange()
    #expect(bench.answered == [1, 2, 3])
  }

  @Test("A request with a token or a password is marked, so that it is never compressed")
  func secrets() throws {
    func marks(_ effects: [ReplicaEffect]) -> [Bool] {
      effects.compactMap { if case .send(_, let hasSecret) = $0 { hasSecret } else { nil } }
    }
    var bench = Bench()
    let list = bench.server.addList(1)
    _ = bench.replica.start()
    #expect(marks(bench.replica.opened()) == [true], "hello")
    bench = Bench()
    try bench.connect()
    let before = bench.effects.count
    bench.add(1, to: list)
    let change = ChangePasswordRequest(
      old: "old password", new: "new password", key: try #require(CommandKey("k")))
    bench.take(bench.replica.submit(.changePassword(change), ticket: RequestTicket(number: 9)))
    #expect(marks(Array(bench.effects[before...])) == [false, true])
    let login = LoginRequest(username: "author", password: "password", client: nil, device: nil)
    var stranger = Bench(token: nil)
    stranger.take(stranger.replica.submit(.login(login), ticket: RequestTicket(number: 1)))
    #expect(marks(stranger.replica.opened()) == [true])
  }

  @Test("a wait that the server asked for is kept")
  func after() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.add(1, to: list)
    let id = try RequestEnvelope(decoding: bench.sent[0]).id
    bench.forgetSent()
    bench.deliver(error(id, .rateLimited, after: 700), now: 1_000)
    bench.take(bench.replica.woke(now: 1_699))
    #expect(bench.sent.isEmpty)
    bench.take(bench.replica.woke(now: 1_700))
    #expect(bench.sent.count == 1)
  }

  @Test("so many are in flight, and an answer makes room for one")
  func window() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    for number in 1...50 as ClosedRange<Int64> { bench.add(number, to: list) }
    #expect(bench.sent.count == RequestQueue.inFlightMax)
    let first = try bench.server.answer(bench.sent[0])
    bench.deliver(first.messages[0])
    #expect(bench.sent.count == RequestQueue.inFlightMax + 1)
    bench.deliver(bench.server.push(first.made[0]))
    bench.dropFirstSent()
    try bench.exchange()
    #expect(bench.answered == Array(1...50))
  }

  @Test("Requests behind one that has to wait are not sent before it")
  func held() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.add(1, to: list)
    let id = try RequestEnvelope(decoding: bench.sent[0]).id
    bench.forgetSent()
    bench.deliver(error(id, .rateLimited, after: 700), now: 0)
    bench.add(2, to: list)
    #expect(bench.sent.isEmpty)
    bench.take(bench.replica.woke(now: 700))
    #expect(bench.sent.count == 2)
    try bench.exchange()
    #expect(bench.answered == [1, 2])
  }

  @Test("a rate limit is never the end of a request")
  func slowed() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.add(1, to: list)
    for turn in 1...30 as ClosedRange<Int64> {
      let id = try RequestEnvelope(decoding: bench.sent[0]).id
      bench.forgetSent()
      bench.deliver(error(id, .rateLimited, after: 10), now: turn * 100)
      bench.take(bench.replica.woke(now: turn * 100 + 10))
    }
    try bench.exchange()
    #expect(bench.answered == [1])
  }

  @Test("tries have an end")
  func attempts() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.add(1, to: list)
    var tries = 0
    while bench.answered.isEmpty, tries < 100 {
      let id = try RequestEnvelope(decoding: bench.sent[0]).id
      bench.forgetSent()
      tries += 1
      bench.deliver(error(id, .unavailable, after: 0))
      bench.take(bench.replica.woke(now: Int64(tries) * 100_000))
    }
    #expect(tries == RequestQueue.attemptsMax)
  }

  @Test("a login whose answer was lost is told as lost; a registration is repeated")
  func anonymous() throws {
    var bench = Bench(token: nil)
    let login = LoginRequest(username: "author", password: "password", client: nil, device: nil)
    let register = RegisterRequest(
      id: UserID(UUID(high: 1, low: 1)), username: "author", name: "author", zone: "UTC",
      password: "password", code: nil)
    bench.take(bench.replica.submit(.register(register), ticket: RequestTicket(number: 1)))
    bench.take(bench.replica.submit(.login(login), ticket: RequestTicket(number: 2)))
    bench.take(bench.replica.opened())
    #expect(try bench.methods() == [.signIn(.register), .signIn(.login)])
    bench.forgetSent()
    bench.take(bench.replica.closed(.lost, now: 0, random: 0))
    #expect(bench.answered == [2])
    bench.take(bench.replica.woke(now: 0))
    bench.take(bench.replica.opened())
    #expect(try bench.methods() == [.signIn(.register)])
  }

  @Test("without a token and without requests no connection is wanted")
  func idle() {
    var bench = Bench(token: nil)
    bench.take(bench.replica.start())
    #expect(bench.effects.isEmpty)
  }

  private func error(_ id: RequestID?, _ kind: ErrorKind, after: Int?) -> [UInt8] {
    let number = if case .number(let number) = id { String(number) } else { "null" }
    let wait = after.map { #","afterMs":\#($0)"# } ?? ""
    return Array(
      #"{"jsonrpc":"2.0","id":\#(number),"error":{"code":\#(kind.code),"message":"No.","data":{"kind":"\#(kind.rawValue)","retry":"\#(kind.retry.rawValue)"\#(wait)}}}"#
        .utf8)
  }
}

@Suite("replica: protocol §2.4 and §12, coming back")
struct ReplicaReturnTests {
  static let codes: [(UInt16, Bool)] = [
    (1000, true), (1001, true), (1005, true), (1011, true), (1012, true), (1013, true),
    (4000, true),
    (4001, true), (4008, true), (4009, true), (4029, true), (4499, true), (1002, false),
    (1003, false), (1007, false), (1008, false), (1009, false), (4500, false), (4501, false),
    (4502, false),
    (4505, false), (4506, false), (4999, false),
  ]

  @Test("the close code says whether to come back", arguments: codes)
  func verdict(code: UInt16, comesBack: Bool) throws {
    var bench = Bench()
    try bench.connect()
    bench.take(bench.replica.closed(.closed(code: code), now: 0, random: 5))
    let isOffline = if case .offline = bench.standings.last { true } else { false }
    #expect(isOffline == comesBack)
    let before = bench.effects.count
    bench.take(bench.replica.woke(now: 1_000_000))
    #expect((bench.effects.count > before) == comesBack)
  }

  @Test("a hello that came too late is sent again", arguments: [(4501, true), (4502, false)])
  func heldUp(code: UInt16, comesBack: Bool) throws {
    var bench = Bench()
    bench.take(bench.replica.start())
    bench.take(bench.replica.opened())
    bench.take(bench.replica.closed(.closed(code: code), now: 0, random: 5))
    let isOffline = if case .offline = bench.standings.last { true } else { false }
    #expect(isOffline == comesBack)
  }

  @Test("A request that waits is told when it is over")
  func ended() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.add(1, to: list)
    bench.take(bench.replica.closed(.closed(code: 4502), now: 0, random: 0))
    #expect(bench.answered == [1])
    #expect(bench.standings.last == .ended(.signedOut))
    bench.add(2, to: list)
    #expect(bench.answered == [1, 2])
  }

  @Test("waits grow with full jitter up to the maximum, and start anew after a good connection")
  func backoff() {
    var backoff = Backoff()
    backoff.advice = RetryAdvice(minMilliseconds: 100, maxMilliseconds: 1_000, factor: 2)
    func most(_ since: Int64? = nil, now: Int64 = 0) -> Int64 {
      let probe = backoff
      _ = backoff.delay(wasLiveSince: since, now: now, drain: nil, random: 0)
      return (0...2_000).map { random in
        var copy = probe
        return copy.delay(wasLiveSince: since, now: now, drain: nil, random: UInt64(random))
      }.max() ?? -1
    }
    #expect(
      [most(), most(), most(), most(), most(), most()] == [100, 200, 400, 800, 1_000, 1_000])
    #expect(most(0, now: 29_999) == 1_000)
    #expect(most(0, now: 30_000) == 100)
  }

  @Test("a draining server says when to come back", arguments: [0, 1, 300, 301, 9_999] as [UInt64])
  func drain(random: UInt64) throws {
    var bench = Bench()
    try bench.connect()
    bench.deliver(Push.drain(afterMilliseconds: 200, withinMilliseconds: 300))
    bench.take(bench.replica.closed(.closed(code: 4001), now: 0, random: random))
    guard case .offline(_, let wait) = bench.standings.last else {
      Issue.record("not offline")
      return
    }
    #expect(wait == 200 + Int64(random % 301))
  }
}
