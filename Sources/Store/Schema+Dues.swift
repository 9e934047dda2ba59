// The step that lets posts be found by their deadlines (Sync/Deadlines/PostDue.swift).
//
// post_due    one row for each post that is open, not removed and has a deadline, in lists that are not removed: the
//             list's number, the deadline in milliseconds, the post's number, and whether its log says that it is
//             overdue since then. The rows of a list lie in the order of their deadlines. Two indexes:
//               post_due_of     the row of one post
//               post_due_next   the rows that are not told, by deadline
//             A post without a due touches none of them.
// due_check   the lists whose rows of posts numbered above `after` are to be written again, because the list's zone has
//             changed, or it was removed or restored. It is nearly always empty. The step itself puts every list with
//             dues there: only a calendar can compute a deadline, and the ledger has it.

import Domain
import Sync

extension Schema {
  static let dues =
    """
    CREATE TABLE post_due(
      stream INTEGER NOT NULL,
      at INTEGER NOT NULL,
      post INTEGER NOT NULL,
      told INTEGER NOT NULL,
      PRIMARY KEY(stream, at, post)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX post_due_of ON post_due(stream, post);
    CREATE INDEX post_due_next ON post_due(at, stream, post) WHERE told = 0;
    CREATE TABLE due_check(
      stream INTEGER PRIMARY KEY,
      after INTEGER NOT NULL
    ) STRICT;
    INSERT INTO due_check(stream, after)
      SELECT DISTINCT stream, 0 FROM object
      WHERE kind = 6 AND in_state = 1 AND rank IS NULL AND instr(CAST(body AS TEXT), '"due":') > 0;
    """
}

/// Writes rows of `post_due` and `due_check`.
struct DueStatements {
  let forget, put, check, checked: Statement

  init(_ database: Database) throws(DatabaseError) {
    forget = try database.prepare("DELETE FROM post_due WHERE stream = ?1 AND post = ?2")
    put = try database.prepare(
      "INSERT INTO post_due(stream, at, post, told) VALUES(?1, ?3, ?2, ?4)")
    check = try database.prepare(
      """
      INSERT INTO due_check(stream, after) VALUES(?1, ?2)
      ON CONFLICT(stream) DO UPDATE SET after = excluded.after
      """)
    checked = try database.prepare("DELETE FROM due_check WHERE stream = ?1")
  }

  func write(_ due: PostDue, stream: Int64) throws(DatabaseError) {
    try forget.bind(1, stream)
    try forget.bind(2, due.number)
    try forget.run()
    guard let deadline = due.deadline else { return }
    try put.bind(1, stream)
    try put.bind(2, due.number)
    try put.bind(3, deadline.milliseconds)
    try put.bind(4, due.isTold ? 1 : Int64(0))
    try put.run()
  }

  func write(_ it: DueCheck, stream: Int64) throws(DatabaseError) {
    guard let after = it.after else {
      try checked.bind(1, stream)
      return try checked.run()
    }
    try check.bind(1, stream)
    try check.bind(2, after)
    try check.run()
  }
}
