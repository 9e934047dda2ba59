// The step that lets accounts end (Domain/Decide/AccountEnds.swift).
//
// account_end   one row for each account whose end was asked for, with the moment at which it comes. When it has come,
//               the account's own row goes. This row stays with `gone` 1 and `at` 0, so that a clock that is put back
//               stops no end that has begun. It goes when the person's name is nowhere any more: `after` is the name of
//               the last stream that was looked through. A person has at most one such row.

import Domain
import Sync

extension Schema {
  static let accountEnds =
    """
    CREATE TABLE account_end(
      user BLOB PRIMARY KEY,
      at INTEGER NOT NULL,
      gone INTEGER NOT NULL DEFAULT 0,
      after BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_end_next ON account_end(at);
    """
}

/// Writes rows of `account_end`.
struct AccountEndStatements {
  let put, forget, end, leave, spend, through: Statement

  init(_ database: Database) throws(DatabaseError) {
    put = try database.prepare("INSERT OR REPLACE INTO account_end(user, at) VALUES(?1, ?2)")
    forget = try database.prepare("DELETE FROM account_end WHERE user = ?1")
    end = try database.prepare("UPDATE account_end SET gone = 1, at = 0 WHERE user = ?1")
    leave = try database.prepare("DELETE FROM account WHERE user = ?1")
    spend = try database.prepare("INSERT INTO spent_code(code, user) VALUES(?1, ?2)")
    through = try database.prepare("UPDATE account_end SET after = ?2 WHERE user = ?1")
  }

  /// Removes the account, and marks its username as spent.
  func end(_ user: UserID, _ mark: String) throws(DatabaseError) {
    for statement in [end, leave] {
      try statement.bind(1, user.uuid)
      try statement.run()
    }
    try spend.bind(1, mark)
    try spend.bind(2, user.uuid)
    try spend.run()
  }

  func write(_ user: UserID, forgottenThrough stream: StreamID) throws(DatabaseError) {
    try through.bind(1, user.uuid)
    try through.bind(2, stream)
    try through.run()
  }

  func write(_ end: Timestamp?, of user: UserID) throws(DatabaseError) {
    guard let end else {
      try forget.bind(1, user.uuid)
      return try forget.run()
    }
    try put.bind(1, user.uuid)
    try put.bind(2, end.milliseconds)
    try put.run()
  }
}
