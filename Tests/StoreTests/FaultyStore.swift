import Domain
import Simulation
import Sync

/// A store whose writing half fails at one chosen call. Calls are counted from 1 as they come: `load`, `commit`,
/// `tidy`, and the questions since when the bin counts and about accounts that end. All other calls go to the real
/// store.
final class FaultyStore: StoreLayer {
  enum Fault: CaseIterable, Sendable {
    /// The disk cannot be read, or nothing is written and nothing will be.
    case refuses
    /// COMMIT fails, and nothing was written.
    case unknownNotWritten
    /// COMMIT fails, and all was written.
    case unknownWritten
  }

  let inner: any EventStore
  private let fault: Fault
  /// The number of calls before the one that fails.
  private var left: Int
  private(set) var calls = 0
  private(set) var hasFailed = false
  /// The number of queries for what a user may read.
  private(set) var lookups = 0

  init(_ inner: any EventStore, failing call: Int, with fault: Fault) {
    self.inner = inner
    self.fault = fault
    left = call
  }

  private func isDue() -> Bool {
    calls += 1
    left -= 1
    guard left == 0 else { return false }
    hasFailed = true
    return true
  }

  private let broken = StoreFault(.disk, "as the test wants it")

  func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    if isDue() { throw .unreadable(broken) }
    return try inner.load(needs)
  }

  func commit(_ transaction: LedgerTransaction) throws(StoreError) {
    guard isDue() else { return try inner.commit(transaction) }
    switch fault {
    case .refuses: throw .notCommitted(broken)
    case .unknownNotWritten: throw .outcomeUnknown(broken)
    case .unknownWritten:
      try inner.commit(transaction)
      throw .outcomeUnknown(broken)
    }
  }

  @discardableResult
  func tidy() throws(StoreError) -> Bool {
    if isDue() { throw .unreadable(broken) }
    return try inner.tidy()
  }

  func countBin(from time: Timestamp) throws(StoreError) {
    if isDue() { throw .notCommitted(broken) }
    try inner.countBin(from: time)
  }

  func endingAccounts(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [EndingAccount] {
    if isDue() { throw .unreadable(broken) }
    return try inner.endingAccounts(through: time, limit: limit)
  }

  func untoldNames(limit: Int) throws(StoreError) -> [UntoldName] {
    if isDue() { throw .unreadable(broken) }
    return try inner.untoldNames(limit: limit)
  }

  func naming(_ user: UserID, from place: NamingPlace) throws(StoreError) -> NamingStep {
    if isDue() { throw .unreadable(broken) }
    return try inner.naming(user, from: place)
  }

  func streams(of user: UserID) throws(StoreError) -> [StreamAccess] {
    lookups += 1
    return try inner.streams(of: user)
  }
  func access(of user: UserID, to stream: StreamID) throws(StoreError) -> StreamAccess? {
    lookups += 1
    return try inner.access(of: user, to: stream)
  }
}
