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
