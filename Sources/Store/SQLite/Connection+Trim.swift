// Forgets the oldest events of each stream (protocol §5.7), when the operator wants history to end.
//
// It works in steps as short as a batch, between the ledger's commits. A step takes some events from the beginning of a
// stream's log and applies them to `horizon_object`, which so stays the state at the horizon and lets `verify` go on
// from there. Then it deletes the events and moves the horizon, all in one transaction. The newest event of a stream
// stays, whatever its age: cursors are compared with it. Keys of commands go when they are older than the horizon: a
// client that repeats such a command is told `stale_base` (protocol §10.4). Keys of deadlines stay longer
// (`Deadlines.keeps`): they alone say that a deadline was told, and nobody repeats them with a `base`.
//
// A sweep goes through the streams by their numbers. Its place is not kept over a restart, so the first sweep looks at
// the keys of every stream that has a horizon.

import Domain
import Sync
import Wire

/// The statements that trim.
struct TrimStatements {
  let streams, oldest, setHorizon, forget, countForgotten, addBytes: Statement
  let object, ranks, put, leave, delete: Statement
  let keys, forgetKey: Statement
  let newestLeaving: Statement
  let left, setLeft, leftBefore, setLeftBefore: Statement

  private static let put =
    """
    INSERT INTO horizon_object(stream, kind, id, number, rank, in_state, body)
    VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT(stream, kind, id) DO UPDATE SET
      number = excluded.number, rank = excluded.rank, in_state = excluded.in_state,
      body = excluded.body
    """

  init(_ database: Database) throws(DatabaseError) {
    // A body that is written by `setLeft` has no source.
    left = try database.prepare(
      "SELECT body, sum FROM object WHERE stream = ?1 AND kind = \(KindNumber.post) AND id = ?2")
    setLeft = try database.prepare(
      """
      UPDATE object SET body = ?3, sum = ?4, traits = traits & ~\(PostTraits.source.rawValue)
      WHERE stream = ?1 AND kind = \(KindNumber.post) AND id = ?2
      """)
    leftBefore = try database.prepare(
      "SELECT body FROM horizon_object WHERE stream = ?1 AND kind = \(KindNumber.post) AND id = ?2")
    setLeftBefore = try database.prepare(
      """
      UPDATE horizon_object SET body = ?3
      WHERE stream = ?1 AND kind = \(KindNumber.post) AND id = ?2
      """)
    streams = try database.prepare(
      "SELECT number, name, seq, horizon FROM stream WHERE number > ?1 ORDER BY number LIMIT 64")
    oldest = try database.prepare(
      """
      SELECT place, at, body, sum FROM event WHERE place > ?1 AND place < ?2
      ORDER BY place LIMIT ?3
      """)
    setHorizon = try database.prepare("UPDATE stream SET horizon = ?2 WHERE number = ?1")
    forget = try database.prepare("DELETE FROM event WHERE place > ?1 AND place <= ?2")
    countForgotten = try database.prepare(
      """
      UPDATE stream SET stored_bytes = stored_bytes - (
        SELECT coalesce(sum(length(body) + length(was) + \(StoredBytes.ofEvent)), 0) FROM event
        WHERE place > ?1 AND place <= ?2)
      WHERE number = ?3
      """)
    addBytes = try database.prepare(
      "UPDATE stream SET stored_bytes = stored_bytes + ?2 WHERE number = ?1")
    object = try database.prepare(
      "SELECT body FROM horizon_object WHERE stream = ?1 AND kind = ?2 AND id = ?3")
    ranks = try database.prepare(
      """
      SELECT rank, number, id FROM horizon_object INDEXED BY horizon_ranked
      WHERE stream = ?1 AND kind = ?2 AND in_state = 1 AND rank IS NOT NULL
      """)
    put = try database.prepare(TrimStatements.put)
    leave = try database.prepare(
      "UPDATE horizon_object SET in_state = 0 WHERE stream = ?1 AND kind = ?2 AND id = ?3")
    delete = try database.prepare(
      "DELETE FROM horizon_object WHERE stream = ?1 AND kind = ?2 AND id = ?3")
    keys = try database.prepare(
      """
      SELECT mark, seq, actor, key FROM command_key
      WHERE stream = ?1 AND mark >= ?2 ORDER BY mark LIMIT ?3
      """)
    forgetKey = try database.prepare("DELETE FROM command_key WHERE stream = ?1 AND mark = ?2")
    newestLeaving = try database.prepare(
      """
      SELECT place, body, sum, was, was_sum FROM event
      WHERE place = ?1 AND at < ?2 AND instr(body, CAST('"post.moved_out"' AS BLOB)) > 0
      """)
  }
}

/// The place that a sweep has come to.
enum TrimPlace {
  /// The streams up to this number are done.
  case streams(after: Int64)
  /// The keys of a stream that was trimmed; keys with lesser marks are done.
  case keys(TrimmedStream, from: Int64)
}

/// A stream that may have events to forget.
struct TrimmedStream {
  let number: Int64
  let id: StreamID
  let seq: Int64
  var horizon: Int64

  var start: Int64 { number << 32 }
}

private enum TrimLimits {
  static let eventsPerStep: Int64 = 128
  static let keysPerStep: Int64 = 512
}

extension Connection {
  /// Takes one step of a sweep.
  func trim(
    before time: Timestamp, _ writes: WriteStatements
  ) throws(DatabaseError) -> TrimStep {
    switch trimPlace {
    case .streams(let after): return try trimNext(after: after, time, writes)
    case .keys(let stream, let mark):
      var next = trimPlace
      try inTransaction(writes) { () throws(DatabaseError) in
        next = try forgetKeys(of: stream, from: mark, before: time, writes.trims)
      }
      trimPlace = next
      return TrimStep(horizon: nil, isDone: false)
    }
  }

  private func trimNext(
    after: Int64, _ time: Timestamp, _ writes: WriteStatements
  ) throws(DatabaseError) -> TrimStep {
    let streams = try trimmable(after: after, writes.trims)
    for stream in streams {
      let old = try oldEvents(of: stream, before: time, writes.trims)
      guard !old.isEmpty else {
        try forgetWhatLeft(stream, before: time, writes)
        guard stream.horizon > 0, !hasSweptKeys else {
          trimPlace = .streams(after: stream.number)
          continue
        }
        trimPlace = .keys(stream, from: .min)
        return TrimStep(horizon: nil, isDone: false)
      }
      var trimmed = stream
      trimmed.horizon += Int64(old.count)
      // A full step may leave no old event either.
      let isLast = try oldEvents(of: trimmed, before: time, writes.trims).isEmpty
      try inTransaction(writes) { () throws(DatabaseError) in
        try absorb(old, of: trimmed, writes.trims)
      }
      if isLast {
        try forgetWhatLeft(trimmed, before: time, writes)
        trimPlace = .keys(trimmed, from: .min)
      }
      return TrimStep(
        horizon: StreamPosition(stream: stream.id, seq: trimmed.horizon), isDone: false)
    }
    guard streams.isEmpty else { return TrimStep(horizon: nil, isDone: false) }
    trimPlace = .streams(after: 0)
    hasSweptKeys = true
    return TrimStep(horizon: nil, isDone: true)
  }

  private func trimmable(
    after: Int64, _ trims: TrimStatements
  ) throws(DatabaseError) -> [TrimmedStream] {
    try trims.streams.bind(1, after)
    return try trims.streams.rows { (row) throws(DatabaseError) in
      TrimmedStream(
        number: row.int64(0), id: try row.stream(1), seq: row.int64(2), horizon: row.int64(3))
    }
  }

  /// Returns the next events to forget. The newest one of the stream is never among them, and there are none while
  /// something in the stream is still to be erased, because the state at the horizon would keep it.
  private func oldEvents(
    of stream: TrimmedStream, before time: Timestamp, _ trims: TrimStatements
  ) throws(DatabaseError) -> [Event] {
    guard stream.horizon + 1 < stream.seq else { return [] }
    try trims.oldest.bind(1, stream.start + stream.horizon)
    try trims.oldest.bind(2, stream.start + stream.seq)
    try trims.oldest.bind(3, TrimLimits.eventsPerStep)
    var events: [Event] = []
    try trims.oldest.each { (row) throws(DatabaseError) in
      guard row.int64(1) < time.milliseconds else { return false }
      let seq = row.int64(0) - stream.start
      let body = try row.body(2, .event(seq: seq))
      events.append(
        try undamaged("\(seq)") { () throws(WireError) in
          try EventCodec.decode(body, seq: seq)
        })
      return true
    }
    guard !events.isEmpty, try reads.erasesNothing(in: stream.id) else { return [] }
    return events
  }

  /// Makes the events part of the state at the horizon, and deletes them.
  private func absorb(
    _ events: [Event], of stream: TrimmedStream, _ trims: TrimStatements
  ) throws(DatabaseError) {
    var world = World(bytesMax: .max)
    for event in events {
      var state = try state(of: stream, for: event.ops, &world, trims)
      world.stage(state.apply(event), in: stream.id)
    }
    for change in world.stagedObjects {
      try write(ObjectRecord(change.stream, change.key, change.effect), of: stream, trims)
    }
    try forgetSources(
      of: events.flatMap(\.ops).postsThatLeft, through: stream.horizon, stream, trims)
    let before = stream.horizon - Int64(events.count)
    try trims.countForgotten.bind(3, stream.number)
    for statement in [trims.countForgotten, trims.forget] {
      try statement.bind(1, stream.start + before)
      try statement.bind(2, stream.start + stream.horizon)
      try statement.run()
    }
    try trims.setHorizon.bind(1, stream.number)
    try trims.setHorizon.bind(2, stream.horizon)
    try trims.setHorizon.run()
  }

  private func state(
    of stream: TrimmedStream, for ops: [Op], _ world: inout World, _ trims: TrimStatements
  ) throws(DatabaseError) -> StreamState {
    while true {
      let needs: [Need]
      do throws(Halt) {
        return try world.state(of: stream.id, for: ops)
      } catch {
        guard case .needs(let asked) = error else { preconditionFailure("a state is not refused") }
        needs = asked
      }
      for need in needs { world.provide(need, try atHorizon(need, stream, trims)) }
    }
  }

  /// Answers what a state may ask for.
  private func atHorizon(
    _ need: Need, _ stream: TrimmedStream, _ trims: TrimStatements
  ) throws(DatabaseError) -> Loaded {
    switch need {
    case .head: return .head(nil)
    case .object(_, let key):
      try trims.object.bind(1, stream.number)
      try trims.object.bind(2, key.kind.row.number)
      try trims.object.bind(3, key.id)
      let body = try trims.object.first { (row) throws(DatabaseError) in row.bytes(0) }
      guard let body else { return .object(nil) }
      return .object(
        try undamaged("at the horizon") { () throws(WireError) in try ObjectCodec.decode(body) })
    case .ranks(_, let kind):
      try trims.ranks.bind(1, stream.number)
      try trims.ranks.bind(2, kind.row.number)
      return .ranks(
        try trims.ranks.rows { (row) throws(DatabaseError) in
          Rank(
            seq: row.int64(0), number: Int(row.int64(1)),
            key: ObjectKey(kind: kind, id: try row.uuid(2)))
        })
    case .objects, .username, .account, .sessions, .bots, .webhooks, .codeSpent, .past,
      .commandEvents, .trails, .queue, .imported:
      preconditionFailure("a state needs objects and ranks only")
    }
  }

  private func write(
    _ record: ObjectRecord, of stream: TrimmedStream, _ trims: TrimStatements
  ) throws(DatabaseError) {
    let statement: Statement
    switch record.change {
    case .put(let row):
      statement = trims.put
      try statement.bind(4, row.number)
      try statement.bind(5, row.rank)
      try statement.bind(6, row.inState ? 1 : Int64(0))
      try statement.bind(7, copying: row.body)
    case .leftState: statement = trims.leave
    case .deleted: statement = trims.delete
    }
    try statement.bind(1, stream.number)
    try statement.bind(2, record.key.kind.row.number)
    try statement.bind(3, record.key.id)
    try statement.run()
  }

  /// Forgets those of the next keys that are older than the horizon. Returns the place at which to go on.
  private func forgetKeys(
    of stream: TrimmedStream, from mark: Int64, before time: Timestamp, _ trims: TrimStatements
  ) throws(DatabaseError) -> TrimPlace {
    try trims.keys.bind(1, stream.number)
    try trims.keys.bind(2, mark)
    try trims.keys.bind(3, TrimLimits.keysPerStep)
    let found = try trims.keys.rows { (row) throws(DatabaseError) in
      (mark: row.int64(0), seq: row.int64(1), actor: UserID(try row.uuid(2)), key: row.text(3))
    }
    for row in found
    where row.seq < stream.horizon
      && !Deadlines.keeps(row.key, of: row.actor, trimmingBefore: time)
    {
      try trims.forgetKey.bind(1, stream.number)
      try trims.forgetKey.bind(2, row.mark)
      try trims.forgetKey.run()
    }
    guard let last = found.last, last.mark < .max else { return .streams(after: stream.number) }
    return .keys(stream, from: last.mark + 1)
  }
}
