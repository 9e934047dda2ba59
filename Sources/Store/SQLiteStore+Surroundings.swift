// The state of the machine around the database: the rules of its zones, its clock as the operator confirmed it, and the
// time since which that clock can be trusted for the bin. All of it lies in `meta`, beside the store's identity. It is
// written a few times a year.

import Domain
package import Sync

extension SQLiteStore {
  package func zonesAre(_ version: String) throws(StoreError) -> Bool {
    let before = try words(of: Surroundings.zones)
    guard before != version else { return false }
    return try write { (database) throws(DatabaseError) in
      try Surroundings.keep(version, as: Surroundings.zones, in: database)
      try Surroundings.lookAtAllAgain(in: database)
      return try database.integer(
        "SELECT (SELECT count(*) FROM due_check) + (SELECT count(*) FROM reminder_check)") > 0
    }
  }

  package func lookAtAllAgain() throws(StoreError) {
    try write { (database) throws(DatabaseError) in
      try Surroundings.lookAtAllAgain(in: database)
    }
  }

  package func confirmClock(_ confirmation: ClockConfirmation) throws(StoreError) {
    try write { (database) throws(DatabaseError) in
      let words = "\(confirmation.at.milliseconds) \(confirmation.newest.milliseconds)"
      try Surroundings.keep(words, as: Surroundings.clock, in: database)
    }
  }

  package func confirmedClock() throws(StoreError) -> ClockConfirmation? {
    guard let words = try words(of: Surroundings.clock) else { return nil }
    let times = words.split(separator: " ").compactMap { Int64($0) }
    guard times.count == 2 else { return nil }
    return ClockConfirmation(
      at: Timestamp(milliseconds: times[0]), newest: Timestamp(milliseconds: times[1]))
  }

  func words(of name: String) throws(StoreError) -> String? {
    try inDatabase { (database) throws(DatabaseError) in
      try Surroundings.words(of: name, in: database)
    }
  }
}

enum Surroundings {
  /// The names of the rows in `meta`.
  static let zones = "zones"
  static let clock = "clock"
  static let bin = "bin"

  /// Puts every list with open posts into `due_check`, also a list whose open posts have no row: perhaps its zone was
  /// not known before.
  static let checkAll =
    """
    INSERT OR REPLACE INTO due_check(stream, after)
    SELECT number, 0 FROM stream WHERE name >= x'63' AND name < x'64'
      AND json_extract(CAST(own AS TEXT), '$.counters.open') > 0
    """

  /// Puts everybody who has a row of `reminder` into `reminder_check`, because their own posts have a zone too.
  static let remindAll =
    """
    INSERT INTO reminder_check(kind, person, list, post, since, after)
    SELECT DISTINCT 2, person, 0, zeroblob(16), (SELECT max(at) FROM stream), 0
    FROM reminder WHERE true
    ON CONFLICT(kind, person, list, post)
    DO UPDATE SET since = min(since, excluded.since), after = 0
    """

  static func lookAtAllAgain(in database: Database) throws(DatabaseError) {
    try database.execute(checkAll)
    try database.execute(remindAll)
  }

  static func words(of name: String, in database: Database) throws(DatabaseError) -> String? {
    let select = try database.prepare("SELECT value FROM meta WHERE name = ?1")
    try select.bind(1, name)
    return try select.first { (row) throws(DatabaseError) in row.text(0) }
  }

  static func keep(
    _ words: String, as name: String, in database: Database
  ) throws(DatabaseError) {
    let put = try database.prepare("INSERT OR REPLACE INTO meta(name, value) VALUES(?1, ?2)")
    try put.bind(1, name)
    try put.bind(2, words)
    try put.run()
  }
}
