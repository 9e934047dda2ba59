// The store of a server: one SQLite database in a data folder (DESIGN §7).
//
// The connections:
//   writer   one for each database, held by the ledger's thread. It alone writes, and it alone moves the
//            write-ahead log into the main file.
//   reader   as many as there are reader threads; another process's `verify` is one too.
//
// The meaning of errors:
//   before COMMIT   rolled back: `.notCommitted`.
//   of COMMIT       rolled back, but its frames may be in the log, so a crash may bring them back:
//                   `.outcomeUnknown`. The next commit writes over them. The connection stays open for
//                   that: one that opens again might find them, take them for committed and append to
//                   them, although after a failed sync they may never get to the disk.
//                   One code is certain. When the disk is full, the last frame, which makes the transaction
//                   count, was not written (wal.c, walWriteOneFrame; only a write is answered with FULL:
//                   os_unix.c): `.notCommitted`.
//   of a read       `.unreadable`; the next call may succeed.
// A connection that cannot even roll back, or end a read, is closed. Each later call tries to open another.

import CSQLite
package import Domain
package import Sync

/// One connection to the database of a data folder, used by one thread at a time.
package final class SQLiteStore: EventStore {
  package let identity: StoreIdentity
  let keyHasher: KeyHasher
  /// The damage of the log that the last server left, as a writer finds it when it starts. Nil when there is none.
  package let damage: LogDamage?
  /// Whether damage of the main file is noticed (CPages.h). Always true for a reader.
  package let hasPageSums: Bool
  /// The reserve of a writer. Nil when it keeps none.
  package let reserve: DiskReserve?
  private let path: String
  private let options: SQLiteOptions
  private let isWriter: Bool
  /// The lock that a writer holds as long as it lives.
  private let lock: FolderLock?
  /// The open connection. Nil after a failed rollback or end of a read, until another is open.
  private var opened: Connection?
  private var isReading = false

  /// Opens the writer of a folder, and makes the database or brings it up to date. `newIdentity` is called only for a
  /// new database.
  package init(
    writing folder: DataFolder, lock: consuming FolderLock,
    options: SQLiteOptions = SQLiteOptions(),
    newIdentity: () -> StoreIdentity
  ) throws(StoreOpenError) {
    try folder.makeDatabaseFile()
    reserve = options.keepsReserve ? DiskReserve(in: folder) : nil
    let left = LeftLog(of: folder.databasePath)
    let connection = try Connection.writing(
      folder.databasePath, options, after: left, keepSecret: folder.keep, newIdentity: newIdentity)
    opened = connection
    identity = connection.identity
    keyHasher = connection.keyHasher
    damage = connection.damage
    hasPageSums = connection.hasPageSums
    path = folder.databasePath
    self.options = options
    isWriter = true
    self.lock = consume lock
  }

  /// Opens a reader, beside a running server or without one. It changes nothing.
  package init(
    reading folder: DataFolder, options: SQLiteOptions = SQLiteOptions()
  ) throws(StoreOpenError) {
    guard folder.hasDatabaseFile else { throw .noDatabase(path: folder.databasePath) }
    let connection = try Connection.reading(folder.databasePath, options)
    opened = connection
    identity = connection.identity
    keyHasher = connection.keyHasher
    damage = nil
    hasPageSums = true
    reserve = nil
    path = folder.databasePath
    self.options = options
    isWriter = false
    lock = nil
  }
}

// Writing.
extension SQLiteStore {
  package func commit(_ transaction: LedgerTransaction) throws(StoreError) {
    precondition(isWriter && !isReading, "a commit on a connection that reads")
    guard !transaction.isEmpty else { return }
    try withReserve { () throws(StoreError) in try commitOnce(transaction) }
  }

  /// Tries once more when the disk was full and there was a reserve to give up. A transaction that may have been
  /// committed is not tried again, but later ones have the room.
  private func withReserve<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      guard error.fault.kind == .full, let reserve, reserve.give() else { throw error }
      if case .outcomeUnknown = error { throw error }
      return try body()
    }
  }

  private func commitOnce(_ transaction: LedgerTransaction) throws(StoreError) {
    let connection = try attempt(StoreError.notCommitted) { () throws(DatabaseError) in
      try self.connection()
    }
    guard let writes = connection.writes else { preconditionFailure("a writer without statements") }
    let touched = try attempt(StoreError.notCommitted) { () throws(DatabaseError) in
      do throws(DatabaseError) {
        try writes.begin.run()
        return try connection.write(transaction, with: writes)
      } catch {
        rollBack(connection, writes)
        throw error
      }
    }
    try finish(connection, writes)
    connection.streams.merge(touched)
  }

  private func finish(_ connection: Connection, _ writes: WriteStatements) throws(StoreError) {
    do throws(DatabaseError) {
      try writes.commit.run()
    } catch {
      rollBack(connection, writes)
      throw error.code == SQLITE_FULL ? .notCommitted(error.fault) : .outcomeUnknown(error.fault)
    }
  }

  /// Rolls back, unless SQLite has done so by itself after an error. When it cannot be done, the connection goes, and
  /// the transaction with it: it was never committed.
  private func rollBack(_ connection: Connection, _ writes: WriteStatements) {
    guard connection.database.isInTransaction else { return }
    do throws(DatabaseError) {
      try writes.rollback.run()
    } catch {
      opened = nil
    }
  }

  @discardableResult
  package func tidy() throws(StoreError) -> Bool {
    guard let opened, let writes = opened.writes else { return false }
    // The checkpoint comes first: an erasing that cannot go on, on a full disk or at a damaged event, must not let the
    // log grow.
    try withReserve { () throws(StoreError) in
      try attempt(StoreError.unreadable) { () throws(DatabaseError) in
        try opened.checkpointWhenLong(options.checkpointPages, isShort: reserve?.isMissed ?? false)
      }
    }
    return try attempt(StoreError.unreadable) { () throws(DatabaseError) in
      if try opened.eraseMore(writes) { return true }
      return try opened.rewordMore(writes)
    }
  }

  package func trim(before time: Timestamp) throws(StoreError) -> TrimStep {
    guard let opened, let writes = opened.writes else {
      return TrimStep(horizon: nil, isDone: true)
    }
    return try attempt(StoreError.unreadable) { () throws(DatabaseError) in
      try opened.trim(before: time, writes)
    }
  }

  /// Writes in a transaction between those of the ledger.
  func write<Value>(
    _ body: (Database) throws(DatabaseError) -> Value
  ) throws(StoreError) -> Value {
    precondition(isWriter && !isReading, "a write on a connection that reads")
    return try attempt(StoreError.unreadable) { () throws(DatabaseError) in
      let connection = try self.connection()
      guard let writes = connection.writes else {
        preconditionFailure("a writer without statements")
      }
      var value: Value?
      try connection.inTransaction(writes) { () throws(DatabaseError) in
        value = try body(connection.database)
      }
      guard let value else { preconditionFailure("a transaction that ended well was made") }
      return value
    }
  }

  func inDatabase<Value>(
    _ body: (Database) throws(DatabaseError) -> Value
  ) throws(StoreError) -> Value {
    try attempt(StoreError.unreadable) { () throws(DatabaseError) in
      try body(try self.connection().database)
    }
  }

  /// Returns the present connection, or a new one after a failed rollback.
  private func connection() throws(DatabaseError) -> Connection {
    if let opened { return opened }
    do throws(StoreOpenError) {
      let connection = try isWriter ? reopenedWriter() : Connection.reading(path, options)
      opened = connection
      return connection
    } catch {
      throw DatabaseError(
        extendedCode: SQLITE_IOERR, message: error.description, sql: "open again")
    }
  }

  private func reopenedWriter() throws(StoreOpenError) -> Connection {
    try Connection.writing(path, options, keepSecret: DataFolder.hasNone) {
      preconditionFailure("the database vanished")
    }
  }
}

// Reading.
extension SQLiteStore {
  /// Rebuilds everything from the log and compares (Verifier.swift). It sees one moment of a live server. As long as it
  /// runs, the write-ahead log cannot begin again from its start and grows. `zones` is the version of the rules that
  /// the almanac knows (`zonesAre`); deadlines that were computed by other rules are not compared.
  package func verify(
    _ almanac: Almanac, zones: String? = nil
  ) throws(StoreError) -> VerificationReport {
    try queries { () throws(StoreError) in
      try attempt(StoreError.unreadable) { () throws(DatabaseError) in
        var verifier = Verifier(try connection().database, almanac, zones: zones)
        return try verifier.run()
      }
    }
  }

  /// Writes a copy of one moment into an empty file. The file is then a whole database without a log of its own
  /// (sqlite.org/lang_vacuum.html, VACUUM INTO). The caller makes the file and syncs it. The secret that codes are
  /// derived from is not in it.
  package func copy(intoEmptyFile path: String) throws(StoreError) {
    let (isErasing, hasSecret) = try attempt(StoreError.unreadable) { () throws(DatabaseError) in
      let quoted = path.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''")
      try connection().database.execute("VACUUM INTO '\(quoted)'")
      // The copy itself is asked, because an erasing that began just before it may be finished by now, but not in the
      // copy.
      let copy = try Database(path: path, access: .readOnly, vfs: options.vfs)
      return (
        try copy.integer("SELECT count(*) FROM erasure") > 0,
        try Schema.oldSecret(of: copy) != nil
      )
    }
    if isErasing || hasSecret { try finish(copy: path) }
  }

  /// Returns the secret that codes are derived from, when it is still in the database. It is there as long as no server
  /// of this version has opened the database for writing.
  package func oldSecret() throws(StoreError) -> [UInt8]? {
    try inDatabase { (database) throws(DatabaseError) in try Schema.oldSecret(of: database) }
  }

  /// Erases in the copy what was still to be erased, and takes the secret out of it.
  private func finish(copy path: String) throws(StoreError) {
    let copy: Connection
    do throws(StoreOpenError) {
      copy = try Connection.writing(path, options, keepSecret: { _ in }) {
        preconditionFailure("an empty copy")
      }
    } catch {
      throw .unreadable(StoreFault(.other, error.description))
    }
    guard let writes = copy.writes else { return }
    try attempt(StoreError.unreadable) { () throws(DatabaseError) in
      while try copy.eraseMore(writes) {}
    }
  }

  package func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    precondition(!isReading, "a read inside a read")
    let reads = try statements()
    try attempt(StoreError.unreadable) { () throws(DatabaseError) in try reads.begin.run() }
    isReading = true
    defer {
      endRead(reads)
      isReading = false
    }
    return try body()
  }

  /// Ends a read. The values that were read are true whether or not this succeeds. A connection that cannot end its
  /// transaction could never begin another, so it is given up, and the next call opens a new one.
  private func endRead(_ reads: ReadStatements) {
    do throws(DatabaseError) {
      try reads.end.run()
    } catch {
      opened = nil
    }
  }

  func statements() throws(StoreError) -> ReadStatements {
    try attempt(StoreError.unreadable) { () throws(DatabaseError) in
      try self.connection().reads
    }
  }

  /// Runs one query, and throws an error of SQLite as `.unreadable`.
  func query<Value>(
    _ body: (ReadStatements) throws(DatabaseError) -> Value
  ) throws(StoreError) -> Value {
    let reads = try statements()
    return try attempt(StoreError.unreadable) { () throws(DatabaseError) in try body(reads) }
  }

  /// Runs several queries at one moment, which is the caller's when it has one.
  func queries<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    isReading ? try body() : try read(body)
  }

  private func attempt<Value>(
    _ failure: (StoreFault) -> StoreError, _ body: () throws(DatabaseError) -> Value
  ) throws(StoreError) -> Value {
    do throws(DatabaseError) {
      return try body()
    } catch {
      throw failure(error.fault)
    }
  }
}
