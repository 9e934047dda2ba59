// What the threads of the server count, besides what Net's loops do. Each object has one writer, the thread
// that it is named after (Net/CounterSet.swift says why); the page of metrics and `/readyz` only read.

internal import Net
internal import Sync
internal import Wire

/// All numbers of a server.
final class ServerCounters: Sendable {
  let net: [LoopCounters]
  let sessions: [SessionCounters]
  let ledger = LedgerCounters()
  let readers: [ReaderCounters]
  let door = CounterSet<DoorCount>()
  /// How long each hash thread worked on a job; nanoseconds.
  let hashers: [Histogram]

  init(loops: Int, readers: Int, hashers: Int) {
    net = (0..<loops).map { _ in LoopCounters() }
    sessions = (0..<loops).map { _ in SessionCounters() }
    self.readers = (0..<readers).map { _ in ReaderCounters() }
    self.hashers = (0..<hashers).map { _ in Histogram(bounds: Durations.bounds) }
  }
}

enum Durations {
  /// 100 µs to 10 s in steps of about three; nanoseconds. A commit takes one flush of the disk, a hash
  /// some 100 ms.
  static let bounds = [
    100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000, 300_000_000,
    1_000_000_000, 3_000_000_000, 10_000_000_000,
  ]
}

// MARK: Loops

/// What the sessions of one loop do.
enum SessionCount: Int, CaseIterable, Sendable {
  // Gauges.
  case signedIn
  /// Connections that take no bytes.
  case stalled
  /// 1 after the stop was requested.
  case isDraining

  // Sessions that we ended, by why.
  case endedDrain, endedSlow, endedHelloTimeout, endedTokenInvalid, endedAbuse, endedSignedOut
  case endedLogout, endedBinary, endedOther
}

/// Owned by the loop.
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
  /// Works that were taken from the mailbox and are not settled.
  case inHand
  /// When the batch in hand was begun, in milliseconds of the monotonic clock; 0 while there is none.
  case busySince
  /// When the store last failed, likewise; 0: it has not, or has written since.
  case failedAt
  /// 0 plenty, 1 low, 2 critical.
  case diskState
  case diskFreeBytes, diskBytes
  /// Kept for a full disk; 0 while it is given up.
  case diskReserveBytes
  /// 1 while no deadline is told, because of the wall clock.
  case schedulerPaused

  case works
  /// Answered with the result of an earlier submission.
  case repeats
  case committed
  /// Nothing was written.
  case failed
  /// Written or not: only a repeat tells.
  case unknown
  case events
  /// Posts that came to their deadlines.
  case deadlines
}

/// Owned by the ledger thread.
final class LedgerCounters: Sendable {
  let counts = CounterSet<LedgerCount>()
  /// How long a COMMIT took; nanoseconds.
  let commits = Histogram(bounds: Durations.bounds)
  /// Works that were settled by one commit.
  let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
}

// MARK: Readers

enum ReaderCount: Int, CaseIterable, Sendable {
  // Gauges.
  /// Messages that were taken from the mailbox and are not answered.
  case inHand
  case snapshotBytes

  case hellos, opens, queries, watches
  case failures
  case snapshotHits, snapshotMisses
}

/// Owned by a reader thread.
final class ReaderCounters: Sendable {
  let counts = CounterSet<ReaderCount>()
  /// How long a request took; nanoseconds.
  let reads = Histogram(bounds: Durations.bounds)
}

// MARK: The doorkeeper

enum DoorCount: Int, CaseIterable, Sendable {
  // Gauges.
  /// Jobs that wait for a hash thread.
  case waiting

  case visits
  /// Refused before anything was computed.
  case refusedRate, refusedQueue
  /// An unknown name, a wrong password or recovery code.
  case refusedCredentials
  /// Registration without a code that is good.
  case refusedCode
}
