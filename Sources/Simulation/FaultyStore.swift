// A connection to the store that fails on demand. It makes each demanded fault once; everything else goes to the real
// store.

import Domain
import Sync

/// The fault of the next commit.
enum CommitFault: Equatable {
  /// The store writes nothing and says so.
  case refused
  /// COMMIT itself fails. The store answers as if nothing was written, which a crash before the next commit may prove
  /// wrong (Store/SQLiteStore.swift; a frame that was written and not synced).
  case unknown(comesBack: Bool)
  /// The process ends before the commit. The next two cases end it inside (written or not) and right after the commit.
  case crashBefore
  case crashInside(written: Bool)
  case crashAfter
}

/// The faults to make. All connections of one server share them, and the simulation reads them.
final class StoreFaults {
  var commit: CommitFault?
  var failLoads = 0
  var failReads = 0
  /// The transaction that a crash would bring back.
  var limbo: LedgerTransaction?
  /// Lets the store's own files fail, where they can.
  var interruptCommit: () -> Bool = { false }
  var failSync: () -> Bool = { false }
  var stopFailing: () -> Void = {}
  /// Takes a transaction that is written or not; only the next server will tell.
  var doubt: (LedgerTransaction) -> Void = { _ in }
  /// Whether a commit has ended the process.
  var hasCrashed = false
  /// Takes a transaction that a commit has really written.
  var onCommit: (LedgerTransaction) -> Void = { _ in }
  var made: (Fault) -> Void = { _ in }
}

final class FaultyStore: StoreLayer {
  let inner: any EventStore
  private let faults: StoreFaults

  init(_ inner: any EventStore, _ faults: StoreFaults) {
    self.inner = inner
    self.faults = faults
  }

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

  /// Writes while the store's files may fail; throws the store's own error, if it has one.
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

  /// Ends the process; the next one finds the frames of a failed COMMIT.
  func comeBack() throws(StoreError) {
    if let limbo = faults.limbo { try write(limbo) }
  }

  func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    if faults.failReads > 0 {
      faults.failReads -= 1
      faults.made(.readFails)
      throw .unreadable(StoreFault(.disk, "simulated"))
    }
    return try inner.read(body)
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
