// Takes a whole stream out of the files (Domain/Decide/AccountEnds.swift). Only its row stays, without an object and
// with a horizon at its newest event, so that its id is never given again. A drop is one of the things that are erased
// in steps (Connection+Erase.swift). With its transaction nobody can read the stream any more. Then its rows go, some
// hundred at a time and the events last, and in the end what the log holds of them.

import Domain
import Sync

/// The statements that drop a stream.
struct DropStatements {
  let empty, leave, events: Statement
  /// Each of these deletes rows of one table beside the events.
  let objects, horizon, words, dues, check, reminders, reminderChecks, keys, achievements: Statement

  init(_ database: Database) throws(DatabaseError) {
    empty = try database.prepare(
      """
      UPDATE stream SET own = NULL, horizon = seq, stored_bytes = 0, state_bytes = 0
      WHERE number = ?1
      """)
    leave = try database.prepare("DELETE FROM access WHERE user = ?1 AND stream = ?2")
    events = try database.prepare("DELETE FROM event WHERE place >= ?1 AND place < ?2")
    objects = try database.prepare(
      """
      DELETE FROM object WHERE rowid IN (
        SELECT rowid FROM object WHERE stream = ?1 LIMIT \(DropStatements.rowsPerStep))
      """)
    horizon = try database.prepare(
      """
      DELETE FROM horizon_object WHERE rowid IN (
        SELECT rowid FROM horizon_object WHERE stream = ?1 LIMIT \(DropStatements.rowsPerStep))
      """)
    words = try database.prepare(
      """
      DELETE FROM post_words WHERE place IN (
        SELECT place FROM post_words WHERE place >= ?1 << 32 AND place < (?1 + 1) << 32
        LIMIT \(DropStatements.rowsPerStep))
      """)
    dues = try database.prepare("DELETE FROM post_due WHERE stream = ?1")
    check = try database.prepare("DELETE FROM due_check WHERE stream = ?1")
    reminders = try database.prepare("DELETE FROM reminder WHERE person = ?1 OR list = ?1")
    reminderChecks = try database.prepare(
      """
      DELETE FROM reminder_check
      WHERE list = ?1 OR person = ?1 AND kind <> \(ReminderSubject.Stored.member)
      """)
    keys = try database.prepare(
      """
      DELETE FROM command_key WHERE rowid IN (
        SELECT rowid FROM command_key WHERE stream = ?1 LIMIT \(DropStatements.rowsPerStep))
      """)
    achievements = try database.prepare(
      """
      DELETE FROM achievement WHERE stream = ?1 AND post IN (
        SELECT post FROM achievement WHERE stream = ?1 LIMIT \(DropStatements.rowsPerStep))
      """)
  }

  static let rowsPerStep: Int64 = 256

  /// Begins a drop, in the transaction that ends the stream. Dues and reminders go at once, because the ledger finds by
  /// them what it must do next; there are as many rows as moments to come, not as events.
  func begin(_ stream: StreamID, number: Int64) throws(DatabaseError) {
    for statement in [empty, dues, check, reminders, reminderChecks] {
      try statement.bind(1, number)
      try statement.run()
    }
    // A person's right to their own stream goes here; members of other streams leave by an event.
    guard case .user(let user) = stream else { return }
    try leave.bind(1, user.uuid)
    try leave.bind(2, number)
    try leave.run()
  }

  /// Takes one step, and returns what is left of the task.
  func step(
    _ task: PendingErasure, _ database: Database
  ) throws(DatabaseError) -> PendingErasure {
    var task = task
    for statement in [objects, horizon, words, keys, achievements] {
      try statement.bind(1, task.stream)
      try statement.run()
      if database.changedRows > 0 { return task }
    }
    let from = max(task.start, task.below - DropStatements.rowsPerStep)
    try events.bind(1, from)
    try events.bind(2, task.below)
    try events.run()
    task.below = from
    return task
  }
}

extension ErasedSubject {
  /// The bytes in a row of `erasure`: 16 bytes for a post, a letter and 16 bytes for a person, a letter and 8 bytes for
  /// a line of talk, a letter alone for everything.
  var stored: [UInt8] {
    switch self {
    case .post(let id): id.uuid.bytes
    case .person(let id): [UInt8(ascii: "u")] + id.uuid.bytes
    case .line(let number): [UInt8(ascii: "l")] + number.bytes
    case .everything: [UInt8(ascii: "e")]
    }
  }

  /// The text that finds the subject in an event's bytes.
  var text: [UInt8] {
    switch self {
    case .post(let id): Array(id.description.utf8)
    case .person(let id): Array(id.description.utf8)
    // It may find a longer number too. Nothing is taken out of what that stands in.
    case .line(let number): Array("\"line\":\(number)".utf8)
    case .everything: []
    }
  }

  /// The id of the post, the person or the line; zero for everything.
  var id: UUID {
    switch self {
    case .post(let id): id.uuid
    case .person(let id): id.uuid
    case .line(let number): TalkLine.key(of: number).id
    case .everything: UUID(high: 0, low: 0)
    }
  }
}

extension Statement {
  func subject(_ column: Int32) throws(DatabaseError) -> ErasedSubject {
    let bytes = bytes(column)
    if bytes == ErasedSubject.everything.stored { return .everything }
    if bytes.count == 9 { return .line(Int64(bytes: bytes.dropFirst())) }
    if bytes.count == 17, let id = UUID(bytes: Array(bytes.dropFirst())) {
      return .person(UserID(id))
    }
    return .post(PostID(try uuid(column)))
  }
}

extension Int64 {
  /// The eight bytes of the number, the highest first.
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

  fileprivate init(bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
