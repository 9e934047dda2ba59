// What a loop counts. Whoever adds a case here names it for the operator in Server/Metrics, where a switch
// over all cases does not compile without it.

import WebSocket

/// What a loop counts: what happened since the start, and a few gauges of how it is now.
package enum LoopCount: Int, CaseIterable, Sendable {
  // Gauges.
  /// Sockets that this loop owns, in whatever state.
  case sockets
  /// WebSocket connections.
  case connections
  /// Bytes that kernels did not take because peers do not read.
  case backlogBytes

  // Connections.
  case accepted
  /// WebSocket handshakes that succeeded, as server or client.
  case opened
  /// Of these, with compression.
  case openedCompressed
  case tlsHandshakes
  case endedClosed, endedFailed, endedLost, endedTimedOut, endedAborted, endedUnreachable
  case endedUnprotected, endedRefused
  /// Requests that a route answered.
  case answered
  /// Descriptors or memory ran out while accepting.
  case acceptPauses

  // Refused before anything was opened.
  /// Too many connections, in all or of one address: answered 503.
  case refusedFull, refusedAddress
  /// So many more that there was no room for an answer.
  case refusedDropped
  case refusedStopping, refusedHost, refusedOrigin, refusedPath, refusedMethod, refusedMalformed
  /// The TLS handshake failed, or plain bytes came where TLS is spoken.
  case refusedTLS
  case refusedHeadSize, refusedBodySize, refusedHandshake, refusedTimeout, refusedOther

  // Traffic.
  case messagesIn, messagesOut, pingsIn, pingsOut, pongsIn
  /// Bytes of sockets, both ways, whatever they were.
  case bytesIn, bytesOut
}

/// The numbers of one loop; it alone writes them, anybody may read. Times are nanoseconds.
package final class LoopCounters: Sendable {
  package let counts = CounterSet<LoopCount>()
  /// From the moment that the kernel had something to the end of the turn: how long whoever came last in
  /// the turn was not heard, and the least that the next one waits.
  package let turns = Histogram(bounds: LoopCounters.bounds)
  /// How much later than meant a timer fired. The wheel's own grain is 32 ms.
  package let timerDelays = Histogram(bounds: LoopCounters.bounds)

  package init() {}

  /// 10 µs to 10 s in steps of about three: an idle turn is below the first, a heartbeat above the last.
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

  /// Counts an answer that ends the way to a WebSocket, by what it says.
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
