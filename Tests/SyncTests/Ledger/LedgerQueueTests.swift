import Domain
import Testing

@testable import Sync

@Suite("P11, P7: work that waits for the ledger") struct LedgerQueueTests {
  private static func user(_ number: Int) -> UserID { UserID(UUID(high: 0, low: UInt64(number))) }

  private static func entry(_ user: Int, _ number: Int) -> LedgerQueue<Int>.Entry {
    LedgerQueue.Entry(
      .useSession(
        SessionID(UUID(high: 0, low: 1)), of: Self.user(user), at: Timestamp(milliseconds: 0)),
      number)
  }

  /// Forty of the first person, then one of each of two others.
  private static func queue() -> LedgerQueue<Int> {
    var queue = LedgerQueue<Int>()
    for number in 0..<40 { queue.add(entry(1, number)) }
    queue.add(entry(2, 100))
    queue.add(entry(3, 200))
    return queue
  }

  @Test("Who sends much at once waits for it alone")
  func turns() {
    var queue = Self.queue()
    #expect(queue.take(5).map(\.reply) == [0, 100, 200, 1, 2])
    queue.add(Self.entry(2, 101))
    #expect(queue.take(3).map(\.reply) == [3, 101, 4])
    #expect(queue.count == 35)
    #expect(queue.take(100).map(\.reply) == Array(5..<40))
    #expect(queue.isEmpty && queue.take(1).isEmpty)
  }

  @Test("Work that had no time comes first again, in its order")
  func putBack() {
    var queue = Self.queue()
    let taken = queue.take(5)
    queue.putBack(taken[1...])
    #expect(queue.count == 41)
    #expect(queue.take(6).map(\.reply) == [100, 200, 1, 2, 3, 4])
    queue.putBack([])
    #expect(queue.count == 35)
  }

  @Test("Whatever is taken and put back, a person's work stays in its order and none is lost")
  func order() {
    var queue = LedgerQueue<Int>()
    var (next, seen, number) = ([UserID: Int](), 0, 7)
    for round in 0..<400 {
      number = (number * 1_103 + 12_345) % 65_536
      let user = 1 + number % 3
      queue.add(Self.entry(user, round))
      guard round % 4 == 0 else { continue }
      let taken = queue.take(1 + number % 7)
      let kept = number % (taken.count + 1)
      for entry in taken.prefix(kept) {
        guard case .useSession(_, let user, _) = entry.work else { continue }
        #expect(entry.reply > next[user, default: -1])
        next[user] = entry.reply
        seen += 1
      }
      queue.putBack(taken.dropFirst(kept))
    }
    #expect(queue.take(1_000).count + seen == 400)
  }
}
