import Domain
import TestRandom
import Testing
import Wire

@testable import Sync

/// A network loses connections at any moment, and a server's pushes are lost, doubled and late.
@Suite("replica: P2, P5, P10 in a storm")
struct ReplicaStormTests {
  @Test(
    "whatever is lost, the copies become the server's state and every command happens once",
    arguments: 0..<60)
  func storm(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var bench = Bench()
    bench.server.tailMax = Int64(random.below(8))
    let lists = (1...3).map { bench.server.addList($0) }
    var toServer: [[UInt8]] = []
    var toClient: [[UInt8]] = []
    var now: Int64 = 0
    var number: Int64 = 0
    bench.take(bench.replica.start())
    bench.take(bench.replica.opened())
    for _ in 0..<300 {
      now += Int64(random.below(400))
      toServer += bench.sent
      bench.forgetSent()
      switch random.below(10) {
      case 0...2:
        number += 1
        bench.add(number, to: lists[random.below(3)])
      case 3, 4: try step(&bench, &toServer, &toClient, &random)
      case 5...7:
        if !toClient.isEmpty { bench.deliver(toClient.removeFirst(), now: now) }
      case 8:
        // Somebody else writes; the push may be lost or doubled.
        let stream = StreamID.category(lists[random.below(3)])
        let event = bench.server.write(
          stream, [.category(.edited(CategoryEdit(name: "n\(random.below(100))")))])
        let push = bench.server.push(StreamPosition(stream: stream, seq: event.seq))
        toClient += Array(repeating: push, count: random.below(3))
      default:
        guard random.below(4) == 0 else { break }
        (toServer, toClient) = ([], [])
        bench.forgetSent()
        bench.take(bench.replica.closed(.lost, now: now, random: random.next()))
        now += 40_000
        bench.take(bench.replica.woke(now: now))
        bench.take(bench.replica.opened())
      }
    }
    // The weather clears.
    bench.forgetSent()
    bench.take(bench.replica.closed(.lost, now: now, random: 0))
    bench.take(bench.replica.woke(now: now + 40_000))
    bench.take(bench.replica.opened())
    try bench.exchange(now: now + 40_000)
    #expect(bench.isLevel, "seed \(seed)")
    #expect(
      bench.answered.sorted() == Array(stride(from: 1, through: number, by: 1)), "seed \(seed)")
    #expect(bench.server.effects.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    #expect(bench.server.effects.count == number, "seed \(seed)")
  }

  private func step(
    _ bench: inout Bench, _ toServer: inout [[UInt8]], _ toClient: inout [[UInt8]],
    _ random: inout SeededRandom
  ) throws {
    guard !toServer.isEmpty else { return }
    let (messages, made) = try bench.server.answer(toServer.removeFirst())
    let pushes = made.map { bench.server.push($0) }.filter { _ in random.below(5) > 0 }
    toClient += random.below(2) == 0 ? messages + pushes : pushes + messages
  }
}
