// The step that lets streams know how much of the store they take (Sync/Ledger/StorageBook.swift).
//
// stored_bytes  the bytes of the stream's events with what was before them, of its objects in the state or not, and of
//               the object that it is about. An event counts 256 more, for its row, its places in indexes and its key.
// state_bytes   the bytes of the objects in its state alone, and of the object that it is about.
//
// Both lie in the stream's row, which every commit writes anyhow, so counting touches no further page. Bytes that are
// erased or forgotten are subtracted in the same transaction. The step looks at every event once, in the order of the
// rows, without reading its bytes: some 3 s for ten million.

import CSQLite
import Sync

extension Schema {
  static let storage =
    """
    ALTER TABLE stream ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE stream ADD COLUMN state_bytes INTEGER NOT NULL DEFAULT 0;
    """

  /// The part of the step that SQL cannot do in one pass.
  static func countBytes(of database: Database) throws(DatabaseError) {
    var counts: [Int64: (stored: Int64, state: Int64)] = [:]
    func add(_ sql: String) throws(DatabaseError) {
      try database.prepare(sql).each { (row) throws(DatabaseError) in
        counts[row.int64(0), default: (0, 0)].stored += row.int64(1)
        counts[row.int64(0), default: (0, 0)].state += row.int64(2)
        return true
      }
    }
    try add(
      """
      SELECT place >> 32, length(body) + length(was) + \(StoredBytes.ofEvent), 0 FROM event
      WHERE place >= 0
      """)
    try add("SELECT stream, length(body), in_state * length(body) FROM object")
    try add("SELECT number, length(own), length(own) FROM stream WHERE own IS NOT NULL")
    let write = try database.prepare(
      """
      UPDATE stream SET stored_bytes = ?2, state_bytes = ?3 WHERE number = ?1 AND horizon < seq
      """)
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      try write.bind(1, number)
      try write.bind(2, count.stored)
      try write.bind(3, count.state)
      try write.run()
    }
  }
}

/// The questions about storage. 4, 5 and 60 are members, categories of a group, and owners.
enum StorageSQL {
  /// The stream's number and the bytes of its state, and the group that it belongs to.
  static let stream =
    """
    SELECT number, state_bytes, json_extract(CAST(own AS TEXT), '$.group') FROM stream
    WHERE name = ?1
    """
  /// The owner who came first.
  static let owner =
    """
    SELECT access.user FROM object INDEXED BY object_in_state
    CROSS JOIN access ON access.user = object.id AND access.stream = object.stream
    WHERE object.stream = ?1 AND object.kind = \(KindNumber.member)
      AND object.in_state = 1 AND access.role = 60
    ORDER BY access.joined_seq, access.user LIMIT 1
    """
  /// The bytes of the person's own stream and of the lists that are theirs and no group's.
  static let ofPerson =
    """
    SELECT coalesce(sum(stored_bytes), 0) FROM access
    CROSS JOIN stream ON stream.number = access.stream
    WHERE access.user = ?1 AND access.role = 60 AND (stream.name < x'64' OR stream.name >= x'75')
      AND json_extract(CAST(own AS TEXT), '$.group') IS NULL
    """
  static let ofGroup =
    """
    SELECT coalesce(sum(stored_bytes), 0) FROM (
      SELECT stored_bytes FROM stream WHERE name = ?1
      UNION ALL SELECT list.stored_bytes FROM stream AS place
      CROSS JOIN object INDEXED BY object_in_state
        ON object.stream = place.number AND object.kind = \(KindNumber.groupCategory)
          AND object.in_state = 1
      CROSS JOIN stream AS list ON list.name = CAST(x'63' || object.id AS BLOB)
      WHERE place.name = ?1)
    """
  static let ofStream = "SELECT stored_bytes FROM stream WHERE name = ?1"
  static let stateOfStream = "SELECT state_bytes FROM stream WHERE name = ?1"
  /// The outline of kinds between two, or of posts. The number of a post is its place (`ReadSQL.snapshotPosts`).
  static let outline =
    """
    SELECT kind, id, length(body), number FROM object INDEXED BY object_in_state
    WHERE stream = (SELECT number FROM stream WHERE name = ?1) AND in_state = 1
      AND kind BETWEEN ?2 AND ?3 ORDER BY kind, number, id
    """
  static let outlineOfPosts =
    """
    SELECT kind, id, length(body), number FROM object INDEXED BY object_in_state
    WHERE stream = (SELECT number FROM stream WHERE name = ?1) AND in_state = 1
      AND kind = \(KindNumber.post) ORDER BY number
    """
}

/// The statements that ask these questions.
struct StorageStatements {
  let stream, owner, ofPerson, ofGroup, ofStream, stateOfStream: Statement
  let outline, outlineOfPosts: Statement

  init(_ database: Database) throws(DatabaseError) {
    stream = try database.prepare(StorageSQL.stream)
    owner = try database.prepare(StorageSQL.owner)
    ofPerson = try database.prepare(StorageSQL.ofPerson)
    ofGroup = try database.prepare(StorageSQL.ofGroup)
    ofStream = try database.prepare(StorageSQL.ofStream)
    stateOfStream = try database.prepare(StorageSQL.stateOfStream)
    outline = try database.prepare(StorageSQL.outline)
    outlineOfPosts = try database.prepare(StorageSQL.outlineOfPosts)
  }
}
