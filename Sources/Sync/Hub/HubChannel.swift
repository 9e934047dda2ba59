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
  /// The last event whose objects the client has too, if it wants them. Between the pushes of one commit, `cursor` is
  /// ahead of it.
  var wholeCursor: Int64
  let wantsObjects: Bool
  /// Whether it is that of a guest by a link, who gets no talk.
  let isOfLink: Bool
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

  init(
    connection: HubConnection, id: Int, _ attachment: Attachment, wantsObjects: Bool,
    isOfLink: Bool
  ) {
    self.connection = connection
    self.id = id
    self.wantsObjects = wantsObjects
    self.isOfLink = isOfLink
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
    wholeCursor = cursor
  }

  /// Takes the chunk right after the cursor. Returns the objects to send with it; nil when there are none to send.
  mutating func take<Frame>(_ chunk: Chunk<Frame>) -> ChangedObjects? {
    cursor = chunk.through
    // A client that is put out with this chunk drops its copy.
    guard wantsObjects, !hasEnded, case .changed(let objects) = chunk.objects else { return nil }
    wholeCursor = cursor
    return objects
  }

  /// Whether the chunk may be sent from here. One without its objects is of no use to a client that wants them, unless
  /// the client is out with it. One with talk is none for a guest by a link.
  func takes<Frame>(_ chunk: Chunk<Frame>) -> Bool {
    if isOfLink, chunk.hasTalk { return false }
    guard wantsObjects, case .unknown = chunk.objects else { return true }
    return ends.first.map { chunk.through >= $0 } ?? false
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
  /// How many watches want the changed objects. The ring keeps objects only for these.
  private var wanting = 0

  init(epoch: Epoch, head: Int64) {
    self.epoch = epoch
    self.head = head
  }

  /// The next step for a watch.
  enum Next {
    case chunk(Chunk<Frame>, Epoch, ChangedObjects?)
    case live(Epoch, Int64)
    case gone
    case read(HubRead.Want, watch: Int)
  }

  // MARK: Watches

  mutating func append(_ watch: HubWatch) -> Int {
    watches.append(watch)
    if watch.wantsObjects { wanting += 1 }
    return watches.count - 1
  }

  /// Removes a watch; the last one takes its place. Returns the connection of the moved watch, or nil when none moved.
  mutating func remove(_ index: Int) -> HubConnection? {
    watches.swapAt(index, watches.count - 1)
    if watches.removeLast().wantsObjects { wanting -= 1 }
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

  /// Keeps the chunk. Returns the connections that get it now, those of them that get its objects too, those that have
  /// to be served, and those whose membership ends with it.
  mutating func publish(
    _ chunk: Chunk<Frame>, epoch: Epoch
  ) -> (
    current: [HubConnection], wanting: [HubConnection], behind: [HubConnection],
    ended: [HubConnection]
  ) {
    self.epoch = epoch
    ring.append(wanting > 0 ? chunk : chunk.withoutObjects)
    head = max(head, chunk.through)
    var current: [HubConnection] = []
    var wanting: [HubConnection] = []
    var behind: [HubConnection] = []
    var ended: [HubConnection] = []
    for index in watches.indices where watches[index].state == .current {
      if chunk.through <= watches[index].cursor { continue }
      if watches[index].hasEnded { continue }
      guard chunk.from == watches[index].cursor + 1, watches[index].takes(chunk) else {
        watches[index].state = .behind
        behind.append(watches[index].connection)
        continue
      }
      let objects = watches[index].take(chunk)
      current.append(watches[index].connection)
      if objects != nil { wanting.append(watches[index].connection) }
      if watches[index].hasEnded { ended.append(watches[index].connection) }
    }
    return (current, wanting, behind, ended)
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
    if let chunk = ring.chunk(after: cursor), watches[index].takes(chunk) {
      let objects = watches[index].take(chunk)
      return .chunk(chunk, epoch, objects)
    }
    guard mayRead else { return nil }
    watches[index].state = .reading
    // Events that were sent without their objects are read again with them.
    if watches[index].wantsObjects { watches[index].cursor = watches[index].wholeCursor }
    return .read(.tail(after: watches[index].cursor), watch: watches[index].id)
  }

  // MARK: Answers

  /// Answers whether the answer may contain an erased text; then the watch reads again.
  mutating func rejects(_ answer: HubReadAnswer<Frame>, to want: HubRead.Want, _ index: Int) -> Bool
  {
    defer { watches[index].readsErased = false }
    switch answer {
    case .tail(nil, _), .lost, .gone, .failed: return false
    case .tail, .changes, .page:
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
    watches[index].wholeCursor = watches[index].cursor
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
    watches[index].wholeCursor = place.seq
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
