import Glibc
import Testing
import WebSocket

@testable import Net

private let hello = Array("hello".utf8)

/// Waits until a number is what is expected; the number that it is at last.
private func settled(_ wanted: Int, _ read: () -> Int) -> Int {
  let deadline = Deadline()
  while read() != wanted, !deadline.isOver { poll(nil, 0, 1) }
  return read()
}

@Suite("Counters")
struct CounterTests {
  private enum Fruit: Int, CaseIterable { case apple, pear }

  @Test("each name has its own number, a gauge goes both ways")
  func numbers() {
    let counters = CounterSet<Fruit>()
    counters.add(.apple)
    counters.add(.apple, 4)
    counters.add(.pear, 3)
    counters.add(.pear, -2)
    #expect(counters[.apple] == 5)
    #expect(counters[.pear] == 1)
    counters.set(.pear, 9)
    #expect(counters[.pear] == 9)
    #expect(counters[.apple] == 5)
  }

  @Test(
    "a value is counted in the first range that holds it",
    arguments: [(0, 0), (10, 0), (11, 1), (20, 1), (21, 2), (1_000, 2)])
  func ranges(value: Int, range: Int) {
    let histogram = Histogram(bounds: [10, 20])
    histogram.note(value)
    #expect(
      histogram.reading.counts.indices.map { $0 == range ? 1 : 0 } == histogram.reading.counts)
    #expect(histogram.reading.sum == value)
  }

  @Test("another thread sees every number at last")
  func threads() throws {
    let counters = CounterSet<Fruit>()
    let thread = try Thread.start(name: "counts") {
      for _ in 0..<100_000 { counters.add(.apple) }
    }
    #expect(settled(100_000) { counters[.apple] } == 100_000)
    thread.join()
  }
}

@Suite("A loop counts its traffic and its refusals")
struct LoopCounterTests {
  @Test("an echo: connections, messages, pings and bytes, both ways")
  func echo() throws {
    let server = try Server()
    let counters = server.group.counters[0]
    var client = RawClient(webSocket: "/echo", port: server.port)
    for _ in 0..<3 { client?.send(.text, hello) }
    for _ in 0..<3 { #expect(client?.readFrame()?.payload == hello) }
    client?.send(.ping, [])
    #expect(client?.readFrame()?.opcode == .pong)
    #expect(counters.counts[.accepted] == 1)
    #expect(counters.counts[.opened] == 1)
    #expect(counters.counts[.messagesIn] == 3)
    #expect(counters.counts[.messagesOut] == 3)
    #expect(counters.counts[.pingsIn] == 1)
    #expect(settled(1) { counters.counts[.connections] } == 1)
    #expect(settled(1) { counters.counts[.sockets] } == 1)
    // The frames, and the two heads that came before them.
    let upgrade = RawClient.upgrade("/echo").utf8.count
    #expect(counters.counts[.bytesIn] == upgrade + 3 * (6 + hello.count) + 6)
    #expect(settled(129 + 3 * (2 + hello.count) + 2) { counters.counts[.bytesOut] } == 152)
    #expect(counters.turns.reading.counts.reduce(0, +) > 0)
    client = nil
    #expect(settled(1) { counters.counts[.endedLost] } == 1)
    #expect(settled(0) { counters.counts[.connections] } == 0)
    #expect(settled(0) { counters.counts[.sockets] } == 0)
  }

  @Test(
    "a refusal is counted once, by its reason",
    arguments: [
      ("GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", LoopCount.refusedPath),
      ("GET /echo HTTP/1.1\r\nHost: example.org\r\n\r\n", .refusedHost),
      ("GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", .refusedHandshake),
      ("PUT /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", .refusedMethod),
      ("nonsense\r\n\r\n", .refusedMalformed),
    ])
  func refusals(request: String, name: LoopCount) throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    client.send(request)
    #expect(client.readToEnd().hasPrefix("HTTP/1.1 4"))
    let counts = server.group.counters[0].counts
    #expect(counts[name] == 1)
    let refusals = LoopCount.allCases.filter { "\($0)".hasPrefix("refused") }
    #expect(refusals.reduce(0) { $0 + counts[$1] } == 1)
    #expect(counts[.answered] == 0)
  }

  @Test("Bytes that a peer does not take are counted while they wait, and gone with the peer")
  func backlog() throws {
    let server = try Server { $0.sendBufferBytes = 4_096 }
    let counts = server.group.counters[0].counts
    var client: RawClient? = try #require(RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    let payload = [UInt8](repeating: 7, count: 1 << 20)
    server.perform { loop, _ in for _ in 0..<32 { loop.send(.binary, payload, to: id) } }
    let numbers = try Mailbox<[Int]>()
    server.perform { loop, _ in
      numbers.post([loop.pendingBytes(id), loop.counters.counts[.backlogBytes]])
    }
    let seen = try #require(numbers.wait(milliseconds: Int(patienceMilliseconds)).first)
    #expect(seen[0] > 0)
    #expect(seen[0] == seen[1])
    #expect(client != nil)
    client = nil
    #expect(settled(0) { counts[.backlogBytes] } == 0)
  }
}
