// The counts of the threads of the server, besides those of Net's loops. Each object has one writer, the thread that it
// is named after (Net/CounterSet.swift says why); the page of metrics and `/readyz` only read.

internal import Net
internal import Sync
internal import Wire

/// All numbers of a server.
final class ServerCounters: Sendable {
  let net: [LoopCounters]
  let sessions: [SessionCounters]
  let ledger = LedgerCounters()
  let readers: [ReaderCounters]
  let authenticator = CounterSet<AuthenticatorCount>()
  let courier = CounterSet<CourierCount>()
  /// The durations of jobs on each hash thread, in nanoseconds.
  let hashers: [Histogram]

  init(loops: Int, readers: Int, hashers: Int) {
    net = (0..<loops).map { _ in LoopCounters() }
    sessions = (0..<loops).map { _ in SessionCounters() }
    self.readers = (0..<readers).map { _ in ReaderCounters() }
    self.hashers = (0..<hashers).map { _ in Histogram(bounds: Durations.bounds) }
  }
}

enum Durations {
  /// The bounds, in nanoseconds: 100 µs to 10 s in steps of about three. A commit takes one flush of the disk, a hash
  /// some 100 ms.
  static let bounds = [
    100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000, 300_000_000,
    1_000_000_000, 3_000_000_000, 10_000_000_000,
  ]
}

// MARK: Loops

/// A count of the sessions of one loop.
enum SessionCount: Int, CaseIterable, Sendable {
  // Gauges.
  case signedIn
  /// The connections that take no bytes.
  case stalled
  /// The gauge that is 1 after the stop was requested.
  case isDraining

  // Sessions that we ended, by reason.
  case endedDrain, endedSlow, endedHelloTimeout, endedTokenInvalid, endedAbuse, endedSignedOut
  case endedLogout, endedBinary, endedOther
}

/// The counters of one loop's sessions, owned by the loop.
final class SessionCounters: Sendable {
  let counts = CounterSet<SessionCount>()
  let requests = CounterSet<RequestCount>()

  func ended(_ code: CloseCode) {
    switch code {
    case .normal: counts.add(.endedLogout)
    case .drain: counts.add(.endedDrain)
    case .slow: counts.add(.endedSlow)
    case .helloTimeout: counts.add(.endedHelloTimeout)
    case .tokenInvalid: counts.add(.endedTokenInvalid)
    case .protocolAbuse: counts.add(.endedAbuse)
    case .signedOut, .linkEnded: counts.add(.endedSignedOut)
    case .unsupportedData: counts.add(.endedBinary)
    case .goingAway, .protocolError, .invalidText, .policyViolation, .tooLarge, .internalError,
      .restart, .tryLater:
      counts.add(.endedOther)
    }
  }
}

// MARK: The ledger

enum LedgerCount: Int, CaseIterable, Sendable {
  // Gauges.
  /// The works that were taken from the mailbox and are not settled.
  case inHand
  /// The moment at which the batch in hand was begun, in milliseconds of the monotonic clock; 0 while there is none.
  case busySince
  /// The moment at which the store last failed, in the same unit; 0 when it has not failed, or has written since.
  case failedAt
  /// The state of the disk: 0 plenty, 1 low, 2 critical.
  case diskState
  case diskFreeBytes, diskBytes
  /// The bytes that are kept for a full disk; 0 while the reserve is given up.
  case diskReserveBytes
  /// The gauge that is 1 while no deadline is told, because of the wall clock.
  case schedulerPaused
  /// The runs that go on, as the ledger watches them.
  case runs

  case works
  /// The works that were answered with the result of an earlier submission.
  case repeats
  case committed
  /// The transactions of which nothing was written.
  case failed
  /// The transactions that were written or not: only a repeat tells.
  case unknown
  case events
  /// The posts that came to their deadlines.
  case deadlines
  /// The runs that the ledger found to be lost.
  case runsLost
}

/// The counters of the ledger, owned by its thread.
final class LedgerCounters: Sendable {
  let counts = CounterSet<LedgerCount>()
  /// The durations of COMMIT, in nanoseconds.
  let commits = Histogram(bounds: Durations.bounds)
  /// The numbers of works that were settled by one commit.
  let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
}

// MARK: Readers

enum ReaderCount: Int, CaseIterable, Sendable {
  // Gauges.
  /// The messages that were taken from the mailbox and are not answered.
  case inHand
  case snapshotBytes

  case hellos, opens, queries, watches
  case failures
  case snapshotHits, snapshotMisses
}

/// The counters of one reader, owned by its thread.
final class ReaderCounters: Sendable {
  let counts = CounterSet<ReaderCount>()
  /// The durations of requests, in nanoseconds.
  let reads = Histogram(bounds: Durations.bounds)
}

// MARK: The courier

enum CourierCount: Int, CaseIterable, Sendable {
  // Gauges.
  case webhooks
  /// The webhooks whose deliveries fail, or that are paused.
  case troubled
  case inFlight

  /// The deliveries that a receiver has taken, and the tries that failed.
  case taken, failed
}

// MARK: The authenticator

enum AuthenticatorCount: Int, CaseIterable, Sendable {
  // Gauges.
  /// The jobs that wait for a hash thread.
  case waiting

  case visits
  /// The visits that were refused before anything was computed.
  case refusedRate, refusedQueue
  /// The visits with an unknown name, or a wrong password or recovery code.
  case refusedCredentials
  /// The registrations without a code that is good.
  case refusedCode
}
