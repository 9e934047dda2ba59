import Domain
import Sync

/// A store whose writing half fails at one chosen call, counted from 1: `load`, `commit` and `tidy` as they
/// come. Everything else is the real store's.
final class FaultyStore: EventStore {
  enum Fault: CaseIterable, Sendable {
    /// The disk cannot be read, or nothing is written and nothing will be.
    case refuses
    /// COMMIT fails, and nothing was written.
    case unknownNotWritten
    /// COMMIT fails, and all was written.
    case unknownWritten
  }

  private let real: any EventStore
  private let fault: Fault
  /// Calls to go before the one that fails.
  private var left: Int
  private(set) var calls = 0
  private(set) var hasFailed = false
  /// Queries for what a user may read.
  private(set) var lookups = 0

  init(_ real: any EventStore, failing call: Int, with fault: Fault) {
    self.real = real
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

  var identity: StoreIdentity { real.identity }

  func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    if isDue() { throw .unreadable(broken) }
    return try real.load(needs)
  }

  func commit(_ transaction: LedgerTransaction) throws(StoreError) {
    guard isDue() else { return try real.commit(transaction) }
    switch fault {
    case .refuses: throw .notCommitted(broken)
    case .unknownNotWritten: throw .outcomeUnknown(broken)
    case .unknownWritten:
      try real.commit(transaction)
      throw .outcomeUnknown(broken)
    }
  }

  @discardableResult
  func tidy() throws(StoreError) -> Bool {
    if isDue() { throw .unreadable(broken) }
    return try real.tidy()
  }
  func trim(before time: Timestamp) throws(StoreError) -> TrimStep { try real.trim(before: time) }

  func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    try real.read(body)
  }
  func session(tokenHash: [UInt8]) throws(StoreError) -> SessionRecord? {
    try real.session(tokenHash: tokenHash)
  }
  func sessions(of user: UserID) throws(StoreError) -> [SessionRecord] {
    try real.sessions(of: user)
  }
  func account(_ user: UserID) throws(StoreError) -> Account? { try real.account(user) }
  func account(username: String) throws(StoreError) -> Account? {
    try real.account(username: username)
  }
  func isSpent(code: String) throws(StoreError) -> Bool { try real.isSpent(code: code) }
  func key(_ address: KeyAddress) throws(StoreError) -> KeyRecord? { try real.key(address) }
  func streams(of user: UserID) throws(StoreError) -> [StreamAccess] {
    lookups += 1
    return try real.streams(of: user)
  }
  func access(of user: UserID, to stream: StreamID) throws(StoreError) -> StreamAccess? {
    lookups += 1
    return try real.access(of: user, to: stream)
  }
  func head(of stream: StreamID) throws(StoreError) -> StreamHead? { try real.head(of: stream) }
  func transaction(at position: StreamPosition) throws(StoreError) -> TransactionID? {
    try real.transaction(at: position)
  }
  func events(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredEvent] {
    try real.events(in: stream, after: after, through: through, bytesMax: bytesMax)
  }
  func past(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredPast] {
    try real.past(in: stream, after: after, through: through, bytesMax: bytesMax)
  }
  func snapshot(of stream: StreamID) throws(StoreError) -> StoredSnapshot? {
    try real.snapshot(of: stream)
  }
  func object(_ key: ObjectKey, in stream: StreamID) throws(StoreError) -> [UInt8]? {
    try real.object(key, in: stream)
  }
  func objects(_ kind: ObjectKind, in stream: StreamID) throws(StoreError) -> [[UInt8]] {
    try real.objects(kind, in: stream)
  }
  func posts(
    in category: CategoryID, on shelf: PostShelf, before: Int?, limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    try real.posts(in: category, on: shelf, before: before, limit: limit)
  }
  func removedCategories(of user: UserID) throws(StoreError) -> [[UInt8]] {
    try real.removedCategories(of: user)
  }
  func tallies(of category: CategoryID) throws(StoreError) -> [MemberTally] {
    try real.tallies(of: category)
  }
  func searchedLists(of user: UserID) throws(StoreError) -> [SearchedList] {
    try real.searchedLists(of: user)
  }
  func found(_ search: PostSearch) throws(StoreError) -> [FoundPost] {
    try real.found(search)
  }
}
