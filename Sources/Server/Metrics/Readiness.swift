// The answer of `/readyz`: whether it makes sense to send clients here. `/healthz` only says that the process lives: a
// program that restarts unhealthy servers must not restart one that drains or whose disk is full.

internal import Net
internal import WebSocket

/// The state of the server in one word: whether it can do its work.
enum Readiness: String, Sendable, Equatable {
  case ready
  /// The server is stopping.
  case draining
  /// The ledger has worked on one batch for too long, because a disk hangs.
  case ledger
  /// The store could not write lately.
  case disk

  /// The time after which the ledger counts as stuck. A batch takes milliseconds, and nobody waits so long gladly.
  static let busyMilliseconds: Int64 = 5_000
  /// The time for which a failure counts. It does not last until the next success, because a server that is not ready
  /// gets no work that could succeed.
  static let failureMilliseconds: Int64 = 10_000

  init(_ counters: ServerCounters, at now: Moment) {
    let ledger = counters.ledger.counts
    if counters.sessions.contains(where: { $0.counts[.isDraining] != 0 }) {
      self = .draining
    } else if Readiness.since(ledger[.busySince], now) > Readiness.busyMilliseconds {
      self = .ledger
    } else if ledger[.failedAt] != 0,
      Readiness.since(ledger[.failedAt], now) < Readiness.failureMilliseconds
    {
      self = .disk
    } else {
      self = .ready
    }
  }

  var reply: HTTPReply {
    .text(
      self == .ready ? .ok : .unavailable, rawValue,
      fields: [HTTPReply.Field("Cache-Control", "no-store")])
  }

  /// Returns the milliseconds since a moment; 0 when there is no such moment.
  private static func since(_ milliseconds: Int, _ now: Moment) -> Int64 {
    milliseconds == 0 ? 0 : now.milliseconds - Int64(milliseconds)
  }
}
