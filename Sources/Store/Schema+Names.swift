// The step that lets another name be told a few lists at a time (Domain/Decide/OtherName.swift).
//
// untold_name   one row for each person whose name is not told in all their lists yet. `after` is the name of the last
//               stream that shows it.

import Domain
package import Sync

extension Schema {
  static let untoldNames =
    """
    CREATE TABLE untold_name(user BLOB PRIMARY KEY, after BLOB NOT NULL) STRICT, WITHOUT ROWID;
    """
}

/// Writes rows of `untold_name`.
struct UntoldNameStatements {
  private let put, remove: Statement

  init(_ database: Database) throws(DatabaseError) {
    put = try database.prepare("INSERT OR REPLACE INTO untold_name(user, after) VALUES(?1, ?2)")
    remove = try database.prepare("DELETE FROM untold_name WHERE user = ?1")
  }

  func write(_ user: UserID, after place: StreamID) throws(DatabaseError) {
    try put.bind(1, user.uuid)
    try put.bind(2, place)
    try put.run()
  }

  func delete(_ user: UserID) throws(DatabaseError) {
    try remove.bind(1, user.uuid)
    try remove.run()
  }
}

extension SQLiteStore {
  package func untoldNames(limit: Int) throws(StoreError) -> [UntoldName] {
    try query { (reads) throws(DatabaseError) in
      try reads.names.untold.bind(1, Int64(limit))
      return try reads.names.untold.rows { (row) throws(DatabaseError) in
        UntoldName(user: UserID(try row.uuid(0)), through: try row.stream(1))
      }
    }
  }
}
