// Takes the text of erased posts out of what was written before (protocol §5.6).
//
// The erasing event's own transaction looks through the newest events of the stream. The rest is done in steps between
// other commits, each of them as short as a batch. A row of `erasure` remembers how far the erasing has come, so a
// crash loses nothing. Until it is done, readers take the text out of what they read (`pendingErasures`). After the
// last event, the keys of commands that no event names are rewritten too (Connection+EraseKeys.swift). Then the text
// may still stand in the write-ahead log, so the row goes only after the log was moved into the main file and cut to
// nothing. `secure_delete` makes SQLite write zeros over what it gives up of the main file
// (sqlite.org/pragma.html#pragma_secure_delete), and `CPages` lets no copy stay of what SQLite moves about. Pages that
// were read before that are dropped from memory, so that no such copy is written again.

import CSQLite
import Domain
import Sync
import Wire

/// The statements that erase.
struct EraseStatements {
  let mark, add, next, moveOn, finish: Statement
  let matches, rewrite, forgetHash, horizonBodies, rewriteHorizon: Statement
  let addBytes: Statement
  let drops: DropStatements
  let keys: EraseKeyStatements

  init(_ database: Database) throws(DatabaseError) {
    keys = try EraseKeyStatements(database)
    mark = try database.prepare("UPDATE stream SET erased_seq = ?2 WHERE number = ?1")
    // A post that is erased again begins at the new event: the rest of the first time lies below that too.
    add = try database.prepare(
      "INSERT OR REPLACE INTO erasure(stream, post, below) VALUES(?1, ?2, ?3)")
    next = try database.prepare(
      "SELECT stream, post, below FROM erasure ORDER BY below = stream << 32 LIMIT 1")
    moveOn = try database.prepare("UPDATE erasure SET below = ?3 WHERE stream = ?1 AND post = ?2")
    finish = try database.prepare("DELETE FROM erasure WHERE below = stream << 32")
    matches = try database.prepare(
      """
      SELECT place, body, sum, was, was_sum FROM event
      WHERE place >= ?1 AND place < ?2 AND (instr(body, ?3) > 0 OR instr(was, ?3) > 0)
      """)
    rewrite = try database.prepare(
      "UPDATE event SET body = ?2, was = ?3, sum = ?4, was_sum = ?5 WHERE place = ?1")
    // Few other objects than posts name a person.
    horizonBodies = try database.prepare(
      """
      SELECT rowid, body FROM horizon_object
        WHERE stream = ?1 AND kind IN (\(KindNumber.post), \(KindNumber.line)) AND id = ?2
      UNION ALL SELECT rowid, body FROM horizon_object
      WHERE ?3 IS NOT NULL AND stream = ?1 AND kind < \(KindNumber.post) AND instr(body, ?3) > 0
      UNION ALL SELECT rowid, body FROM horizon_object
      WHERE ?3 IS NOT NULL AND stream = ?1 AND kind > \(KindNumber.post) AND instr(body, ?3) > 0
      """)
    rewriteHorizon = try database.prepare("UPDATE horizon_object SET body = ?2 WHERE rowid = ?1")
    addBytes = try database.prepare(
      "UPDATE stream SET stored_bytes = stored_bytes + ?2 WHERE number = ?1")
    drops = try DropStatements(database)
    // The key of a batch lies with the first of its streams: that of the event, or another stream of the actor.
    forgetHash = try database.prepare(
      """
      UPDATE command_key SET hash = x''
      WHERE mark >= ?4 & ~3 AND mark <= ?4 | 3 AND actor = ?2 AND key = ?3
        AND stream IN (SELECT ?1 UNION ALL SELECT stream FROM access WHERE user = ?2)
      """)
  }
}

/// The most that one step may take: some milliseconds.
private enum EraseLimits {
  /// The number of events that one statement looks at.
  static let windowEvents: Int64 = 512
  static let windowsPerStep = 8
  static let rewrittenPerStep = 256
}

/// A row of `erasure`, with the place below which events are still to be looked at.
struct PendingErasure {
  let stream: Int64
  let subject: ErasedSubject
  var below: Int64

  /// The place where the stream's events begin. `below` comes to it in the end.
  var start: Int64 { stream << 32 }
}

/// An event as it is stored.
struct EventRow {
  let place: Int64
  let body: [UInt8]
  let was: [UInt8]

  var bytes: Int { body.count + was.count }
  var seq: Int64 { place & 0xFFFF_FFFF }
}

extension EventRow {
  /// Reads the place, the body, and what was before the event, each of the two with its sum.
  init(_ row: Statement) throws(DatabaseError) {
    place = row.int64(0)
    let seq = place & 0xFFFF_FFFF
    body = try row.body(1, .event(seq: seq))
    was = try row.body(3, .before(seq: seq))
  }
}

extension Connection {
  /// Begins an erasure, in the transaction of the erasing event and after its rows.
  func begin(
    _ erasure: Erasure, stream: Int64, steps: Bool, _ erases: EraseStatements
  ) throws(DatabaseError) {
    let pending = PendingErasure(
      stream: stream, subject: erasure.subject, below: stream << 32 + erasure.seq)
    try erases.mark.bind(1, stream)
    try erases.mark.bind(2, erasure.seq)
    try erases.mark.run()
    if erasure.subject == .everything {
      try erases.drops.begin(erasure.stream, number: stream)
    } else {
      try eraseAtHorizon(erasure.subject, stream: stream, erases)
    }
    try write(pending, erases.add)
    if steps { try step(pending, erases) }
    mayErase = true
    keySweep = nil
  }

  /// Takes one step in a transaction of its own. False when nothing is left, or when it must wait for a reader.
  func eraseMore(_ writes: WriteStatements) throws(DatabaseError) -> Bool {
    guard mayErase else { return false }
    let pending = try writes.erases.next.first { (row) throws(DatabaseError) in
      PendingErasure(stream: row.int64(0), subject: try row.subject(1), below: row.int64(2))
    }
    guard let pending else {
      mayErase = false
      return false
    }
    let isRewritten = pending.below == pending.start
    if isRewritten {
      guard try sweepKeys(writes) else { return true }
      guard try database.cutLog() else { return false }
      try database.dropCache()
    }
    try inTransaction(writes) { () throws(DatabaseError) in
      if isRewritten { try writes.erases.finish.run() } else { try step(pending, writes.erases) }
    }
    if isRewritten { keySweep = nil }
    return true
  }

  /// Takes the text out of what the state at the horizon says of the post or the person.
  func eraseAtHorizon(
    _ subject: ErasedSubject, stream: Int64, _ erases: EraseStatements
  ) throws(DatabaseError) {
    try erases.horizonBodies.bind(1, stream)
    try erases.horizonBodies.bind(2, subject.id)
    var text: [UInt8]?
    if case .person = subject { text = subject.text }
    try erases.horizonBodies.bind(3, copyingOrNull: text)
    let held = try erases.horizonBodies.rows { (row) throws(DatabaseError) in
      (row: row.int64(0), body: row.bytes(1))
    }
    for it in held {
      let body = try undamaged("at the horizon") { () throws(WireError) in
        try TextEraser(subject).object(it.body)
      }
      try erases.rewriteHorizon.bind(1, it.row)
      try erases.rewriteHorizon.bind(2, copying: body)
      try erases.rewriteHorizon.run()
    }
  }

  private func step(
    _ task: PendingErasure, _ erases: EraseStatements
  ) throws(DatabaseError) {
    if task.subject == .everything {
      return try write(try erases.drops.step(task, database), erases.moveOn)
    }
    var task = task
    var rewritten = 0
    for _ in 0..<EraseLimits.windowsPerStep
    where task.below > task.start && rewritten < EraseLimits.rewrittenPerStep {
      let from = max(task.start, task.below - EraseLimits.windowEvents)
      let rows = try matches(task, from: from, erases.matches)
      for row in rows { try rewrite(row, without: task.subject, stream: task.stream, erases) }
      rewritten += rows.count
      task.below = from
    }
    try write(task, erases.moveOn)
  }

  private func write(
    _ task: PendingErasure, _ statement: Statement
  ) throws(DatabaseError) {
    try statement.bind(1, task.stream)
    try statement.bind(2, copying: task.subject.stored)
    try statement.bind(3, task.below)
    try statement.run()
  }

  private func matches(
    _ task: PendingErasure, from: Int64, _ select: Statement
  ) throws(DatabaseError) -> [EventRow] {
    try select.bind(1, from)
    try select.bind(2, task.below)
    try select.bind(3, copying: task.subject.text)
    return try select.rows { (row) throws(DatabaseError) in
      try EventRow(row)
    }
  }

  /// Rewrites an event without the text, and returns the row as it is then.
  @discardableResult
  func rewrite(
    _ row: EventRow, without subject: ErasedSubject, stream: Int64, _ erases: EraseStatements
  ) throws(DatabaseError) -> EventRow {
    let eraser = TextEraser(subject)
    let event = try undamaged("\(row.place)") { () throws(WireError) in
      try EventCodec.decode(row.body, seq: 0)
    }
    let was = try undamaged("\(row.place)") { () throws(WireError) in try eraser.before(row.was) }
    let new = EventRow(
      place: row.place, body: EventCodec.encode(eraser.event(event)), was: was)
    // Most events that name a person's id hold nothing of the name: they keep their bytes, and their keys keep the
    // hashes.
    guard new.body != row.body || new.was != row.was else { return row }
    try erases.rewrite.bind(1, new.place)
    try erases.rewrite.bind(2, copying: new.body)
    try erases.rewrite.bind(3, copying: new.was)
    try erases.rewrite.bind(4, Summed.event(seq: new.seq).checksum(new.body))
    try erases.rewrite.bind(5, Summed.before(seq: new.seq).checksum(new.was))
    try erases.rewrite.run()
    try erases.addBytes.bind(1, stream)
    try erases.addBytes.bind(2, new.bytes - row.bytes)
    try erases.addBytes.run()
    guard let by = event.by, let key = event.key else { return new }
    try erases.forgetHash.bind(1, stream)
    try erases.forgetHash.bind(2, by.uuid)
    try erases.forgetHash.bind(3, key.text)
    try erases.forgetHash.bind(4, keyHasher.mark(actor: by.uuid, key: key.text))
    try erases.forgetHash.run()
    return new
  }

  /// Runs one transaction between those of the ledger.
  func inTransaction(
    _ writes: WriteStatements, _ body: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try writes.begin.run()
    do throws(DatabaseError) {
      try body()
      try writes.commit.run()
    } catch {
      if database.isInTransaction { try writes.rollback.run() }
      throw error
    }
  }
}

/// Reads our own bytes; those that cannot be read are damage.
func undamaged<Value>(
  _ event: String, _ read: () throws(WireError) -> Value
) throws(DatabaseError) -> Value {
  do throws(WireError) {
    return try read()
  } catch {
    throw DatabaseError(
      extendedCode: SQLITE_CORRUPT, message: "event \(event): \(error)", sql: "erase")
  }
}

/// The texts that readers take out themselves, as long as an erasing is not done.
struct PendingErasures {
  /// The texts to take out, each from the events before this number.
  private let tasks: [(eraser: TextEraser, seq: Int64)]

  init(_ tasks: [(eraser: TextEraser, seq: Int64)]) { self.tasks = tasks }

  func event(_ event: Event) -> Event {
    tasks.reduce(event) { $0.seq < $1.seq ? $1.eraser.event($0) : $0 }
  }

  func body(_ body: [UInt8], seq: Int64) throws(DatabaseError) -> [UInt8] {
    try rewritten(body, seq) { (eraser, body) throws(WireError) in try eraser.body(body) }
  }

  func before(_ was: [UInt8], seq: Int64) throws(DatabaseError) -> [UInt8] {
    try rewritten(was, seq) { (eraser, was) throws(WireError) in try eraser.before(was) }
  }

  private func rewritten(
    _ bytes: [UInt8], _ seq: Int64, _ rewrite: (TextEraser, [UInt8]) throws(WireError) -> [UInt8]
  ) throws(DatabaseError) -> [UInt8] {
    var bytes = bytes
    for task in tasks where seq < task.seq {
      bytes = try undamaged("\(seq)") { () throws(WireError) in try rewrite(task.eraser, bytes) }
    }
    return bytes
  }
}

extension ReadStatements {
  func erasesNothing(in stream: StreamID) throws(DatabaseError) -> Bool {
    try erasures.bind(1, stream)
    return try erasures.first { (_) throws(DatabaseError) in true } == nil
  }

  /// Returns what is left to erase in a stream; nearly always nothing.
  func pendingErasures(in stream: StreamID) throws(DatabaseError) -> PendingErasures {
    try erasures.bind(1, stream)
    return PendingErasures(
      try erasures.rows { (row) throws(DatabaseError) in
        (TextEraser(try row.subject(0)), row.int64(1))
      })
  }
}
