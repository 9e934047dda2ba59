import Domain
import Testing
import Wire

@testable import Sync

@Suite("replica: requests that wait for their events")
struct RequestQueueTests {
  private let here = StreamID.category(CategoryID(UUID(high: 1, low: 1)))
  private let there = StreamID.user(UserID(UUID(high: 2, low: 2)))

  private func result() -> ReplicaAnswer {
    .command(
      CommandResult(
        changed: true,
        events: [StreamPosition(stream: here, seq: 5), StreamPosition(stream: there, seq: 7)]))
  }

  @Test("an event that is not waited for any more is told all the same")
  func waived() throws {
    var queue = RequestQueue()
    queue.add(.ping, ticket: RequestTicket(number: 1))
    let (_, id) = try #require(queue.take(beforeHello: false).first)
    queue.answered(id, result())
    // Answered over a connection that is gone; then the one stream comes whole, and the other's event.
    _ = queue.connectionLost()
    queue.waive(here, earlier: true)
    #expect(queue.settle { _ in false }.isEmpty)
    #expect(queue.settle { $0.stream == there }.map(\.answer) == [result()])
  }

  @Test("an answer of this connection waits for a stream that comes whole")
  func later() throws {
    var queue = RequestQueue()
    queue.add(.ping, ticket: RequestTicket(number: 1))
    let (_, id) = try #require(queue.take(beforeHello: false).first)
    queue.answered(id, result())
    queue.waive(here, earlier: true)
    #expect(queue.settle { $0.stream == there }.isEmpty)
    queue.waive(here)
    #expect(queue.settle { $0.stream == there }.map(\.answer) == [result()])
  }
}
