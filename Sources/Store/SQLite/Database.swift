// The thin layer over SQLite: one class for a connection, one for a prepared statement. Every result
// code is read; an error says what was run. Both belong to one thread at a time, so connections are
// opened without SQLite's own mutexes (sqlite.org/threadsafe.html, "multi-thread").

import CGatherVFS
import CPages
import CSQLite

/// One open connection.
final class Database {
  enum Access {
    case readOnly
    case readWrite
  }

  private let handle: OpaquePointer
  /// The number of pages that SQLite's hook writes; `walPages` reads it.
  private let walPageCount: UnsafeMutablePointer<Int32>
  /// The layer that gathers the writes to the log. Nil when nothing gathers them.
  private let gather: OpaquePointer?

  /// Opens an existing file. `vfs` is the name of a registered layer between SQLite and the system, for tests that
  /// record or fail; nil means the usual one. `gathersLog` is only for a connection that syncs at every commit
  /// (CGatherVFS.h). `sumsPages` gives sums to an empty file, and to a copy of this one (CPages.h).
  init(
    path: String, access: Access, vfs: String? = nil, gathersLog: Bool = false,
    sumsPages: Bool = true
  ) throws(DatabaseError) {
    precondition(Database.withoutCounts != SQLITE_NOMEM, "SQLite cannot be configured")
    // With this layer a writer leaves nothing of erased text in the file, and a reader notices damage (CPages.h).
    let layer = try Database.pagesLayer(above: vfs)
    let gather = gathersLog ? gather_begin(layer) : nil
    var opened: OpaquePointer?
    let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    // Without a layer that gathers, everything works too, in more calls.
    let code =
      if let gather {
        sqlite3_open_v2(path, &opened, flags, gather_name(gather))
      } else {
        sqlite3_open_v2(path, &opened, flags, layer)
      }
    if let gather { gather_hide(gather) }
    guard let opened, code == SQLITE_OK else {
      let error = DatabaseError(
        extendedCode: code, message: String(cString: sqlite3_errstr(code)), sql: "open \(path)")
      // A handle that failed to open has nothing to lose: its close can only succeed.
      if let opened {
        precondition(sqlite3_close(opened) == SQLITE_OK, "a dead handle did not close")
      }
      if let gather { gather_end(gather) }
      throw error
    }
    handle = opened
    self.gather = gather
    walPageCount = .allocate(capacity: 1)
    walPageCount.initialize(to: 0)
    if sumsPages { try control(SQLITE_FCNTL_RESERVE_BYTES, 8 as Int32) }
  }

  /// The result of turning SQLite's counts of memory off, before the first connection of the process. SQLITE_MISUSE
  /// means that somebody was here before, such as a test with a layer of its own; then SQLite counts.
  private static let withoutCounts = whattodo_sqlite_without_counts()

  private static func pagesLayer(above vfs: String?) throws(DatabaseError) -> String {
    let name = if let vfs { whattodo_pages_layer(vfs) } else { whattodo_pages_layer(nil) }
    guard let name else {
      throw DatabaseError(extendedCode: SQLITE_NOMEM, message: "no layer", sql: "open")
    }
    return String(cString: name)
  }

  /// Closes the connection. `close_v2` also succeeds with statements open: the last of them closes the file.
  deinit {
    let code = sqlite3_close_v2(handle)
    precondition(code == SQLITE_OK, "sqlite3_close_v2 answered \(code)")
    // Statements keep their database, so with this one all of them are gone and the files are closed.
    if let gather { gather_end(gather) }
    walPageCount.deallocate()
  }

  /// Runs one or more statements whose rows, if any, do not matter.
  func execute(_ sql: String) throws(DatabaseError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  /// Prepares a statement that is kept and used again.
  func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    try check(code, sql)
    guard let prepared else { preconditionFailure("an empty statement: \(sql)") }
    return Statement(prepared, of: self, sql: sql)
  }

  /// Returns the one integer that this statement answers with.
  func integer(_ sql: String) throws(DatabaseError) -> Int64 {
    let rows = try prepare(sql).rows { $0.int64(0) }
    guard let value = rows.first else { preconditionFailure("no row: \(sql)") }
    return value
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE touched.
  var changedRows: Int { Int(sqlite3_changes(handle)) }

  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// False when an error has already rolled the transaction back (sqlite.org/c3ref/get_autocommit.html).
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Makes the error of a failed call. It must be called before any other call, which would replace SQLite's message.
  func error(_ code: Int32, _ sql: String) -> DatabaseError {
    let message =
      code == whattodo_sqlite_ioerr_data
      ? "page \(whattodo_damaged_page()) of the file is not what was written"
      : String(cString: sqlite3_errmsg(handle))
    return DatabaseError(extendedCode: code, message: message, sql: sql)
  }

  private func check(_ code: Int32, _ sql: String) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw error(code, sql) }
  }
}

// The sums of pages (CPages.h).
extension Database {
  /// Answers whether the pages of the file have sums. A file that is older than the sums has none.
  func hasSums() throws(DatabaseError) -> Bool {
    try control(Int32(whattodo_has_sums), 0 as Int32) != 0
  }

  /// Returns how many pages of the file, free ones included, are not what was written, and the numbers of the first 64.
  /// It reads the whole file.
  func damagedPages() throws(DatabaseError) -> (count: Int, first: [Int]) {
    let found = try control(Int32(whattodo_find_damage), damaged_pages())
    let listed = min(found.count, Int(damaged_pages_listed))
    let pages = withUnsafeBytes(of: found.pages) {
      $0.bindMemory(to: UInt32.self).prefix(listed).map(Int.init)
    }
    return (found.count, pages)
  }

  @discardableResult
  private func control<Value>(
    _ operation: Int32, _ value: Value
  ) throws(DatabaseError) -> Value {
    var value = value
    let code = withUnsafeMutablePointer(to: &value) {
      sqlite3_file_control(handle, "main", operation, $0)
    }
    guard code == SQLITE_OK else { throw error(code, "file control \(operation)") }
    return value
  }
}

// Settings that have no SQL.
extension Database {
  /// The wait for another process that opens the file, in milliseconds.
  static let busyMilliseconds: Int32 = 5_000

  /// Sets how long a call waits for another process's lock before it answers busy.
  func setBusyTimeout(milliseconds: Int32) throws(DatabaseError) {
    try check(sqlite3_busy_timeout(handle, milliseconds), "busy timeout")
  }

  func setDefensive() throws(DatabaseError) {
    try check(whattodo_sqlite_defensive(handle), "defensive")
  }

  func setNoCheckpointOnClose() throws(DatabaseError) {
    try check(whattodo_sqlite_no_checkpoint_on_close(handle), "no checkpoint on close")
  }
}

// The write-ahead log (sqlite.org/wal.html).
extension Database {
  /// Keeps `walPages` from now on. This replaces SQLite's own automatic checkpoints, which use the same hook
  /// (sqlite.org/c3ref/wal_hook.html).
  func countWALPages() {
    let before = sqlite3_wal_hook(
      handle,
      { counter, _, _, pages in
        counter?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, walPageCount)
    precondition(before == nil, "the hook of the write-ahead log was taken")
  }

  /// The number of pages in the log after the last commit of this connection.
  var walPages: Int { Int(walPageCount.pointee) }

  /// Copies what no reader still needs from the log into the main file, without waiting for anybody. The log file is
  /// then written from its start again.
  func checkpoint() throws(DatabaseError) {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // Busy: a reader of another process is recovering the log. The next time will do.
    guard code & 0xFF != SQLITE_BUSY else { return }
    try check(code, "checkpoint")
  }

  /// Returns the number of good frames of the log that the last server left, once SQLite has read it. Nil when it
  /// cannot be known.
  func leftFrames() throws(DatabaseError) -> Int? {
    var frames: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, nil)
    // A full disk takes nothing, and a reader of another process may be recovering the log.
    guard code & 0xFF != SQLITE_BUSY, code & 0xFF != SQLITE_FULL else { return nil }
    try check(code, "checkpoint")
    return frames < 0 ? nil : Int(frames)
  }

  /// Gives back all pages in memory, so that everything is read from the files from now on.
  func dropCache() throws(DatabaseError) {
    try check(sqlite3_db_release_memory(handle), "release memory")
  }

  /// Moves the whole log into the main file and makes its file empty. It waits for nobody: while anybody reads what is
  /// in the log, the answer is false and no harm is done.
  func cutLog() throws(DatabaseError) -> Bool {
    try setBusyTimeout(milliseconds: 0)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    try setBusyTimeout(milliseconds: Database.busyMilliseconds)
    guard code & 0xFF != SQLITE_BUSY else { return false }
    try check(code, "cut the log")
    return true
  }
}
