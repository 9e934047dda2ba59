// The step that lets people be told of their posts (Sync/Deadlines/ReminderRow.swift).
//
// reminder        one row for each person and post that has something to tell in the time to come, or of which the
//                 person has said something. It has the numbers of the person's own stream and of the list, the post's
//                 id, and the next moment in milliseconds, or the greatest number there is for no moment. One more row
//                 for each person who is told of their days has their own stream as the list, and zeros as the id.
//                 Three indexes:
//                   reminder_row    the row of one person and post, and all rows of a person
//                   reminder_of     all rows of a post
//                   reminder_next   the rows by their moments
//                 Adding a post without a due touches none of them.
// reminder_check  rows that are to be looked at again (ReminderSubject, by its kind); 0 where a kind names no person or
//                 no list. It is nearly always empty. The step itself puts every post there that has a due.

import Domain
import Sync

extension Schema {
  static let reminders =
    """
    CREATE TABLE reminder(
      id INTEGER PRIMARY KEY,
      person INTEGER NOT NULL,
      list INTEGER NOT NULL,
      post BLOB NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX reminder_row ON reminder(person, list, post);
    CREATE INDEX reminder_of ON reminder(list, post);
    CREATE INDEX reminder_next ON reminder(at) WHERE at < 9223372036854775807;
    CREATE TABLE reminder_check(
      id INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL,
      person INTEGER NOT NULL,
      list INTEGER NOT NULL,
      post BLOB NOT NULL,
      since INTEGER NOT NULL,
      after INTEGER NOT NULL,
      UNIQUE(kind, person, list, post)
    ) STRICT;
    INSERT INTO reminder_check(kind, person, list, post, since, after)
      SELECT 0, 0, post_due.stream, object.id, (SELECT max(at) FROM stream), 0
      FROM post_due JOIN object
        ON object.stream = post_due.stream AND object.kind = 6 AND object.in_state = 1
          AND object.number = post_due.post;
    """
}

/// Writes rows of `reminder` and `reminder_check`. People and lists are given by the numbers of their streams.
struct ReminderStatements {
  let put, add, forget, check, checkMore, checked: Statement

  init(_ database: Database) throws(DatabaseError) {
    put = try database.prepare(
      """
      INSERT INTO reminder(person, list, post, at) VALUES(?1, ?2, ?3, ?4)
      ON CONFLICT(person, list, post) DO UPDATE SET at = excluded.at
      """)
    add = try database.prepare(
      """
      INSERT INTO reminder(person, list, post, at) VALUES(?1, ?2, ?3, ?4)
      ON CONFLICT(person, list, post) DO NOTHING
      """)
    forget = try database.prepare(
      "DELETE FROM reminder WHERE person = ?1 AND list = ?2 AND post = ?3")
    check = try database.prepare(
      """
      INSERT INTO reminder_check(kind, person, list, post, since, after)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT(kind, person, list, post)
      DO UPDATE SET since = min(since, excluded.since), after = excluded.after
      """)
    // This check goes behind all others.
    checkMore = try database.prepare(
      """
      INSERT INTO reminder_check(kind, person, list, post, since, after)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6)
      """)
    checked = try database.prepare(
      "DELETE FROM reminder_check WHERE kind = ?1 AND person = ?2 AND list = ?3 AND post = ?4")
  }

  func write(_ it: ReminderWrite, person: Int64, list: Int64) throws(DatabaseError) {
    let statement = it.isKept ? (it.isNew ? add : put) : forget
    try statement.bind(1, person)
    try statement.bind(2, list)
    try statement.bind(3, it.key.storedPost)
    if it.isKept { try statement.bind(4, it.at?.milliseconds ?? Int64.max) }
    try statement.run()
  }

  /// Writes a check. `person` and `list` are 0 where the subject names none.
  func write(_ it: ReminderCheck, person: Int64, list: Int64) throws(DatabaseError) {
    guard let after = it.after else { return try run(checked, it, person, list) }
    if after > 0 { try run(checked, it, person, list) }
    let statement = after > 0 ? checkMore : check
    try statement.bind(5, it.since.milliseconds)
    try statement.bind(6, after)
    try run(statement, it, person, list)
  }

  private func run(
    _ statement: Statement, _ it: ReminderCheck, _ person: Int64, _ list: Int64
  ) throws(DatabaseError) {
    try statement.bind(1, it.subject.storedKind)
    try statement.bind(2, person)
    try statement.bind(3, list)
    try statement.bind(4, it.subject.post?.post.uuid ?? UUID(high: 0, low: 0))
    try statement.run()
  }
}

extension ReminderSubject {
  /// The numbers of kinds as they are stored.
  enum Stored {
    static let post: Int64 = 0
    static let one: Int64 = 1
    static let person: Int64 = 2
    static let member: Int64 = 3
    static let list: Int64 = 4
    static let digest: Int64 = 5
  }

  fileprivate var storedKind: Int64 {
    switch self {
    case .post: Stored.post
    case .one: Stored.one
    case .person: Stored.person
    case .member: Stored.member
    case .list: Stored.list
    case .digest: Stored.digest
    }
  }

  fileprivate var post: PostAddress? {
    switch self {
    case .post(let post): post
    case .one(let key): key.post
    case .person, .member, .list, .digest: nil
    }
  }

  var person: UserID? {
    switch self {
    case .post, .list: nil
    case .one(let key): key.person
    case .person(let person), .member(let person, _), .digest(let person): person
    }
  }

  var list: StreamID? {
    switch self {
    case .post(let post): post.stream
    case .one(let key): key.post.stream
    case .member(_, let list), .list(let list): .category(list)
    case .person, .digest: nil
    }
  }
}

extension WaitingKey {
  /// The id of the post; zeros when the key is about no post.
  var storedPost: UUID { post?.post.post.uuid ?? UUID(high: 0, low: 0) }
}
