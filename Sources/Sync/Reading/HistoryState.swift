// history.state and history.diff (protocol §8): a list as it was, computed from the present back (`PastState`). The
// work is bounded by the events since then. Every page of an answer is computed again, so nothing old is kept that an
// erasure would have to find.
//
// Only the objects of those events are read and decoded. The outline of the present state says how long everything else
// is, which is enough to cut pages. Then the bodies of the one page that was asked for are read, and go out undecoded.

import Domain
import Wire

extension EventStore {
  /// Returns a page of a past state. Call it within a read.
  func pastState(
    _ query: HistoryStateQuery, for user: UserID
  ) throws(StoreError) -> Result<PastStatePage, Refusal> {
    var past: PastWalk
    switch try begin(query.category, for: user) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let begun): past = begun
    }
    if let refusal = try past.goBack(to: query.moment, in: self) { return .failure(refusal) }
    let objects = try pastOutline(of: past)
    let pages = paged(objects) { $0.bytes }
    guard query.page <= pages.count else { return .failure(.notFound("page")) }
    var bodies: [[UInt8]] = []
    for object in objects[pages[query.page - 1]] {
      if let body = object.body {
        bodies.append(body)
      } else {
        bodies.append(try presentBody(object.key, in: past.stream))
      }
    }
    return .success(
      PastStatePage(
        seq: past.seq, at: try past.time(in: self), page: query.page, pages: pages.count,
        bodies: bodies))
  }

  /// Returns a page of the difference of two states. Call it within a read.
  func difference(
    _ query: HistoryDifferenceQuery, for user: UserID
  ) throws(StoreError) -> Result<DifferencePage, Refusal> {
    var past: PastWalk
    switch try begin(query.category, for: user) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let begun): past = begun
    }
    guard past.covers(query.from), past.covers(query.to) else {
      return .failure(.notFound("event"))
    }
    try past.goBack(to: query.to, in: self)
    let after = past.state.changed
    try past.goBack(to: query.from, in: self)
    guard past.seq == query.from else {
      return .failure(.tooLarge(field: "from", max: past.reach))
    }
    let changes = changes(
      from: past.state.changed, to: try stateAfter(past, whereChanged: after))
    let pages = paged(changes) { ($0.before?.count ?? 0) + ($0.after?.count ?? 0) }
    guard query.page <= pages.count else { return .failure(.notFound("page")) }
    return .success(
      DifferencePage(
        page: query.page, pages: pages.count, changes: Array(changes[pages[query.page - 1]])))
  }

  private func begin(
    _ category: CategoryID, for user: UserID
  ) throws(StoreError) -> Result<PastWalk, Refusal> {
    let stream = StreamID.category(category)
    guard let access = try access(of: user, to: stream),
      let body = try object(ObjectKey(kind: .category, id: category.uuid), in: stream),
      case .category(let present) = try decodedObject(body)
    else { return .failure(.notFound(stream.noun)) }
    return .success(
      PastWalk(
        stream: stream, head: access.head, first: try firstRead(access),
        state: PastState(of: present)))
  }

  /// Returns the objects of the past state, in their order.
  private func pastOutline(of past: PastWalk) throws(StoreError) -> [PastObject] {
    let changed = past.state.changed
    let present = try outline(of: past.stream)?.objects ?? []
    let same = present.filter { changed[$0.key] == nil && !$0.key.kind.isTalk }.map(PastObject.init)
    let others = changed.values.compactMap { $0.map(PastObject.init) }
    return (same + others).sorted { $0.order < $1.order }
  }

  /// Returns the objects with these keys as they were after some event: `changed` has those that later events were
  /// about.
  private func stateAfter(
    _ past: PastWalk, whereChanged changed: [ObjectKey: Object?]
  ) throws(StoreError) -> [ObjectKey: Object?] {
    let present = Set(try outline(of: past.stream)?.objects.map(\.key) ?? [])
    var state: [ObjectKey: Object?] = [:]
    for key in past.state.changed.keys {
      if let object = changed[key] {
        state.updateValue(object, forKey: key)
      } else if present.contains(key) {
        state[key] = try decodedObject(try presentBody(key, in: past.stream))
      } else {
        state.updateValue(nil, forKey: key)
      }
    }
    return state
  }

  /// Reads an object of the outline; the outline was read in the same moment.
  private func presentBody(
    _ key: ObjectKey, in stream: StreamID
  ) throws(StoreError) -> [UInt8] {
    guard let body = try object(key, in: stream) else {
      throw .unreadable(StoreFault(.damaged, "\(key) of \(stream) is in its outline only"))
    }
    return body
  }

  /// Returns the changes in the order of the later objects, then the objects that are gone.
  private func changes(
    from old: [ObjectKey: Object?], to new: [ObjectKey: Object?]
  ) -> [DifferencePage.Change] {
    let after = new.values.compactMap(\.self).filter { (old[$0.key] ?? nil) != $0 }
    let gone = old.values.compactMap(\.self).filter { (new[$0.key] ?? nil) == nil }
    return after.sorted { PastOrder($0) < PastOrder($1) }.flatMap { object in
      DifferencePage.Change(
        before: (old[object.key] ?? nil).map { ObjectCodec.encode($0) },
        after: ObjectCodec.encode(object)
      ).inMessages
    }
      + gone.sorted { PastOrder($0) < PastOrder($1) }.map {
        DifferencePage.Change(before: ObjectCodec.encode($0), after: nil)
      }
  }

  /// Returns ranges of about a page each, at least one.
  private func paged<Element>(
    _ elements: [Element], _ size: (Element) -> Int
  ) -> [Range<Int>] {
    var (pages, start, bytes): ([Range<Int>], Int, Int) = ([], 0, 0)
    for index in elements.indices {
      let added = size(elements[index])
      if index > start, bytes + added > Limits.pageBytesMax {
        pages.append(start..<index)
        (start, bytes) = (index, 0)
      }
      bytes += added
    }
    return pages + [start..<elements.count]
  }
}

/// One object of a past state.
private struct PastObject {
  let key: ObjectKey
  let order: PastOrder
  let bytes: Int
  /// The encoded object; nil when it is as it is now.
  let body: [UInt8]?

  init(_ present: StoredOutline.Entry) {
    key = present.key
    order = PastOrder(key, number: present.number)
    bytes = present.bytes
    body = nil
  }

  init(_ object: Object) {
    let body = ObjectCodec.encode(object)
    key = object.key
    order = PastOrder(object)
    bytes = body.count
    self.body = body
  }
}

extension DifferencePage.Change {
  /// The change in parts that fit into messages: an object that is too long for both sides in one message went, then
  /// came.
  fileprivate var inMessages: [DifferencePage.Change] {
    guard let before, let after, before.count + after.count > Limits.eventBytesMax else {
      return [self]
    }
    return [
      DifferencePage.Change(before: before, after: nil),
      DifferencePage.Change(before: nil, after: after),
    ]
  }
}

/// A list on its way back.
private struct PastWalk {
  let stream: StreamID
  private let head: StreamHead
  /// The first event that is kept and that the member may see.
  private let first: Int64
  private(set) var state: PastState
  /// The event after which the list has this state.
  private(set) var seq: Int64
  private var bytesLeft = ReadingLimits.historyBytes

  init(stream: StreamID, head: StreamHead, first: Int64, state: PastState) {
    self.stream = stream
    self.head = head
    self.first = max(1, first)
    self.state = state
    seq = head.seq
  }

  /// The greatest number of events that it goes back.
  var reach: Int { Int(ReadingLimits.historyEvents) }

  var isSpent: Bool { bytesLeft <= 0 || head.seq - seq >= ReadingLimits.historyEvents }

  /// Answers whether a member may see the list as it was after this event.
  func covers(_ seq: Int64) -> Bool { seq >= first && seq <= head.seq }

  /// Goes back to a moment; returns the reason when it cannot.
  mutating func goBack(
    to moment: HistoryStateQuery.Moment, in store: some EventStore
  ) throws(StoreError) -> Refusal? {
    switch moment {
    case .seq(let wanted):
      guard covers(wanted) else { return .notFound("event") }
      try goBack(to: wanted, in: store)
      return seq == wanted ? nil : .tooLarge(field: "seq", max: reach)
    case .time(let time):
      guard try !goBack(toTime: time, in: store) else { return nil }
      return isSpent ? .tooLarge(field: "at", max: reach) : .notFound("event")
    }
  }

  /// Goes back as far as the budget allows.
  mutating func goBack(to target: Int64, in store: some EventStore) throws(StoreError) {
    while seq > target, !isSpent {
      for past in try window(in: store, after: target) {
        try takeBack(past, in: store)
      }
    }
  }

  /// Goes back to the last event that is not later than `time`. Answers false when the budget, or what the member may
  /// see, ended before.
  mutating func goBack(
    toTime time: Timestamp, in store: some EventStore
  ) throws(StoreError) -> Bool {
    guard head.at > time else { return true }
    while !isSpent {
      for past in try window(in: store, after: first - 1) {
        if past.event.at <= time { return true }
        guard past.event.seq > first else { return false }
        try takeBack(past, in: store)
      }
    }
    return false
  }

  private mutating func takeBack(
    _ past: PastEvent, in store: some EventStore
  ) throws(StoreError) {
    let stream = stream
    var bytes = 0
    try state.takeBack(past) { (id) throws(StoreError) -> Object? in
      let key = ObjectKey(kind: .post, id: id.uuid)
      guard let body = try store.object(key, in: stream) else { return nil }
      bytes += body.count
      return try store.decodedObject(body)
    }
    bytesLeft -= bytes
    seq = past.event.seq - 1
  }

  func time(in store: some EventStore) throws(StoreError) -> Timestamp {
    guard seq < head.seq else { return head.at }
    return try store.past(at: StreamPosition(stream: stream, seq: seq))?.event.at ?? head.at
  }

  /// Returns the newest events that are not taken back yet, the newest first.
  private mutating func window(
    in store: some EventStore, after target: Int64
  ) throws(StoreError) -> [PastEvent] {
    let end = head.seq - ReadingLimits.historyEvents
    var cursor = max(target, end, seq - ReadingLimits.historyWindow)
    var window: [PastEvent] = []
    while cursor < seq {
      let page = try store.past(
        in: stream, after: cursor, through: seq, bytesMax: Limits.pageBytesMax)
      guard let last = page.last else {
        // The log does not have these events any more, which ends the way back.
        bytesLeft = 0
        return []
      }
      for stored in page {
        bytesLeft -= stored.body.count + stored.was.count
        window.append(try stored.decoded())
      }
      cursor = last.seq
      // One event may weigh more than all others; then no more of the window is read.
      guard bytesLeft > 0 || cursor == seq else { return [] }
    }
    return window.reversed()
  }
}
