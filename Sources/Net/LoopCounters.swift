// The counts of a loop. Each new case here needs a name for the operator in Server/Metrics, where a switch over all
// cases does not compile without it.

import WebSocket

/// A count of a loop: something that happened since the start, or a gauge of the present.
package enum LoopCount: Int, CaseIterable, Sendable {
  // Gauges.
  /// The sockets that this loop owns, in whatever state.
  case sockets
  /// The open WebSocket connections.
  case connections
  /// The bytes that the kernel did not take because peers do not read.
  case backlogBytes

  // Connections.
  case accepted
  /// The WebSocket handshakes that succeeded, as server or client.
  case opened
  /// The accepted upgrades that agreed on compression.
  case openedCompressed
  case tlsHandshakes
  case endedClosed, endedFailed, endedLost, endedTimedOut, endedAborted, endedUnreachable
  case endedUnprotected, endedRefused
  /// The requests that a route answered.
  case answered
  /// The times when descriptors or memory ran out while accepting.
  case acceptPauses

  // Refused before anything was opened.
  /// The requests answered 503, because there were too many connections, in all or of one address.
  case refusedFull, refusedAddress
  /// The connections dropped because there was no room even for an answer.
  case refusedDropped
  case refusedStopping, refusedHost, refusedOrigin, refusedPath, refusedMethod, refusedMalformed
  /// The failed TLS handshakes, and plain bytes where TLS is spoken.
  case refusedTLS
  case refusedHeadSize, refusedBodySize, refusedHandshake, refusedTimeout, refusedOther

  // Traffic.
  case messagesIn, messagesOut, pingsIn, pingsOut, pongsIn
  /// The bytes of sockets, both ways, whatever they were.
  case bytesIn, bytesOut
}

/// The numbers of one loop. It alone writes them, and anybody may read them. Times are nanoseconds.
package final class LoopCounters: Sendable {
  package let counts = CounterSet<LoopCount>()
  /// The durations from the moment that the kernel had something to the end of the turn. So long was the last one of
  /// the turn not heard, and so long the next one waits at least.
  package let turns = Histogram(bounds: LoopCounters.bounds)
  /// The delays of timers after the moment for which they were set. The wheel's own grain is 32 ms.
  package let timerDelays = Histogram(bounds: LoopCounters.bounds)

  package init() {}

  /// The bounds are 10 µs to 10 s in steps of about three: an idle turn is below the first, a heartbeat above the last.
  private static let bounds = [
    10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000,
    300_000_000, 1_000_000_000, 3_000_000_000, 10_000_000_000,
  ]

  @inline(__always)
  func add(_ name: LoopCount, _ amount: Int = 1) { counts.add(name, amount) }

  func ended(_ ending: Ending) {
    switch ending {
    case .closed: add(.endedClosed)
    case .failed: add(.endedFailed)
    case .lost: add(.endedLost)
    case .timedOut: add(.endedTimedOut)
    case .aborted: add(.endedAborted)
    case .unreachable: add(.endedUnreachable)
    case .unprotected: add(.endedUnprotected)
    case .refused: add(.endedRefused)
    }
  }

  /// Counts an answer that ends the way to a WebSocket, by its status.
  func refused(_ status: HTTPStatus) {
    switch status {
    case .badRequest, .versionNotSupported, .notImplemented: add(.refusedMalformed)
    case .forbidden: add(.refusedOrigin)
    case .notFound: add(.refusedPath)
    case .methodNotAllowed: add(.refusedMethod)
    case .requestTimeout: add(.refusedTimeout)
    case .contentTooLarge: add(.refusedBodySize)
    case .targetTooLong, .fieldsTooLarge: add(.refusedHeadSize)
    case .misdirected: add(.refusedHost)
    case .upgradeRequired: add(.refusedHandshake)
    default: add(.refusedOther)
    }
  }
}
