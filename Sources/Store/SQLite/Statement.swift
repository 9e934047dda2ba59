import CSQLite
import Domain

/// A prepared statement. Parameters are numbered from 1, columns from 0, as in SQLite.
///
/// Bind the parameters, then run or read. Both end in a reset, so a statement never keeps a read transaction open.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database
  let sql: String
  /// The memory of bound UUIDs and stream names until the reset: `slotBytes` for each parameter.
  private let scratch: UnsafeMutableRawPointer

  private static let slotBytes = 24

  init(_ handle: OpaquePointer, of database: Database, sql: String) {
    self.handle = handle
    self.database = database
    self.sql = sql
    let parameters = Int(sqlite3_bind_parameter_count(handle))
    scratch = .allocate(byteCount: (parameters + 1) * Statement.slotBytes, alignment: 8)
  }

  deinit {
    // The call repeats the error of the last step, which was thrown when it happened.
    _ = sqlite3_finalize(handle)
    scratch.deallocate()
  }
}

// Running.
extension Statement {
  /// Runs a statement that answers no row.
  func run() throws(DatabaseError) {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE else {
      precondition(code != SQLITE_ROW, "a row where none is expected: \(sql)")
      throw failed(code)
    }
    try reset()
  }

  /// Reads every row.
  func rows<Value>(
    _ read: (Statement) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> [Value] {
    var values: [Value] = []
    try each { (row) throws(DatabaseError) in
      values.append(try read(row)); return true
    }
    return values
  }

  /// Reads the first row; nil when there is none.
  func first<Value>(
    _ read: (Statement) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value? {
    var value: Value?
    try each { (row) throws(DatabaseError) in
      value = try read(row); return false
    }
    return value
  }

  /// Calls `body` for each row until there is none left or the answer is false.
  func each(_ body: (Statement) throws(DatabaseError) -> Bool) throws(DatabaseError) {
    do {
      while try hasRow(), try body(self) {}
    } catch {
      // The reset repeats the code of a failed step, which is on its way already.
      _ = sqlite3_reset(handle)
      throw error
    }
    try reset()
  }

  private func hasRow() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.error(code, sql)
    }
  }

  private func failed(_ code: Int32) -> DatabaseError {
    let error = database.error(code, sql)
    _ = sqlite3_reset(handle)
    return error
  }

  private func reset() throws(DatabaseError) {
    let code = sqlite3_reset(handle)
    guard code == SQLITE_OK else { throw database.error(code, sql) }
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw database.error(code, sql) }
  }
}

// Binding. Values stay bound until they are bound again.
extension Statement {
  func bind(_ parameter: Int32, _ value: Int64) throws(DatabaseError) {
    try check(sqlite3_bind_int64(handle, parameter, value))
  }

  func bind(_ parameter: Int32, _ value: Int64?) throws(DatabaseError) {
    guard let value else { return try check(sqlite3_bind_null(handle, parameter)) }
    try bind(parameter, value)
  }

  func bind(_ parameter: Int32, _ value: Int?) throws(DatabaseError) {
    try bind(parameter, value.map(Int64.init))
  }

  /// Binds an id as 16 bytes, big-endian.
  func bind(_ parameter: Int32, _ value: UUID) throws(DatabaseError) {
    let slot = slot(parameter)
    slot.storeBytes(of: value.high.bigEndian, as: UInt64.self)
    slot.storeBytes(of: value.low.bigEndian, toByteOffset: 8, as: UInt64.self)
    try bindSlot(parameter, bytes: 16)
  }

  func bind(_ parameter: Int32, _ value: UUID?) throws(DatabaseError) {
    guard let value else { return try check(sqlite3_bind_null(handle, parameter)) }
    try bind(parameter, value)
  }

  /// Binds a stream's name as 17 bytes: the letter, then the id, so that names sort as streams do.
  func bind(_ parameter: Int32, _ value: StreamID) throws(DatabaseError) {
    let slot = slot(parameter)
    slot.storeBytes(of: value.letter, as: UInt8.self)
    slot.storeBytes(of: value.uuid.high.bigEndian, toByteOffset: 1, as: UInt64.self)
    slot.storeBytes(of: value.uuid.low.bigEndian, toByteOffset: 9, as: UInt64.self)
    try bindSlot(parameter, bytes: 17)
  }

  func bind(_ parameter: Int32, _ text: String) throws(DatabaseError) {
    // SQLite copies: -1 is its SQLITE_TRANSIENT, a macro that Swift does not see.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    try check(sqlite3_bind_text(handle, parameter, text, -1, copies))
  }

  func bind(_ parameter: Int32, orNull text: String?) throws(DatabaseError) {
    guard let text else { return try check(sqlite3_bind_null(handle, parameter)) }
    try bind(parameter, text)
  }

  /// Binds a copy of the bytes, for what is short.
  func bind(_ parameter: Int32, copying bytes: [UInt8]) throws(DatabaseError) {
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard !bytes.isEmpty else { return try check(sqlite3_bind_zeroblob(handle, parameter, 0)) }
    try check(sqlite3_bind_blob(handle, parameter, bytes, Int32(bytes.count), copies))
  }

  func bind(_ parameter: Int32, copyingOrNull bytes: [UInt8]?) throws(DatabaseError) {
    guard let bytes else { return try check(sqlite3_bind_null(handle, parameter)) }
    try bind(parameter, copying: bytes)
  }

  /// Binds the bytes without copying them. They must stay where they are until the statement has run.
  func bind(_ parameter: Int32, lending bytes: UnsafeRawBufferPointer) throws(DatabaseError) {
    guard let base = bytes.baseAddress, bytes.count > 0 else {
      return try check(sqlite3_bind_zeroblob(handle, parameter, 0))
    }
    try check(sqlite3_bind_blob(handle, parameter, base, Int32(bytes.count), nil))
  }

  private func slot(_ parameter: Int32) -> UnsafeMutableRawPointer {
    scratch + Int(parameter) * Statement.slotBytes
  }

  private func bindSlot(_ parameter: Int32, bytes: Int32) throws(DatabaseError) {
    try check(sqlite3_bind_blob(handle, parameter, slot(parameter), bytes, nil))
  }
}

// Columns of the present row.
extension Statement {
  func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func int64OrNil(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func bytes(_ column: Int32) -> [UInt8] {
    // The pointer is asked for first, then the count (sqlite.org/c3ref/column_blob.html).
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func uuid(_ column: Int32) throws(DatabaseError) -> UUID {
    guard let uuid = UUID(bytes: bytes(column)) else { throw damaged(column, "is no UUID") }
    return uuid
  }

  func stream(_ column: Int32) throws(DatabaseError) -> StreamID {
    let name = bytes(column)
    guard name.count == 17, let uuid = UUID(bytes: Array(name[1...])),
      let stream = StreamID(letter: name[0], uuid: uuid)
    else { throw damaged(column, "names no stream") }
    return stream
  }

  /// Makes the error of a row that holds something that was never written there.
  func damaged(_ column: Int32, _ what: String) -> DatabaseError {
    DatabaseError(extendedCode: SQLITE_CORRUPT, message: "column \(column) \(what)", sql: sql)
  }
}
