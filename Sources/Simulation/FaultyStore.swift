// A connection to the store that fails on demand. What it is told to do wrong it does once; everything
// else goes to the real store.

import Domain
import Sync

/// What the next commit does.
enum CommitFault: Equatable {
  /// Nothing is written and the store says so.
  case refused
  /// COMMIT itself fails. The store answers as if nothing was written, which a crash before the next commit may
  /// prove wrong (Store/SQLiteStore.swift; a frame that was written and not synced).
  case unknown(comesBack: Bool)
  /// The process ends before, inside (written or not) or right after the commit.
  case crashBefore
  case crashInside(written: Bool)
  case crashAfter
}

/// Shared by all connections of one server, and read by the simulation.
final class StoreFaults {
  var commit: CommitFault?
  var failLoads = 0
  var failReads = 0
  /// What a crash would bring back.
  var limbo: LedgerTransaction?
  /// Where the store's own files can fail.
  var interruptCommit: () -> Bool = { false }
  var failSync: () -> Bool = { false }
  var stopFailing: () -> Void = {}
  /// Written or not: only the next server will tell.
  var doubt: (LedgerTransaction) -> Void = { _ in }
  /// A commit that ends the process was met.
  var hasCrashed = false
  /// What a commit has really written.
  var onCommit: (LedgerTransaction) -> Void = { _ in }
  var made: (Fault) -> Void = { _ in }
}

final class FaultyStore: EventStore {
  private let inner: any EventStore
  private let faults: StoreFaults

  init(_ inner: any EventStore, _ faults: StoreFaults) {
    self.inner = inner
    self.faults = faults
  }

  var identity: StoreIdentity { inner.identity }

  // MARK: Writing

  func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    if faults.failLoads > 0 {
      faults.failLoads -= 1
      faults.made(.loadFails)
      throw .unreadable(StoreFault(.disk, "simulated"))
    }
    return try inner.load(needs)
  }

  func commit(_ transaction: LedgerTransaction) throws(StoreError) {
    let fault = faults.commit
    faults.commit = nil
    let unknown = StoreError.outcomeUnknown(StoreFault(.disk, "simulated"))
    switch fault {
    case nil: try write(transaction)
    case .refused:
      faults.made(.commitRefused)
      throw .notCommitted(StoreFault(.full, "simulated"))
    case .unknown(let comesBack):
      faults.made(comesBack ? .commitUnknownWritten : .commitUnknownLost)
      if comesBack, faults.failSync() { return try writeInDoubt(transaction) }
      faults.limbo = comesBack ? transaction : nil
      throw unknown
    case .crashBefore:
      faults.made(.crashBeforeCommit)
      faults.hasCrashed = true
      throw unknown
    case .crashInside(let written):
      faults.made(.crashInCommit)
      faults.hasCrashed = true
      if faults.interruptCommit() { return try writeInDoubt(transaction) }
      if written { try write(transaction) }
      throw unknown
    case .crashAfter:
      faults.made(.crashAfterCommit)
      try write(transaction)
      faults.hasCrashed = true
    }
  }

  private func write(_ transaction: LedgerTransaction) throws(StoreError) {
    try inner.commit(transaction)
    faults.limbo = nil
    faults.onCommit(transaction)
  }

  /// The store's own error is told, if it has one.
  private func writeInDoubt(_ transaction: LedgerTransaction) throws(StoreError) {
    defer { faults.stopFailing() }
    do throws(StoreError) {
      try inner.commit(transaction)
    } catch {
      if error.mayBeWritten || faults.hasCrashed { faults.doubt(transaction) }
      throw error
    }
    faults.onCommit(transaction)
  }

  /// The process ends, and the next one finds the frames of a failed COMMIT.
  func comeBack() throws(StoreError) {
    if let limbo = faults.limbo { try write(limbo) }
  }

  @discardableResult
  func tidy() throws(StoreError) -> Bool { try inner.tidy() }
  func trim(before time: Timestamp) throws(StoreError) -> TrimStep { try inner.trim(before: time) }

  // MARK: Reading

  func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    if faults.failReads > 0 {
      faults.failReads -= 1
      faults.made(.readFails)
      throw .unreadable(StoreFault(.disk, "simulated"))
    }
    return try inner.read(body)
  }

  func session(tokenHash: [UInt8]) throws(StoreError) -> SessionRecord? {
    try inner.session(tokenHash: tokenHash)
  }
  func sessions(of user: UserID) throws(StoreError) -> [SessionRecord] {
    try inner.sessions(of: user)
  }
  func account(_ user: UserID) throws(StoreError) -> Account? { try inner.account(user) }
  func account(username: String) throws(StoreError) -> Account? {
    try inner.account(username: username)
  }
  func isSpent(code: String) throws(StoreError) -> Bool { try inner.isSpent(code: code) }
  func key(_ address: KeyAddress) throws(StoreError) -> KeyRecord? { try inner.key(address) }
  func streams(of user: UserID) throws(StoreError) -> [StreamAccess] {
    try inner.streams(of: user)
  }
  func access(of user: UserID, to stream: StreamID) throws(StoreError) -> StreamAccess? {
    try inner.access(of: user, to: stream)
  }
  func head(of stream: StreamID) throws(StoreError) -> StreamHead? { try inner.head(of: stream) }
  func transaction(at position: StreamPosition) throws(StoreError) -> TransactionID? {
    try inner.transaction(at: position)
  }
  func events(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredEvent] {
    try inner.events(in: stream, after: after, through: through, bytesMax: bytesMax)
  }
  func past(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredPast] {
    try inner.past(in: stream, after: after, through: through, bytesMax: bytesMax)
  }
  func snapshot(of stream: StreamID) throws(StoreError) -> StoredSnapshot? {
    try inner.snapshot(of: stream)
  }
  func object(_ key: ObjectKey, in stream: StreamID) throws(StoreError) -> [UInt8]? {
    try inner.object(key, in: stream)
  }
  func objects(_ kind: ObjectKind, in stream: StreamID) throws(StoreError) -> [[UInt8]] {
    try inner.objects(kind, in: stream)
  }
  func posts(
    in category: CategoryID, on shelf: PostShelf, before: Int?, limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    try inner.posts(in: category, on: shelf, before: before, limit: limit)
  }
  func removedCategories(of user: UserID) throws(StoreError) -> [[UInt8]] {
    try inner.removedCategories(of: user)
  }
  func tallies(of category: CategoryID) throws(StoreError) -> [MemberTally] {
    try inner.tallies(of: category)
  }
  func searchedLists(of user: UserID) throws(StoreError) -> [SearchedList] {
    try inner.searchedLists(of: user)
  }
  func found(_ search: PostSearch) throws(StoreError) -> [FoundPost] {
    try inner.found(search)
  }
}

extension StoreError {
  fileprivate var mayBeWritten: Bool {
    switch self {
    case .outcomeUnknown: true
    case .unreadable, .notCommitted: false
    }
  }
}
