// Opens the file: it finds out whose the file is, its version and what a crash left, and sets how durable commits are.

import CSQLite
import Domain
import Sync

/// An open database of ours with its statements.
final class Connection {
  let database: Database
  let reads: ReadStatements
  /// The statements that write. Nil on a connection that only reads.
  let writes: WriteStatements?
  let identity: StoreIdentity
  let keyHasher: KeyHasher
  /// The damage of the log that the last server left. Nil when none was found.
  private(set) var damage: LogDamage?
  /// Whether damage of the main file is noticed (CPages.h). Always true on a connection that only reads.
  private(set) var hasPageSums = true
  /// The rows of streams, kept by a connection that writes.
  var streams = StreamRows()
  /// The length of the write-ahead log, in pages, at which the next checkpoint is worth its cost.
  var nextCheckpoint: Int
  /// Whether something may be left to erase.
  var mayErase = true
  /// Whether words of posts may be left to be written anew.
  var mayReword = true
  /// The look through keys that an erasing needs. Nil when it has not begun, or must begin again.
  var keySweep: KeySweep?
  var trimPlace = TrimPlace.streams(after: 0)
  /// Whether a whole sweep has looked at the keys. A sweep that ended early may have left some.
  var hasSweptKeys = false

  /// Opens for writing, and makes the database or brings it up to date. `keepSecret` gets the secret of an older
  /// database, from which it is then removed. `left` is the log that was in the folder before this process opened
  /// anything there.
  static func writing(
    _ path: String, _ options: SQLiteOptions, after left: LeftLog? = nil,
    keepSecret: ([UInt8]) throws(StoreOpenError) -> Void, newIdentity: () -> StoreIdentity
  ) throws(StoreOpenError) -> Connection {
    let (database, version) = try open(path, .readWrite, options)
    let damage = try opening(path) { () throws(DatabaseError) in
      // This comes before anything is written behind the good frames.
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
      try Schema.fillAchievements(of: database)
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

  /// Writes all pages anew, on a connection of its own: VACUUM asks for the layer of its connection by name, and a
  /// layer that gathers the log is hidden (CGatherVFS.h). The temporary copy is a file, since the database may be
  /// larger than the memory. A database that needs this only for its sums goes on without them when the disk has no
  /// room, when the temporary copy cannot be made, or when a page that SQLite itself finds damaged cannot be copied.
  /// The answer is false then.
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

  /// Opens for reading. It changes nothing, also when the last writer did not end well.
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
    keyHasher = KeyHasher(secret: identity.secret)
    nextCheckpoint = options.checkpointPages
  }

  /// Opens the file and returns its version, 0 for a new one.
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

/// The marks of a file that tell whose it is. They are the first thing read, before anything is changed.
private struct FileMark {
  let version: Int64
  private let applicationID: Int64
  private let tables: Int64

  init(of database: Database) throws(DatabaseError) {
    tables = try database.integer("SELECT count(*) FROM sqlite_schema")
    applicationID = try database.integer("PRAGMA application_id")
    version = try database.integer("PRAGMA user_version")
  }

  /// Whether the file is ours, or empty and may become ours.
  var isOurs: Bool {
    applicationID == Schema.applicationID || (applicationID == 0 && version == 0 && tables == 0)
  }
}

extension Database {
  /// Sets up the one writer. It alone moves the log into the main file, at moments of its own, and the log file is
  /// written over from its start instead of being cut (sqlite.org/wal.html).
  fileprivate func configureForWriting(_ options: SQLiteOptions) throws(DatabaseError) {
    try configure(options)
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = \(options.synchronous.rawValue)")
    try execute("PRAGMA journal_size_limit = -1")
    countWALPages()
  }

  /// Moves what a crash left in the log into the main file, and syncs it there: nothing is ever appended to frames that
  /// a failed sync may have kept from the disk. On a full disk the log stays as it is, so that a server starts and
  /// serves what is there. `cutting` means that a step of the schema left a log larger than the database, which would
  /// keep its room on the disk.
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

/// The rows of `stream` as committed, so that an append need not look its stream up.
struct StreamRows {
  private var rows: [StreamID: StreamRow] = [:]

  /// The most rows that are kept: about 7 MB. A row is read again in a few microseconds.
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
