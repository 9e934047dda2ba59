// The step by which achievement is counted without walking logs (Domain/Stats/AchievementRow.swift).
//
// achievement        one row for each completion, part, amount and steps of a person. The rows of a post lie side by
//                    side, so a completion is one row in one place, and what takes it back finds it there. A question
//                    looks at all rows of the lists that it is about: some 0.5 µs for each.
//                    `done_at` is null where it is `at`.
// achievement_check  the lists whose rows are still to be made from their logs. They are made when the database is
//                    opened for writing the first time after this step, each list in one transaction. A start that
//                    is stopped goes on with the next list. Afterwards the table is empty.

import Domain
import Sync

extension Schema {
  static let achievements =
    """
    CREATE TABLE achievement(
      stream INTEGER NOT NULL,
      post BLOB NOT NULL,
      occurrence INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      user BLOB NOT NULL,
      slot INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      done_at INTEGER,
      due TEXT,
      value INTEGER NOT NULL,
      PRIMARY KEY(stream, post, occurrence, kind, user, slot)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE achievement_check(stream INTEGER PRIMARY KEY) STRICT;
    INSERT INTO achievement_check(stream)
      SELECT number FROM stream WHERE substr(name, 1, 1) = x'63' AND horizon < seq;
    """

  /// Makes the rows of the lists that have none yet.
  static func fillAchievements(of database: Database) throws(DatabaseError) {
    let next = try database.prepare(
      """
      SELECT number, name, horizon FROM achievement_check JOIN stream ON number = stream
      ORDER BY number LIMIT 1
      """)
    let done = try database.prepare("DELETE FROM achievement_check WHERE stream = ?1")
    let writes = try AchievementStatements(database)
    while true {
      let list = try next.first { (row) throws(DatabaseError) in
        (number: row.int64(0), id: try row.stream(1), horizon: row.int64(2))
      }
      guard let list else { return }
      let rows = try AchievementReplay.rows(
        of: list.id, number: list.number, horizon: list.horizon, in: database)
      try database.inTransaction { () throws(DatabaseError) in
        for row in rows { try writes.put(row, stream: list.number) }
        try done.bind(1, list.number)
        try done.run()
      }
    }
  }
}

extension Database {
  /// Runs the body in a transaction. When it fails nothing is written.
  fileprivate func inTransaction(
    _ body: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try execute("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try body()
      try execute("COMMIT")
    } catch {
      if isInTransaction { try execute("ROLLBACK") }
      throw error
    }
  }
}

/// Writes rows of `achievement`.
struct AchievementStatements {
  private let add, replace, touched, delete: Statement

  init(_ database: Database) throws(DatabaseError) {
    let row =
      """
      INTO achievement(stream, post, occurrence, kind, user, slot, seq, at, done_at, due, value)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """
    add = try database.prepare(
      """
      INSERT \(row)
      ON CONFLICT DO UPDATE SET
        seq = excluded.seq, value = min(value + excluded.value, \(Limits.amountMax))
      """)
    replace = try database.prepare("INSERT OR REPLACE \(row)")
    touched = try database.prepare(
      """
      SELECT \(AchievementSQL.columns) FROM achievement
      WHERE stream = ?1 AND post = ?2 AND occurrence BETWEEN ?3 AND ?4
      ORDER BY occurrence, kind, user, slot
      """)
    delete = try database.prepare(
      """
      DELETE FROM achievement
      WHERE stream = ?1 AND post = ?2 AND occurrence = ?3 AND kind = ?4 AND user = ?5 AND slot = ?6
      """)
  }

  func write(_ change: AchievementChange, stream: Int64) throws(DatabaseError) {
    switch change {
    case .add(let row) where row.kind.isSum: try run(add, row, stream)
    case .add(let row): try run(replace, row, stream)
    case .settle(let it): try settle(it, stream)
    }
  }

  /// Writes only the rows that become others.
  private func settle(_ it: AchievementSettling, _ stream: Int64) throws(DatabaseError) {
    var known: [AchievementRow] = []
    for occurrences in it.occurrences {
      try touched.bind(1, stream)
      try touched.bind(2, it.post.uuid)
      try touched.bind(3, occurrences.lowerBound)
      try touched.bind(4, occurrences.upperBound)
      known += try touched.rows { (row) throws(DatabaseError) in try AchievementRow(row: row) }
    }
    let settled = it.settled(known)
    let (old, new) = (Set(known), Set(settled))
    for row in known where !new.contains(row) {
      try delete.bind(1, stream)
      try delete.bind(2, row.post.uuid)
      try delete.bind(3, row.occurrence)
      try delete.bind(4, row.kind.rawValue)
      try delete.bind(5, row.user.uuid)
      try delete.bind(6, row.slot)
      try delete.run()
    }
    for row in settled where !old.contains(row) { try run(replace, row, stream) }
  }

  /// Writes a row where none is, or in place of the one that is there.
  func put(_ row: AchievementRow, stream: Int64) throws(DatabaseError) {
    try run(replace, row, stream)
  }

  private func run(
    _ statement: Statement, _ row: AchievementRow, _ stream: Int64
  ) throws(DatabaseError) {
    try statement.bind(1, stream)
    try statement.bind(2, row.post.uuid)
    try statement.bind(3, row.occurrence)
    try statement.bind(4, row.kind.rawValue)
    try statement.bind(5, row.user.uuid)
    try statement.bind(6, row.slot)
    try statement.bind(7, row.seq)
    try statement.bind(8, row.at.milliseconds)
    try statement.bind(9, row.doneAt == row.at ? nil : row.doneAt.milliseconds)
    try statement.bind(10, orNull: row.due?.stored)
    try statement.bind(11, row.value)
    try statement.run()
  }
}

enum AchievementSQL {
  static let columns =
    "post, occurrence, kind, user, slot, seq, at, done_at, due, value"
  /// The rows of a list between two moments, from an event on. Where ?5 is no null, only those of that user.
  static let ofList =
    """
    SELECT \(columns) FROM achievement
    WHERE stream = (SELECT number FROM stream WHERE name = ?1)
      AND at >= ?2 AND at < ?3 AND seq >= ?4 AND (?5 IS NULL OR user = ?5) LIMIT ?6
    """
}

extension AchievementRow {
  /// Reads a row of `AchievementSQL.columns`.
  init(row: Statement) throws(DatabaseError) {
    guard let kind = Kind(rawValue: row.int64(2)) else {
      throw row.damaged(2, "is no kind of achievement")
    }
    let due: Due? = row.isNull(8) ? nil : Due(stored: row.text(8))
    if due == nil, !row.isNull(8) { throw row.damaged(8, "is no due") }
    let at = Timestamp(milliseconds: row.int64(6))
    self.init(
      post: PostID(try row.uuid(0)), occurrence: Int(row.int64(1)), kind: kind,
      user: UserID(try row.uuid(3)), slot: row.int64(4), seq: row.int64(5),
      at: at, doneAt: row.int64OrNil(7).map { Timestamp(milliseconds: $0) } ?? at, due: due,
      value: row.int64(9))
  }
}

extension Due {
  /// The due as a row has it: `2026-11-24`, or `2026-11-24T18:00 Europe/Lisbon`.
  fileprivate var stored: String {
    guard let localTime, let zone else { return day.description }
    return "\(localTime) \(zone)"
  }

  fileprivate init?(stored: String) {
    guard let space = stored.firstIndex(of: " ") else {
      guard let day = Day(stored) else { return nil }
      self = .day(day)
      return
    }
    self.init(
      localTime: String(stored[..<space]), zone: String(stored[stored.index(after: space)...]))
  }
}
