import Net
import Testing

@testable import Server

@Suite("/readyz, whether to send clients here")
struct ReadinessTests {
  private let counters = ServerCounters(loops: 2, readers: 1, hashers: 1)

  private func readiness(at milliseconds: Int64) -> Readiness {
    Readiness(counters, at: Moment(milliseconds: milliseconds))
  }

  @Test("a server with nothing to do is ready")
  func idle() {
    #expect(readiness(at: 1_000_000) == .ready)
    #expect(readiness(at: 1_000_000).reply.status == .ok)
  }

  @Test(
    "a batch that lasts for seconds is a ledger that does not answer", arguments: [5_000, 5_001])
  func busy(milliseconds: Int64) {
    counters.ledger.counts.set(.busySince, 1_000)
    #expect(readiness(at: 1_000 + milliseconds) == (milliseconds > 5_000 ? .ledger : .ready))
    counters.ledger.counts.set(.busySince, 0)
    #expect(readiness(at: 1_000 + milliseconds) == .ready)
  }

  @Test(
    "a store that failed lately is not ready, and is tried again", arguments: [0, 9_999, 10_000])
  func failing(milliseconds: Int64) {
    counters.ledger.counts.set(.failedAt, 1_000)
    #expect(readiness(at: 1_000 + milliseconds) == (milliseconds < 10_000 ? .disk : .ready))
    counters.ledger.counts.set(.failedAt, 0)
    #expect(readiness(at: 1_000 + milliseconds) == .ready)
  }

  @Test("one loop that stops is a server that stops, whatever else is wrong", arguments: [0, 1])
  func draining(loop: Int) {
    counters.ledger.counts.set(.failedAt, 1_000)
    counters.sessions[loop].counts.set(.isDraining, 1)
    #expect(readiness(at: 1_000) == .draining)
    let reply = readiness(at: 1_000).reply
    #expect(reply.status == .unavailable)
    #expect(reply.body == Array("draining\n".utf8))
  }
}
