import Domain
import Testing
import Wire

@testable import Sync

/// A replica, and the effects that it asked for.
struct Bench {
  var replica: Replica
  var server = ModelServer()
  private(set) var effects: [ReplicaEffect] = []
  /// The answered tickets, in order.
  private(set) var answered: [Int64] = []
  private(set) var sent: [[UInt8]] = []

  init(token: String? = "token") {
    replica = Replica(
      client: ClientName(name: "test", version: "1"), token: token, streams: .all)
  }

  mutating func take(_ new: [ReplicaEffect]) {
    effects += new
    for effect in new {
      if case .send(let bytes, _) = effect { sent.append(bytes) }
      if case .answered(let ticket, _) = effect { answered.append(ticket.number) }
    }
  }

  /// Connects and lets the server answer everything.
  mutating func connect(now: Int64 = 0) throws {
    take(replica.start())
    take(replica.opened())
    try exchange(now: now)
  }

  /// Delivers all messages in both directions until nobody has anything to say.
  mutating func exchange(now: Int64 = 0) throws {
    while !sent.isEmpty {
      let requests = sent
      sent = []
      for request in requests {
        let (messages, made) = try server.answer(request)
        for message in messages { take(replica.received(message, now: now)) }
        for position in made { take(replica.received(server.push(position), now: now)) }
      }
    }
  }

  mutating func forgetSent() { sent = [] }

  mutating func dropFirstSent() { sent.removeFirst() }

  mutating func deliver(_ message: [UInt8], now: Int64 = 0) {
    take(replica.received(message, now: now))
  }

  mutating func add(_ number: Int64, to list: CategoryID) {
    let request = Request.command(
      .post(.add(list, PostID(UUID(high: 9, low: UInt64(number))), title: "post", notes: "")),
      key: key(number))
    take(replica.submit(request, ticket: RequestTicket(number: number)))
  }

  func key(_ number: Int64) -> CommandKey {
    guard let key = CommandKey("k\(number)") else { preconditionFailure("k and digits are a key") }
    return key
  }

  var isLevel: Bool {
    server.logs.values.allSatisfy { log in
      log.isGone
        ? replica.state(of: log.stream) == nil
        : replica.state(of: log.stream) == log.state
          && replica.cursor(of: log.stream)?.seq == log.head
    }
  }

  /// The number of times that it was told that everything is here.
  var timesLevel: Int { effects.count { if case .allLevel = $0 { true } else { false } } }

  var standings: [Standing] {
    effects.compactMap { if case .standing(let it) = $0 { it } else { nil } }
  }

  /// Returns the methods of the requests that are sent and not yet delivered.
  func methods() throws -> [Domain.Method] {
    try sent.map { try RequestEnvelope(decoding: $0).method }
  }
}

@Suite("replica: protocol §5, copies and cursors")
struct ReplicaCopyTests {
  @Test("a first hello fills the copies from snapshots of several pages")
  func snapshots() throws {
    var bench = Bench()
    let list = bench.server.addList(1, name: String(repeating: "long ", count: 20))
    for number in 1...20 {
      bench.server.write(.category(list), [.post(.added(post(number), Counters(open: number)))])
    }
    try bench.connect()
    #expect(bench.isLevel)
    #expect(bench.effects.contains { if case .allLevel = $0 { true } else { false } })
    #expect(bench.replica.user == bench.server.user)
  }

  @Test("an event that comes next is applied, a repetition is not")
  func next() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    let event = bench.server.write(.category(list), [.category(.edited(CategoryEdit(name: "x")))])
    let push = bench.server.push(StreamPosition(stream: .category(list), seq: event.seq))
    bench.deliver(push)
    bench.deliver(push)
    #expect(bench.isLevel)
    #expect(try bench.methods() == [])
    #expect(bench.happenings == 1)
  }

  @Test("a gap is asked for once, and filled")
  func gap() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    for name in ["a", "b", "c", "d"] {
      bench.server.write(.category(list), [.category(.edited(CategoryEdit(name: name)))])
    }
    for seq in 3...5 as ClosedRange<Int64> {
      bench.deliver(bench.server.push(StreamPosition(stream: .category(list), seq: seq)))
    }
    #expect(try bench.methods() == [.connection(.open)])
    try bench.exchange()
    #expect(bench.isLevel)
  }

  @Test(
    "a stream that is asked for anew is level by that answer, or asked for once more",
    arguments: [true, false])
  func reopened(isBehind: Bool) throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    if isBehind {
      bench.server.write(.category(list), [.category(.edited(CategoryEdit(name: "x")))])
    }
    bench.take(bench.replica.closed(.lost, now: 0, random: 0))
    bench.take(bench.replica.woke(now: 0))
    bench.take(bench.replica.opened())
    // The list is announced whole and does not come: asking for it again puts an end to that.
    let hello = Hello(
      token: "token", client: ClientName(name: "test", version: "1"), cursors: [], streams: .all)
    let id = try RequestEnvelope(decoding: bench.sent[0]).id
    let (messages, _) = try bench.server.answer(Request.hello(hello).encoded(id: id))
    bench.forgetSent()
    bench.deliver(messages[0])
    #expect(bench.timesLevel == 1)
    let log = try #require(bench.server.logs[.category(list)])
    let head = CursorPosition(
      epoch: log.epoch, seq: log.head, transaction: log.events.last?.transaction)
    let request = Request.open([Cursor(stream: log.stream, position: head)])
    bench.take(bench.replica.submit(request, ticket: RequestTicket(number: 1)))
    try bench.exchange()
    #expect(bench.answered == [1])
    #expect(bench.isLevel)
    #expect(bench.timesLevel == 2)
  }

  @Test("events of another epoch are not applied")
  func epoch() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    bench.server.logs[.category(list)]?.epoch = Epoch("s.2")
    let event = bench.server.write(.category(list), [.category(.edited(CategoryEdit(name: "x")))])
    bench.deliver(bench.server.push(StreamPosition(stream: .category(list), seq: event.seq)))
    #expect(bench.happenings == 0)
    try bench.exchange()
    #expect(bench.isLevel)
    #expect(bench.replica.cursor(of: .category(list))?.epoch == Epoch("s.2"))
  }

  @Test(
    "a snapshot whose pages do not follow each other is asked for again",
    arguments: [[0, 2], [1], [0, 0, 2]])
  func pages(order: [Int]) throws {
    var bench = Bench()
    try bench.connect()
    let log = try longList(&bench)
    let pages = pages(of: log, seq: log.head)
    for index in order { bench.deliver(pages[index]) }
    #expect(bench.replica.state(of: log.stream) == nil)
    #expect(try bench.methods() == [.connection(.open)])
    try bench.exchange()
    #expect(bench.isLevel)
  }

  @Test("pages of two snapshots are not joined, as many as they may have")
  func mixedPages() throws {
    var bench = Bench()
    try bench.connect()
    let log = try longList(&bench)
    let (older, newer) = (pages(of: log, seq: log.head - 1), pages(of: log, seq: log.head))
    try #require(older.count == newer.count)
    for page in older.prefix(2) + newer.dropFirst(2) { bench.deliver(page) }
    #expect(bench.replica.state(of: log.stream) == nil)
    #expect(try bench.methods() == [.connection(.open)])
    try bench.exchange()
    #expect(bench.isLevel)
  }

  private func longList(_ bench: inout Bench) throws -> ModelServer.Log {
    let list = bench.server.addList(1)
    for number in 1...9 {
      bench.server.write(.category(list), [.post(.added(post(number), Counters(open: number)))])
    }
    return try #require(bench.server.logs[.category(list)])
  }

  /// Returns the objects of the log's end in more than three pages, said to be of this number.
  private func pages(of log: ModelServer.Log, seq: Int64) -> [[UInt8]] {
    Push.snapshot(
      log.stream, epoch: log.epoch, seq: seq, transaction: log.events[0].transaction,
      bodies: log.state.objects.values.map(ObjectCodec.encode), bytesMax: 600)
  }

  @Test("gone drops the copy, by push and by hello")
  func gone() throws {
    var bench = Bench()
    let first = bench.server.addList(1)
    let second = bench.server.addList(2)
    try bench.connect()
    bench.server.logs[.category(first)]?.isGone = true
    bench.deliver(Push.gone(.category(first)))
    #expect(bench.isLevel)
    bench.server.logs[.category(second)]?.isGone = true
    bench.take(bench.replica.closed(.lost, now: 0, random: 0))
    bench.take(bench.replica.woke(now: 0))
    bench.take(bench.replica.opened())
    try bench.exchange()
    #expect(bench.isLevel)
    #expect(bench.replica.state(of: .category(second)) == nil)
  }

  @Test("a kind of event that nobody knows advances the cursor")
  func unknownKind() throws {
    var bench = Bench()
    let list = bench.server.addList(1)
    try bench.connect()
    let body =
      #"{"tx":"00000000-0000-0007-0000-000000000009","at":9,"ops":[{"t":"post.sung","v":1}]}"#
    bench.deliver(
      Push.events(.category(list), epoch: Epoch("s.1"), from: 2, bodies: [Array(body.utf8)]))
    #expect(bench.replica.cursor(of: .category(list))?.seq == 2)
  }

  @Test(
    "A message that cannot be read ends the connection",
    arguments: ["[]", "{", #"{"id":1}"#, #"{"method":"sync.events","params":{}}"#])
  func unreadable(text: String) throws {
    var bench = Bench()
    try bench.connect()
    bench.deliver(Array(text.utf8))
    #expect(bench.standings.last == .ended(.unreadable))
  }

  @Test("pushes of unknown methods are ignored")
  func unknownMethod() throws {
    var bench = Bench()
    try bench.connect()
    bench.deliver(Array(#"{"jsonrpc":"2.0","method":"sync.dance","params":{}}"#.utf8))
    #expect(bench.standings.last == .live(as: bench.server.user))
  }

  private func post(_ number: Int) -> Post {
    Post(
      id: PostID(UUID(high: 4, low: UInt64(number))), number: number, title: "post \(number)",
      notes: "", addedBy: UserID(UUID(high: 1, low: 1)), createdAt: Timestamp(milliseconds: 0),
      updatedAt: Timestamp(milliseconds: 0), version: 1)
  }
}

extension Bench {
  var happenings: Int {
    effects.count { if case .happened = $0 { true } else { false } }
  }
}
