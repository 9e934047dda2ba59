// Opening: whose file is it, which version, what is missing, how durable.

import CSQLite
import Domain
import Sync

/// An open database of ours with its statements.
final class Connection {
  let database: Database
  let reads: ReadStatements
  /// Nil on a connection that only reads.
  let writes: WriteStatements?
  let identity: StoreIdentity
  let keyMarks: KeyMarks
  /// What was found out about the log that the last server left.
  private(set) var damage: LogDamage?
  /// Whether damage of the main file is noticed (CPages.h). Always true of a connection that only reads.
  private(set) var hasPageSums = true
  /// Kept by a connection that writes.
  var streams = StreamRows()
  /// The length of the write-ahead log, in pages, at which the next checkpoint is worth its while.
  var nextCheckpoint: Int
  /// Whether something may be left to erase.
  var mayErase = true
  /// Whether words of posts may be left to be written anew.
  var mayReword = true
  /// Nil when it has not begun, or must begin again.
  var keySweep: KeySweep?
  var trimPlace = TrimPlace.streams(after: 0)
  /// Whether a whole sweep has looked at the keys: one that ended early may have left some.
  var hasSweptKeys = false

  /// Opens for writing: makes or brings up to date what is there. `keepSecret` gets the secret of a database of before,
  /// which then has it no more. `left`: what was in the folder before this process opened anything there.
  static func writing(
    _ path: String, _ options: SQLiteOptions, after left: LeftLog? = nil,
    keepSecret: ([UInt8]) throws(StoreOpenError) -> Void, newIdentity: () -> StoreIdentity
  ) throws(StoreOpenError) -> Connection {
    let (database, version) = try open(path, .readWrite, options)
    let damage = try opening(path) { () throws(DatabaseError) in
      // Before anything is written behind the good frames.
      let frames = left == nil ? nil : try database.leftFrames()
      return frames.flatMap { left?.damage(after: $0) }
    }
    if damage != nil { try DataFolder.keepLog(of: path) }
    var isRewritten = false
    try opening(path) { () throws(DatabaseError) in
      try database.configureForWriting(options)
      // Version 1 wrote its pages without the layer that clears them, and versions before 13 wrote them without sums
      // (CPages.h). The new version is noted afterwards, so that a start after a crash does it again.
      if 1..<Schema.versionWithPageSums ~= version {
        let hasSums = try database.hasSums()
        if version == 1 || !hasSums {
          isRewritten = try rewritePages(path, options, isNecessary: version == 1)
        }
      }
      try Schema.migrate(database, from: version, newIdentity: newIdentity)
    }
    let isMoved = try Schema.moveSecretOut(of: database, path, keep: keepSecret)
    return try opening(path) { () throws(DatabaseError) in
      try database.moveLeftLog(cutting: version < Schema.version || isMoved)
      let connection = try Connection(database, try WriteStatements(database), options)
      connection.damage = damage
      // While somebody reads the old pages, the new ones wait in the log.
      let hasSums = try database.hasSums()
      connection.hasPageSums = isRewritten || hasSums
      return connection
    }
  }

  /// On a connection of its own: VACUUM asks for the layer of its connection by name, and one that gathers
  /// the log is hidden (CGatherVFS.h). The temporary copy is a file, since the database may be larger than
  /// the memory. A database that needs this only for its sums goes on without them when the disk has no room, when the
  /// temporary copy cannot be made, or when a page that SQLite itself finds damaged cannot be copied; false then.
  private static func rewritePages(
    _ path: String, _ options: SQLiteOptions, isNecessary: Bool
  ) throws(DatabaseError) -> Bool {
    let database = try Database(path: path, access: .readWrite, vfs: options.vfs)
    do throws(DatabaseError) {
      try database.execute("PRAGMA temp_store = FILE; VACUUM")
      return true
    } catch {
      let leavesItAsItWas = [SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_CORRUPT].contains(error.code)
      guard !isNecessary, leavesItAsItWas else { throw error }
      return false
    }
  }

  /// Opens for reading: changes nothing, also when the last writer did not end well.
  static func reading(
    _ path: String, _ options: SQLiteOptions
  ) throws(StoreOpenError) -> Connection {
    let (database, version) = try open(path, .readOnly, options)
    guard version == Schema.version else {
      if version == 0 { throw .noDatabase(path: path) }
      throw .older(path: path, version: version, known: Schema.version)
    }
    return try opening(path) { () throws(DatabaseError) in
      try database.configureForReading(options)
      return try Connection(database, nil, options)
    }
  }

  private init(
    _ database: Database, _ writes: WriteStatements?, _ options: SQLiteOptions
  ) throws(DatabaseError) {
    self.database = database
    self.writes = writes
    reads = try ReadStatements(database)
    identity = try Schema.identity(of: database)
    keyMarks = KeyMarks(secret: identity.secret)
    nextCheckpoint = options.checkpointPages
  }

  /// Opens the file and answers its version, 0 for a new one.
  static func open(
    _ path: String, _ access: Database.Access, _ options: SQLiteOptions
  ) throws(StoreOpenError) -> (Database, version: Int64) {
    let (database, mark) = try opening(path) { () throws(DatabaseError) in
      let database = try Database(
        path: path, access: access, vfs: options.vfs,
        gathersLog: access == .readWrite && options.synchronous == .full)
      try database.setBusyTimeout(milliseconds: Database.busyMilliseconds)
      return (database, try FileMark(of: database))
    }
    guard mark.isOurs else { throw .anotherApplication(path: path) }
    guard mark.version <= Schema.version else {
      throw .newer(path: path, version: mark.version, known: Schema.version)
    }
    return (database, mark.version)
  }

  static func opening<Value>(
    _ path: String, _ body: () throws(DatabaseError) -> Value
  ) throws(StoreOpenError) -> Value {
    do throws(DatabaseError) {
      return try body()
    } catch {
      if error.code == SQLITE_NOTADB { throw .notADatabase(path: path) }
      throw .failed(path: path, detail: error.fault.detail)
    }
  }
}

/// Whose file it is: the first thing read, before anything is changed.
private struct FileMark {
  let version: Int64
  private let applicationID: Int64
  private let tables: Int64

  init(of database: Database) throws(DatabaseError) {
    tables = try database.integer("SELECT count(*) FROM sqlite_schema")
    applicationID = try database.integer("PRAGMA application_id")
    version = try database.integer("PRAGMA user_version")
  }

  /// An empty file may become ours.
  var isOurs: Bool {
    applicationID == Schema.applicationID || (applicationID == 0 && version == 0 && tables == 0)
  }
}

extension Database {
  /// The one writer: it alone moves the log into the main file, at moments of its own, and the log
  /// file is written over from its start instead of being cut (sqlite.org/wal.html).
  fileprivate func configureForWriting(_ options: SQLiteOptions) throws(DatabaseError) {
    try configure(options)
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = \(options.synchronous.rawValue)")
    try execute("PRAGMA journal_size_limit = -1")
    countWALPages()
  }

  /// What a crash left in the log goes to the main file now, and is synced there: nothing is ever
  /// appended to frames that a failed sync may have kept from the disk. On a full disk it stays where it
  /// is, so that a server starts and serves what is there. `cutting`: a step of the schema leaves a log larger
  /// than the database, which would keep its room on the disk.
  fileprivate func moveLeftLog(cutting: Bool) throws(DatabaseError) {
    do throws(DatabaseError) {
      if cutting, try cutLog() { return }
      try checkpoint()
    } catch {
      guard error.code == SQLITE_FULL else { throw error }
    }
  }

  fileprivate func configureForReading(_ options: SQLiteOptions) throws(DatabaseError) {
    try configure(options)
    try setNoCheckpointOnClose()
  }

  private func configure(_ options: SQLiteOptions) throws(DatabaseError) {
    try setDefensive()
    try execute("PRAGMA wal_autocheckpoint = 0")
    try execute("PRAGMA secure_delete = ON")
    try execute("PRAGMA cache_size = -\(options.cacheKibibytes)")
    try execute("PRAGMA temp_store = MEMORY")
    try execute("PRAGMA trusted_schema = OFF")
    try execute("PRAGMA cell_size_check = ON")
  }
}

/// Rows of `stream` as committed, so that an append need not look its stream up.
struct StreamRows {
  private var rows: [StreamID: StreamRow] = [:]

  /// About 7 MB; a row is read again in a few microseconds.
  private static let rowsMax = 65_536

  subscript(stream: StreamID) -> StreamRow? { rows[stream] }

  mutating func merge(_ newer: [StreamID: StreamRow]) {
    if rows.count + newer.count > StreamRows.rowsMax { rows = [:] }
    rows.merge(newer) { _, newer in newer }
  }
}

/// A stream's place in the tables and its newest number.
struct StreamRow {
  let number: Int64
  let epoch: Epoch
  var seq: Int64
}
