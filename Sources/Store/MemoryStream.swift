import Domain
import Sync
import Wire

/// One stream of a store in memory. Its first event makes it, so a stored one is never empty.
struct MemoryStream {
  private(set) var events: [EventRecord] = []
  private(set) var objects: [ObjectKey: Row] = [:]
  private var erasedSeq: Int64 = 0

  struct Row {
    let key: ObjectKey
    let body: [UInt8]
    let number: Int?
    let rank: Int64?
    var inState: Bool

    /// The shelf of a post. Nil for other objects.
    var shelf: PostShelf? {
      guard key.kind == .post else { return nil }
      if rank != nil { return .done }
      return inState ? .open : .removed
    }
  }

  /// The head with which the stream ended. Nil unless the whole stream was erased.
  private var dropped: StreamHead?

  mutating func drop(_ erasure: Erasure) {
    let last = head
    dropped = StreamHead(
      epoch: last.epoch, seq: last.seq, at: last.at, transaction: last.transaction,
      erasedSeq: erasure.seq, horizon: last.seq)
    (events, objects, horizon) = ([], [:], last.seq)
  }

  /// The number up to which events are forgotten.
  private(set) var horizon: Int64 = 0

  var nextSeq: Int64 { horizon + Int64(events.count) + 1 }
  var epoch: Epoch? { events.last?.epoch }

  var head: StreamHead {
    if let dropped { return dropped }
    guard let last = events.last else { preconditionFailure("a stored stream without an event") }
    return StreamHead(
      epoch: last.epoch, seq: last.seq, at: last.at, transaction: last.transaction,
      erasedSeq: erasedSeq, horizon: horizon)
  }

  func renewed(epoch: String) -> MemoryStream {
    var renewed = self
    renewed.events = events.map { event in
      let end = event.epoch.text.drop { $0 != "." }
      return EventRecord(
        stream: event.stream, epoch: Epoch(epoch + end), seq: event.seq, at: event.at,
        by: event.by, transaction: event.transaction, body: event.body, was: event.was,
        hasTalk: event.hasTalk)
    }
    renewed.dropped = dropped.map {
      StreamHead(
        epoch: Epoch(epoch + $0.epoch.text.drop { $0 != "." }), seq: $0.seq, at: $0.at,
        transaction: $0.transaction, erasedSeq: $0.erasedSeq, horizon: $0.horizon)
    }
    return renewed
  }

  func event(_ seq: Int64) -> EventRecord? {
    (horizon + 1..<nextSeq).contains(seq) ? events[Int(seq - horizon) - 1] : nil
  }

  func events(after: Int64, through: Int64) -> ArraySlice<EventRecord> {
    let first = Int(max(horizon, min(after, nextSeq)) - horizon)
    let end = Int(max(horizon, min(through, nextSeq - 1)) - horizon)
    return first < end ? events[first..<end] : []
  }

  /// Returns the rows in the order of a snapshot.
  func rows(where matches: (Row) -> Bool) -> [Row] {
    objects.values.filter(matches).sorted { left, right in
      let kinds = (left.key.kind.row.number, right.key.kind.row.number)
      guard kinds.0 == kinds.1 else { return kinds.0 < kinds.1 }
      // No number sorts before every number, as NULL does.
      let numbers = (left.number ?? Int.min, right.number ?? Int.min)
      return numbers.0 != numbers.1 ? numbers.0 < numbers.1 : left.key.id < right.key.id
    }
  }

  func ranks(of kind: ObjectKind) -> [Rank] {
    rows { $0.key.kind == kind && $0.inState }.compactMap { row in
      row.rank.map { Rank(seq: $0, number: row.number ?? 0, key: row.key) }
    }.sorted()
  }

  /// Returns the number of a post, also when only a rest of it is here because it went to another list.
  func postNumber(_ key: ObjectKey) -> Int? {
    guard let row = objects[key] else { return nil }
    do throws(WireError) {
      guard case .post(let post) = try ObjectCodec.decode(row.body) else { return nil }
      return post.number
    } catch {
      preconditionFailure("an object that was stored cannot be read: \(error)")
    }
  }

  mutating func append(_ event: EventRecord) { events.append(event) }

  /// Forgets the events from before this time. The newest one stays. True when an event went.
  mutating func trim(before time: Timestamp) -> Bool {
    guard !events.isEmpty else { return false }
    let count = min(events.prefix { $0.at < time }.count, events.count - 1)
    let gone = events.prefix(count)
    events.removeFirst(count)
    horizon += Int64(count)
    do throws(WireError) {
      var ops: [Op] = []
      for event in gone { ops += try EventCodec.decode(event.body, seq: event.seq).ops }
      try forgetSources(of: ops.postsThatLeft, through: horizon)
    } catch {
      preconditionFailure("what was stored cannot be read: \(error)")
    }
    return count > 0
  }

  /// Erases the texts of posts that went to another list by the newest event, when it is the only one left and older
  /// than this time (Connection+TrimLeft.swift). Returns the events that had something to erase.
  mutating func forgetWhatLeft(before time: Timestamp) -> [Event] {
    guard events.count == 1, let newest = events.last, newest.at < time else { return [] }
    do throws(WireError) {
      let left = try EventCodec.decode(newest.body, seq: newest.seq).ops.postsThatLeft
      try forgetSources(of: left, through: newest.seq)
      return left.flatMap { erase(.post($0), before: nextSeq) }
    } catch {
      preconditionFailure("an event that was stored cannot be read: \(error)")
    }
  }

  /// Forgets where the posts came from, as the other store does (Connection+TrimLeft.swift).
  private mutating func forgetSources(
    of posts: [PostID], through seq: Int64
  ) throws(WireError) {
    for post in posts {
      let key = ObjectKey(kind: .post, id: post.uuid)
      guard let row = objects[key],
        let body = try ObjectCodec.withoutSource(row.body, ofPostThatLeftThrough: seq)
      else { continue }
      objects[key] = Row(
        key: key, body: body, number: row.number, rank: row.rank, inState: row.inState)
    }
  }

  /// Erases from the events before the erasing one. Returns the events that had something to erase.
  mutating func erase(_ erasure: Erasure) -> [Event] {
    erasedSeq = max(erasedSeq, erasure.seq)
    return erase(erasure.subject, before: erasure.seq)
  }

  private mutating func erase(_ subject: ErasedSubject, before seq: Int64) -> [Event] {
    let eraser = TextEraser(subject)
    var rewritten: [Event] = []
    for index in events.indices where events[index].seq < seq {
      let old = events[index]
      do throws(WireError) {
        let event = try EventCodec.decode(old.body, seq: old.seq)
        let new = EventRecord(
          stream: old.stream, epoch: old.epoch, seq: old.seq, at: old.at, by: old.by,
          transaction: old.transaction, body: EventCodec.encode(eraser.event(event)),
          was: try eraser.before(old.was), hasTalk: old.hasTalk)
        guard new != old else { continue }
        events[index] = new
        rewritten.append(event)
      } catch {
        preconditionFailure("an event that was stored cannot be read: \(error)")
      }
    }
    return rewritten
  }

  mutating func apply(_ object: ObjectRecord) {
    switch object.change {
    case .put(let row):
      objects[object.key] = Row(
        key: object.key, body: row.body, number: row.number, rank: row.rank, inState: row.inState)
    case .leftState:
      objects[object.key]?.inState = false
    case .deleted:
      objects[object.key] = nil
    }
  }
}
