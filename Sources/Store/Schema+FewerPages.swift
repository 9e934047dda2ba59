// The step that made a commit touch fewer pages. Each page that a commit touches is written to the log, and later to
// the file. Measured with creates in 100 lists, 16 in a transaction (sqlite_twin with CGatherVFS): 7.0 pages and 73 µs
// for each before it, 3.4 and 54 after it (four pairs on a busy machine: 0.63 to 0.78 of the CPU). Its parts save, in
// pages for each create:
//   1.7  events lie in the order of their commits, and an index finds them by their place: before, the
//        pages of every stream were split again and again in the middle of the tree;
//   0.8  keys lie so too, found by a mark of 64 bits;
//   0.8  the object that a stream is about lies in the stream's row, which every commit writes anyway;
//   0.3  the index of what is in the state has no ids: rows of one number are sorted by id when read.
// Tried and left: objects without rowids, by (stream, kind, id), cost 0.5 pages more; pages of 1 or 2 KiB cost a tenth
// to a third more CPU. One index of objects in the place of two, by (stream, in_state, kind, id), would save 0.5 more,
// but a page of open posts would read all open posts of the list.
//
// The step writes events and keys anew, in one transaction, and writes zeros over the old rows (`secure_delete`). Both
// pass through the log. A large database needs three times as much room again on the disk for its first start, and
// keeps one of them as free pages of its file. It takes about a minute for ten million events.

import CSQLite
import Domain
import Sync

extension Schema {
  static let fewerPages =
    """
    ALTER TABLE stream ADD COLUMN own BLOB;
    UPDATE stream SET own = (
      SELECT body FROM object WHERE object.stream = stream.number AND kind IN (1, 2, 3));
    DELETE FROM object WHERE kind IN (1, 2, 3);
    DROP INDEX object_in_state;
    CREATE INDEX object_in_state ON object(stream, kind, number) WHERE in_state = 1;
    ALTER TABLE event RENAME TO event_before;
    CREATE TABLE event(
      place INTEGER NOT NULL UNIQUE,
      at INTEGER NOT NULL,
      by BLOB,
      tx BLOB NOT NULL,
      body BLOB NOT NULL,
      was BLOB NOT NULL
    ) STRICT;
    INSERT INTO event(place, at, by, tx, body, was)
      SELECT place, at, by, tx, body, was FROM event_before ORDER BY place;
    DROP TABLE event_before;
    ALTER TABLE command_key RENAME TO command_key_before;
    CREATE TABLE command_key(
      stream INTEGER NOT NULL,
      mark INTEGER NOT NULL,
      actor BLOB NOT NULL,
      key TEXT NOT NULL,
      hash BLOB NOT NULL,
      changed INTEGER NOT NULL,
      number INTEGER,
      version INTEGER,
      generation INTEGER,
      events BLOB NOT NULL,
      seq INTEGER NOT NULL,
      UNIQUE(stream, mark)
    ) STRICT;
    """

  /// The part of the step that SQL cannot do: marks come from the store's secret.
  static func markKeys(of database: Database) throws(DatabaseError) {
    let select = try database.prepare("SELECT stream, actor, key FROM command_key_before")
    let insert = try database.prepare(
      """
      INSERT INTO command_key(
        stream, mark, actor, key, hash, changed, number, version, generation, events, seq)
      SELECT stream, ?4, actor, key, hash, changed, number, version, generation, events, seq
      FROM command_key_before WHERE stream = ?1 AND actor = ?2 AND key = ?3
      """)
    let hasher = KeyHasher(secret: try identity(of: database).secret)
    try select.each { (row) throws(DatabaseError) in
      let (actor, key) = (try row.uuid(1), row.text(2))
      try insert.bind(1, row.int64(0))
      try insert.bind(2, actor)
      try insert.bind(3, key)
      try run(insert, atFreeOf: KeyHasher.places(of: hasher.mark(actor: actor, key: key)))
      return true
    }
    try database.execute("DROP TABLE command_key_before")
  }

  private static func run(
    _ insert: Statement, atFreeOf places: [Int64]
  ) throws(DatabaseError) {
    for (index, place) in places.enumerated() {
      try insert.bind(4, place)
      do throws(DatabaseError) {
        return try insert.run()
      } catch {
        guard error.code == SQLITE_CONSTRAINT, index + 1 < places.count else { throw error }
      }
    }
  }
}
