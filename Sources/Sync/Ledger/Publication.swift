// The news of a commit for the loops: for each stream its events, framed once for everybody, and the people who came
// and went.
//
// Events of one stream that are committed together leave as one push. A push ends with an event that ends a membership,
// because its person gets that event and nothing after it (P9). It ends, too, when a page is full or when the next
// event would make it longer than a message.

package import Domain
import Wire

/// The collected events and accesses of a batch, in order.
package struct Publication: Sendable {
  private struct Part: Sendable {
    let epoch: Epoch
    var events: [(seq: Int64, body: [UInt8])] = []
    var ended: [MembershipEdge] = []
    var begun: [MembershipEdge] = []
    var closed: [PostID] = []
    var erases = false
    var hasTalk = false
    /// The objects of the state that the events changed, and those that they took out of it.
    var bodies: [[UInt8]] = []
    var gone: [GoneObject] = []
    /// Whether an object is gone whose key does not say its name.
    var hasUnnamed = false
    var transaction: TransactionID?

    mutating func take(_ event: EventRecord) {
      events.append((seq: event.seq, body: event.body))
      transaction = event.transaction
      if event.hasTalk { hasTalk = true }
    }

    mutating func take(_ object: ObjectRecord) {
      if object.key.kind == .post, !object.isOpenPost { closed.append(PostID(object.key.id)) }
      if case .put(let row) = object.change, row.inState {
        bodies.append(row.body)
      } else if let name = GoneObject(object.key) {
        gone.append(name)
      } else {
        hasUnnamed = true
      }
    }

    /// The changed objects, for the last push of the events.
    var objects: ChunkObjects {
      guard !hasUnnamed, let seq = events.last?.seq, let transaction else { return .unknown }
      return .changed(
        ChangedObjects(bodies: bodies, gone: gone, seq: seq, transaction: transaction))
    }
  }

  private var order: [StreamID] = []
  private var parts: [StreamID: Part] = [:]
  package private(set) var closedSessions: [SessionID] = []

  package init() {}

  /// The streams with new events, in the order in which they were first touched.
  package var streams: [StreamID] { order }

  package var isEmpty: Bool { order.isEmpty && closedSessions.isEmpty }

  /// Adds the changes that one piece of work staged: one event per stream, and the access that changed with it.
  package mutating func add(
    events: ArraySlice<EventRecord>, access: ArraySlice<AccessChange>,
    accounts: ArraySlice<AccountChange>, erasures: ArraySlice<Erasure> = []
  ) {
    for event in events {
      if parts[event.stream] == nil { order.append(event.stream) }
      parts[event.stream, default: Part(epoch: event.epoch)].take(event)
    }
    for change in access { add(change) }
    for erasure in erasures { add(erasure) }
    for change in accounts {
      if case .sessionsClosed(let ids, of: _) = change { closedSessions += ids }
    }
  }

  /// Adds the objects as all works together left them, those of a stream one after the other.
  package mutating func add(objects: [ObjectRecord]) {
    var rest = objects[...]
    while let stream = rest.first?.stream {
      let own = rest.prefix { $0.stream == stream }
      rest = rest[own.endIndex...]
      guard var part = parts.removeValue(forKey: stream) else { continue }
      for object in own { part.take(object) }
      parts[stream] = part
    }
  }

  /// Notes that nobody is at work any more on these posts, because their runs ended.
  package mutating func close(_ posts: [PostAddress]) {
    for it in posts.sorted(by: { $0.post < $1.post }) { parts[it.stream]?.closed.append(it.post) }
  }

  /// Takes erased texts out of the events of the same commit, so that nobody ever hears of them.
  private mutating func add(_ erasure: Erasure) {
    let eraser = TextEraser(erasure.subject)
    parts[erasure.stream]?.erases = true
    for index in parts[erasure.stream]?.events.indices ?? 0..<0 {
      guard let event = parts[erasure.stream]?.events[index], event.seq < erasure.seq else { break }
      do throws(WireError) {
        parts[erasure.stream]?.events[index].body = try eraser.body(event.body)
      } catch {
        preconditionFailure("an event that was just encoded cannot be read: \(error)")
      }
    }
  }

  /// Adds a change of access. The event of this work is the newest of its stream.
  private mutating func add(_ change: AccessChange) {
    switch change {
    case .granted(let stream, let user, _, let joinedSeq):
      guard parts[stream]?.events.last?.seq == joinedSeq else { return }
      parts[stream]?.begun.append(MembershipEdge(user: user, seq: joinedSeq))
    case .revoked(let stream, let user):
      guard let seq = parts[stream]?.events.last?.seq else { return }
      parts[stream]?.ended.append(MembershipEdge(user: user, seq: seq))
    }
  }

  /// Returns the news of the streams, in the order in which they were first touched.
  package func news<Frame>(_ frame: ([UInt8]) -> Frame) -> [StreamNews<Frame>] {
    order.compactMap { stream in
      guard let part = parts[stream] else { return nil }
      return StreamNews(
        stream: stream, epoch: part.epoch, chunks: chunks(of: part, stream, frame),
        ended: part.ended, begun: part.begun, closed: part.closed, erases: part.erases)
    }
  }

  private func chunks<Frame>(
    of part: Part, _ stream: StreamID, _ frame: ([UInt8]) -> Frame
  ) -> [Chunk<Frame>] {
    let ends = Set(part.ended.map(\.seq))
    var chunks: [Chunk<Frame>] = []
    var bodies: [[UInt8]] = []
    var bytes = 0
    for (index, event) in part.events.enumerated() {
      bodies.append(event.body)
      let next = part.events[min(index + 1, part.events.count - 1)].body.count
      let together = bytes + bodies.count + event.body.count + next
      // Nobody takes a push that is longer than a message.
      if together > Limits.eventBytesMax { bytes = Limits.pageBytesMax }
      bytes += event.body.count
      let isLast = index + 1 == part.events.count
      guard isLast || ends.contains(event.seq) || bytes >= Limits.pageBytesMax else { continue }
      let from = event.seq - Int64(bodies.count) + 1
      let push = Push.events(stream, epoch: part.epoch, from: from, bodies: bodies)
      chunks.append(
        Chunk(
          from: from, through: event.seq, frame: frame(push), bytes: push.count,
          objects: isLast ? part.objects : .later, hasTalk: part.hasTalk))
      bodies.removeAll()
      bytes = 0
    }
    return chunks
  }
}

extension ObjectRecord {
  /// Whether this is an open post. Completed posts have a rank, and removed ones are outside the state.
  fileprivate var isOpenPost: Bool {
    switch change {
    case .put(let row): row.inState && row.rank == nil
    case .leftState, .deleted: false
    }
  }
}
