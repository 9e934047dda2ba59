// Accounts that end (Schema+Accounts.swift), and what still names their persons.

package import Domain
package import Sync

extension SQLiteStore {
  package func endingAccounts(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [EndingAccount] {
    try query { (reads) throws(DatabaseError) in
      let select = reads.names.ending
      try select.bind(1, time.milliseconds)
      try select.bind(2, Int64(limit))
      return try select.rows { (row) throws(DatabaseError) in
        EndingAccount(
          user: UserID(try row.uuid(0)), endsAt: Timestamp(milliseconds: row.int64(1)),
          forgottenThrough: try row.isNull(2) ? nil : row.stream(2))
      }
    }
  }

  package func naming(_ user: UserID, from place: NamingPlace) throws(StoreError) -> NamingStep {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in try reads.names.naming(user, from: place) }
    }
  }
}

/// The statements that find ending accounts, the bots of a person, and streams that still name a person.
struct NameStatements {
  let ending, bots, untold, this, next, objects, horizon, events: Statement

  init(_ database: Database) throws(DatabaseError) {
    ending = try database.prepare(
      "SELECT user, at, after FROM account_end WHERE at <= ?1 ORDER BY at, user LIMIT ?2")
    bots = try database.prepare(
      """
      SELECT user, username, password, generation, owner FROM account
      WHERE owner = ?1 ORDER BY username
      """)
    untold = try database.prepare("SELECT user, after FROM untold_name ORDER BY user LIMIT ?1")
    this = try database.prepare("SELECT name, number, seq, horizon FROM stream WHERE name = ?1")
    next = try database.prepare(
      "SELECT name, number, seq, horizon FROM stream WHERE name > ?1 ORDER BY name LIMIT 1")
    // 6 is a post, which names nobody. There are two ranges, because otherwise SQLite steps over every post.
    objects = try database.prepare(
      """
      SELECT 1 FROM object WHERE stream = ?1 AND kind < 6 AND instr(body, ?2) > 0
      UNION ALL SELECT 1 FROM object WHERE stream = ?1 AND kind > 6 AND instr(body, ?2) > 0 LIMIT 1
      """)
    horizon = try database.prepare(
      """
      SELECT 1 FROM horizon_object WHERE stream = ?1 AND kind < 6 AND instr(body, ?2) > 0
      UNION ALL SELECT 1 FROM horizon_object
      WHERE stream = ?1 AND kind > 6 AND instr(body, ?2) > 0 LIMIT 1
      """)
    events = try database.prepare(
      """
      SELECT 1 FROM event WHERE place > ?1 AND place <= ?2
        AND (instr(body, ?3) > 0 OR instr(was, ?3) > 0) LIMIT 1
      """)
  }

  /// The most that one step looks at: some milliseconds.
  private static let eventsPerStep: Int64 = 4_096
  private static let streamsPerStep = 64

  private struct Row {
    let stream: StreamID
    let number: Int64
    let seq: Int64
    let horizon: Int64
  }

  func naming(_ user: UserID, from place: NamingPlace) throws(DatabaseError) -> NamingStep {
    let text = Array(user.description.utf8)
    var place = place
    var left = NameStatements.eventsPerStep
    for _ in 0..<NameStatements.streamsPerStep where left > 0 {
      guard let row = try row(at: place) else { return .none }
      let begun = place.stream == row.stream ? place.seq : nil
      if begun == nil, try names(text, row) { return .found(row.stream) }
      let from = max(row.horizon, begun ?? 0)
      let through = min(row.seq, from + left)
      if try isNamed(text, row, after: from, through: through) { return .found(row.stream) }
      left -= max(0, through - from)
      place = NamingPlace(stream: row.stream, seq: through < row.seq ? through : nil)
    }
    return .more(place)
  }

  private func row(at place: NamingPlace) throws(DatabaseError) -> Row? {
    let select = place.seq == nil ? next : this
    if let stream = place.stream {
      try select.bind(1, stream)
    } else {
      try select.bind(1, copying: [])
    }
    return try select.first { (row) throws(DatabaseError) in
      Row(
        stream: try row.stream(0), number: row.int64(1), seq: row.int64(2), horizon: row.int64(3))
    }
  }

  private func names(_ text: [UInt8], _ row: Row) throws(DatabaseError) -> Bool {
    for statement in [objects, horizon] {
      try statement.bind(1, row.number)
      try statement.bind(2, copying: text)
      if try statement.first({ (_) throws(DatabaseError) in true }) ?? false {
        return row.horizon < row.seq
      }
    }
    return false
  }

  private func isNamed(
    _ text: [UInt8], _ row: Row, after: Int64, through: Int64
  ) throws(DatabaseError) -> Bool {
    guard after < through else { return false }
    try events.bind(1, row.number << 32 + after)
    try events.bind(2, row.number << 32 + through)
    try events.bind(3, copying: text)
    return try events.first { (_) throws(DatabaseError) in true } ?? false
  }
}
