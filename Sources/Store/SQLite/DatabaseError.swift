import CSQLite
import Sync

/// A call of SQLite that did not succeed (sqlite.org/rescode.html).
struct DatabaseError: Error, Equatable {
  /// The extended result code; its low byte is the primary one.
  let extendedCode: Int32
  let message: String
  /// The statement or the call that failed.
  let sql: String

  var code: Int32 { extendedCode & 0xFF }
}

extension DatabaseError {
  /// The error in the words of the store, for callers that do not know SQLite.
  var fault: StoreFault {
    StoreFault(kind, "\(sql): \(message) (SQLite code \(extendedCode))")
  }

  private var kind: StoreFault.Kind {
    if extendedCode == whattodo_sqlite_ioerr_data { return .damaged }
    // The index of the log found no room to grow.
    if extendedCode == whattodo_sqlite_ioerr_shmsize { return .full }
    return switch code {
    case SQLITE_FULL: .full
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: .disk
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH: .contradiction
    default: .other
    }
  }
}
