// One watched stream of a hub: its ring and its watches.

internal import Domain

/// One connection's place in one stream.
struct HubWatch: Sendable {
  enum State: Equatable, Sendable {
    /// The watch was sent everything that was published.
    case current
    /// The watch has to go on from its cursor.
    case behind
    /// The watch needs this page; a nil seq begins a snapshot of the newest state.
    case pages(next: Int, seq: Int64?)
    /// A reader was asked.
    case reading
  }

  let connection: HubConnection
  /// A number that is unique within the hub, so that a late answer is not taken for a newer watch's.
  let id: Int
  /// The last event that the client has; it has all before it.
  var cursor: Int64
  var state: State
  /// The events that ended the person's membership, after the cursor and in order. Usually there are none; several when
  /// the person leaves and returns while the connection is behind.
  var ends: [Int64] = []
  /// The newest event that let this person in again; only for a connection that follows everything.
  var backAt: Int64?
  /// Whether a catch-up was announced; `live` is said when it is done.
  var owesLive: Bool
  /// Whether the outstanding answer of a reader may contain a text that was erased since.
  var readsErased = false

  init(connection: HubConnection, id: Int, _ attachment: Attachment) {
    self.connection = connection
    self.id = id
    switch attachment.start {
    case .after(let seq):
      cursor = seq
      state = .behind
      owesLive = seq < attachment.head
    case .snapshot:
      cursor = 0
      state = .pages(next: 0, seq: nil)
      owesLive = true
    }
  }

  /// Whether the watch has come to the first end; nothing after it is sent.
  var hasEnded: Bool {
    guard let first = ends.first else { return false }
    return cursor >= first
  }

  /// The event that let the person in again after all that ended the membership; nil when there is none.
  var entersAgainAt: Int64? {
    guard let backAt, let last = ends.last, backAt > last else { return nil }
    return backAt
  }
}

/// A stream with at least one watch.
struct HubChannel<Frame: Sendable>: Sendable {
  private(set) var epoch: Epoch
  /// The newest event that this loop has heard of.
  private(set) var head: Int64
  private var ring = Ring<Frame>()
  private(set) var watches: [HubWatch] = []

  init(epoch: Epoch, head: Int64) {
    self.epoch = epoch
    self.head = head
  }

  /// The next step for a watch.
  enum Next {
    case chunk(Chunk<Frame>)
    case live(Epoch, Int64)
    case gone
    case read(HubRead.Want, watch: Int)
  }

  // MARK: Watches

  mutating func append(_ watch: HubWatch) -> Int {
    watches.append(watch)
    return watches.count - 1
  }

  /// Removes a watch; the last one takes its place. Returns the connection of the moved watch, or nil when none moved.
  mutating func remove(_ index: Int) -> HubConnection? {
    watches.swapAt(index, watches.count - 1)
    watches.removeLast()
    return index < watches.count ? watches[index].connection : nil
  }

  /// Notes that the person is no member after `seq`.
  mutating func end(_ index: Int, at seq: Int64) {
    // The reader that gave this connection more than that has checked the access, so the person is in again.
    if seq <= watches[index].cursor { return }
    if let known = watches[index].ends.last, known >= seq { return }
    watches[index].ends.append(seq)
  }

  /// Notes that the person is a member again from `seq` on.
  mutating func comeBack(_ index: Int, at seq: Int64) {
    if !watches[index].ends.isEmpty { watches[index].backAt = seq }
  }

  /// Takes the head that a reader found, which may be newer than the known one.
  mutating func hear(of head: Int64) { self.head = max(self.head, head) }

  mutating func lag(_ index: Int) {
    if watches[index].state == .current { watches[index].state = .behind }
  }

  // MARK: News

  /// Drops the ring after a text was erased: everything older than the next chunk is read from the log from now on.
  /// Watches that wait for a reader read once more, because the answer may have been read before.
  mutating func forgetTexts() {
    ring = Ring()
    for index in watches.indices where watches[index].state == .reading {
      watches[index].readsErased = true
    }
  }

  /// Keeps the chunk. Returns the connections that get it now, those that have to be served, and those whose membership
  /// ends with it.
  mutating func publish(
    _ chunk: Chunk<Frame>, epoch: Epoch
  ) -> (current: [HubConnection], behind: [HubConnection], ended: [HubConnection]) {
    self.epoch = epoch
    ring.append(chunk)
    head = max(head, chunk.through)
    var current: [HubConnection] = []
    var behind: [HubConnection] = []
    var ended: [HubConnection] = []
    for index in watches.indices where watches[index].state == .current {
      if chunk.through <= watches[index].cursor { continue }
      if watches[index].hasEnded { continue }
      guard chunk.from == watches[index].cursor + 1 else {
        watches[index].state = .behind
        behind.append(watches[index].connection)
        continue
      }
      watches[index].cursor = chunk.through
      current.append(watches[index].connection)
      if watches[index].hasEnded { ended.append(watches[index].connection) }
    }
    return (current, behind, ended)
  }

  // MARK: Serving

  /// Takes the next step and notes it as done; nil when there is none, or when it would need a read and `mayRead` is
  /// false.
  mutating func next(_ index: Int, mayRead: Bool) -> Next? {
    switch watches[index].state {
    case .current, .reading: return nil
    case .pages(let page, let seq):
      guard mayRead else { return nil }
      watches[index].state = .reading
      return .read(.page(page, seq: seq), watch: watches[index].id)
    case .behind: return catchUp(index, mayRead: mayRead)
    }
  }

  private mutating func catchUp(_ index: Int, mayRead: Bool) -> Next? {
    let cursor = watches[index].cursor
    if watches[index].hasEnded { return .gone }
    if cursor >= head {
      watches[index].state = .current
      guard watches[index].owesLive else { return nil }
      watches[index].owesLive = false
      return .live(epoch, cursor)
    }
    if let chunk = ring.chunk(after: cursor) {
      watches[index].cursor = chunk.through
      return .chunk(chunk)
    }
    guard mayRead else { return nil }
    watches[index].state = .reading
    return .read(.tail(after: cursor), watch: watches[index].id)
  }

  // MARK: Answers

  /// Answers whether the answer may contain an erased text; then the watch reads again.
  mutating func rejects(_ answer: HubReadAnswer<Frame>, to want: HubRead.Want, _ index: Int) -> Bool
  {
    defer { watches[index].readsErased = false }
    switch answer {
    case .tail(nil, _), .lost, .gone, .failed: return false
    case .tail, .page:
      guard watches[index].readsErased else { return false }
      readFailed(index, want)
      return true
    }
  }

  /// Notes that the events up to `through` were sent.
  mutating func advance(_ index: Int, through: Int64) {
    if through <= watches[index].cursor, watches[index].cursor < head {
      // The log has fewer events than were published: it was cut back.
      beginSnapshot(index)
      return
    }
    watches[index].state = .behind
    watches[index].cursor = max(watches[index].cursor, through)
  }

  /// Notes that the page was sent. The next page is due, or the events after the snapshot.
  mutating func turn(_ index: Int, _ place: SnapshotPlace) {
    watches[index].owesLive = true
    if place.page + 1 < place.pages {
      watches[index].state = .pages(next: place.page + 1, seq: place.seq)
      return
    }
    epoch = place.epoch
    watches[index].state = .behind
    watches[index].cursor = place.seq
    // Somebody who may read the state at `seq` was in again after an end before it.
    watches[index].ends.removeAll { $0 <= place.seq }
    if watches[index].ends.isEmpty { watches[index].backAt = nil }
  }

  mutating func beginSnapshot(_ index: Int) {
    watches[index].owesLive = true
    watches[index].state = .pages(next: 0, seq: nil)
  }

  mutating func readFailed(_ index: Int, _ want: HubRead.Want) {
    switch want {
    case .tail: watches[index].state = .behind
    case .page(let page, let seq): watches[index].state = .pages(next: page, seq: seq)
    }
  }
}
