// The hub of one loop knows which connections watch which stream, and how far each watch has come (DESIGN §6).
//
// A connection owns cursors, not a queue. A stream with watchers has a ring of its newest chunks. A watch is *current*
// (it gets each chunk as it is published), *behind* (it is served from the ring or from the log when its connection
// takes bytes), *reading* (a reader thread has been asked) or in *pages* (the next page of a snapshot is due). Resume,
// slow reader and lost wake-up are all the same operation: go on from the cursor.
//
// These rules hold:
//  - a watch is sent exactly the events cursor+1, cursor+2, … or a whole snapshot (P5);
//  - a connection has at most one read outstanding, so a storm is shared fairly; its streams take turns, but a snapshot
//    that has begun is finished first;
//  - a stalled connection is sent nothing and costs its cursors only (P11);
//  - after the event that ends a membership the watch says `gone` and ends (P9). The ring never holds a chunk that goes
//    over such an event;
//  - once a text is known to be erased, nothing that was read or published before is sent (§5.6);
//  - nothing falls between reading and attaching: from `beginReading` to `endReading` the hub keeps the newest number
//    and the ended and begun memberships of every stream, watched or not.

package import Domain

/// The watches of one loop. `publish`, `serve` and `answered` return what to do, in order.
package struct Hub<Frame: Sendable>: Sendable {
  private(set) var clients: [HubConnection: HubClient] = [:]
  /// The connections of each user, in the order in which they came.
  private(set) var people: [UserID: [HubConnection]] = [:]
  private(set) var channels: [StreamID: HubChannel<Frame>] = [:]
  private var recent = RecentNews()
  private var watchesMade = 0

  package init() {}

  /// The number of streams with at least one watch, for the log and for tests.
  package var watchedStreams: Int { channels.count }

  // MARK: Reading marks

  /// Begins a reading. Call it before a reader is asked for what will be attached.
  package mutating func beginReading() -> Int { recent.begin() }

  /// Ends a reading. Call it when everything that was read under the mark is attached, or will never be.
  package mutating func endReading(_ mark: Int) { recent.end(mark) }

  // MARK: Connections

  /// Adds a connection that said hello. With `followsAll` it also watches streams that its user enters later, and those
  /// that its user has entered since a reader looked; the latter are returned. With a token only those that it shows
  /// count. With `wantsObjects` it gets the changed objects behind
  /// the events.
  @discardableResult
  package mutating func add(
    _ connection: HubConnection, user: UserID, followsAll: Bool, token: Token? = nil,
    wantsObjects: Bool = false
  ) -> [StreamID] {
    precondition(clients[connection] == nil, "a connection says hello once")
    let client = HubClient(
      user: user, followsAll: followsAll, token: token, wantsObjects: wantsObjects)
    clients[connection] = client
    people[user, default: []].append(connection)
    clients[connection]?.hasLost = recent.hasEnded(user)
    guard followsAll else { return [] }
    // No connection was there to follow them when they were published.
    let entered = recent.begun(of: user).filter { client.follows($0.stream) }
    for it in entered { enter(connection, it.stream, it.epoch, joinedSeq: it.seq) }
    return entered.map(\.stream)
  }

  /// Forgets the connection and all its watches.
  package mutating func remove(_ connection: HubConnection) {
    guard let client = clients.removeValue(forKey: connection) else { return }
    people[client.user]?.removeAll { $0 == connection }
    if people[client.user]?.isEmpty == true { people[client.user] = nil }
    for stream in client.streams {
      if let index = client.index(of: stream) { removeWatch(stream, at: index) }
    }
  }

  /// Watches a stream; a stream that is watched already begins again. Serve the connection afterwards.
  package mutating func attach(_ connection: HubConnection, _ attachment: Attachment) {
    guard let client = clients[connection] else { return }
    detach(connection, attachment.stream)
    let stream = attachment.stream
    watchesMade += 1
    var watch = HubWatch(
      connection: connection, id: watchesMade, attachment, wantsObjects: client.wantsObjects,
      isOfLink: client.user.uuid.isLinkGuest)
    if let user = clients[connection]?.user {
      watch.ends = recent.ends(of: user, in: stream).filter { $0 > attachment.joinedSeq }
      if client.follows(stream), !watch.ends.isEmpty {
        watch.backAt = recent.begun(of: user, in: stream)
      }
    }
    let head = max(attachment.head, recent.head(of: stream))
    append(watch, to: stream, epoch: attachment.epoch, head: head)
  }

  /// Stops watching; answers whether the stream was watched.
  @discardableResult
  package mutating func detach(_ connection: HubConnection, _ stream: StreamID) -> Bool {
    guard let index = clients[connection]?.remove(stream) else { return false }
    removeWatch(stream, at: index)
    return true
  }

  /// Returns the number of streams that the connection watches.
  package func watches(of connection: HubConnection) -> Int {
    clients[connection]?.streams.count ?? 0
  }

  /// Notes that the connection takes no bytes; it is sent nothing until `resume`.
  package mutating func stall(_ connection: HubConnection) {
    guard let client = clients[connection], !client.stalled else { return }
    clients[connection]?.stalled = true
    for stream in client.streams {
      if let index = client.index(of: stream) { channels[stream]?.lag(index) }
    }
  }

  /// Notes that the connection takes bytes again. Serve it afterwards.
  package mutating func resume(_ connection: HubConnection) {
    clients[connection]?.stalled = false
  }

  // MARK: News

  /// Takes what the ledger committed. `serve` are the connections that need more than a chunk.
  package mutating func publish(
    _ news: [StreamNews<Frame>]
  ) -> (effects: [HubEffect<Frame>], serve: [HubConnection]) {
    var effects: [HubEffect<Frame>] = []
    var serve: [HubConnection] = []
    for item in news {
      recent.note(item)
      publish(item, &effects, &serve)
      follow(item, &serve)
    }
    return (effects, serve)
  }

  private mutating func publish(
    _ item: StreamNews<Frame>, _ effects: inout [HubEffect<Frame>], _ serve: inout [HubConnection]
  ) {
    for edge in item.ended {
      for connection in people[edge.user] ?? [] { clients[connection]?.hasLost = true }
    }
    guard channels[item.stream] != nil else { return }
    for edge in item.ended { markEnd(edge, in: item.stream) }
    if item.erases { channels[item.stream]?.forgetTexts() }
    var gone: [HubConnection] = []
    for chunk in item.chunks {
      guard let heard = channels[item.stream]?.publish(chunk, epoch: item.epoch) else { continue }
      if !heard.current.isEmpty { effects.append(.send(chunk.frame, to: heard.current)) }
      if !heard.wanting.isEmpty, case .changed(let objects) = chunk.objects {
        effects.append(.sendObjects(item.stream, item.epoch, objects, to: heard.wanting))
      }
      serve += heard.behind
      gone += heard.ended
    }
    for connection in gone { end(connection, item.stream, &effects) }
  }

  private mutating func markEnd(_ edge: MembershipEdge, in stream: StreamID) {
    for connection in people[edge.user] ?? [] {
      guard let index = clients[connection]?.index(of: stream) else { continue }
      channels[stream]?.end(index, at: edge.seq)
    }
  }

  /// Lets connections that follow everything watch what their user has just entered.
  private mutating func follow(_ item: StreamNews<Frame>, _ serve: inout [HubConnection]) {
    for edge in item.begun {
      for connection in people[edge.user] ?? []
      where clients[connection]?.follows(item.stream) == true {
        if let index = clients[connection]?.index(of: item.stream) {
          channels[item.stream]?.comeBack(index, at: edge.seq)
        } else {
          enter(connection, item.stream, item.epoch, joinedSeq: edge.seq)
          serve.append(connection)
        }
      }
    }
  }

  private mutating func enter(
    _ connection: HubConnection, _ stream: StreamID, _ epoch: Epoch, joinedSeq: Int64
  ) {
    guard watches(of: connection) < Limits.subscriptionsMax else { return }
    attach(
      connection,
      Attachment(
        stream: stream, epoch: epoch, head: joinedSeq, joinedSeq: joinedSeq, start: .snapshot))
  }

  // MARK: Serving

  /// Sends what is due from the rings, within `HubLimits.serveBytesMax`, or asks a reader. When `more` is true, call it
  /// again if the connection still takes bytes.
  package mutating func serve(
    _ connection: HubConnection
  ) -> (effects: [HubEffect<Frame>], more: Bool) {
    var effects: [HubEffect<Frame>] = []
    guard let client = clients[connection], !client.stalled else { return (effects, false) }
    var budget = HubLimits.serveBytesMax
    if let begun = client.snapshot { serve(connection, begun, &budget, &effects) }
    var isReading = clients[connection].isReading
    let count = client.streams.count
    for step in 0..<count {
      let place = (client.first + step) % count
      guard budget > 0 else {
        clients[connection]?.first = place
        return (effects, true)
      }
      serve(connection, client.stream(at: place), &budget, &effects)
      guard !isReading, clients[connection].isReading else { continue }
      isReading = true
      clients[connection]?.first = place + 1
    }
    return (effects, budget <= 0)
  }

  private mutating func serve(
    _ connection: HubConnection, _ stream: StreamID, _ budget: inout Int,
    _ effects: inout [HubEffect<Frame>]
  ) {
    guard let client = clients[connection], let index = client.index(of: stream) else { return }
    while budget > 0 {
      guard let next = channels[stream]?.next(index, mayRead: !clients[connection].isReading) else {
        return
      }
      switch next {
      case .chunk(let chunk, let epoch, let objects):
        effects.append(.send(chunk.frame, to: [connection]))
        budget -= chunk.bytes
        guard let objects else { continue }
        effects.append(.sendObjects(stream, epoch, objects, to: [connection]))
        budget -= objects.bytes
      case .live(let epoch, let seq):
        effects.append(.tellLive(connection, stream, epoch, seq: seq))
      case .gone:
        end(connection, stream, &effects)
        return
      case .read(let want, let watch):
        clients[connection]?.reading = watch
        effects.append(
          .read(
            HubRead(
              connection: connection, user: client.user, stream: stream, watch: watch, want: want,
              wantsObjects: client.wantsObjects)))
        return
      }
    }
  }

  /// Takes the answer of a reader. Serve the connection afterwards.
  package mutating func answered(
    _ read: HubRead, _ answer: HubReadAnswer<Frame>
  ) -> [HubEffect<Frame>] {
    var effects: [HubEffect<Frame>] = []
    let connection = read.connection
    guard clients[connection]?.reading == read.watch else { return effects }
    clients[connection]?.reading = nil
    clients[connection]?.snapshot = nil
    guard let index = clients[connection]?.index(of: read.stream),
      channels[read.stream]?.watches[index].id == read.watch
    else { return effects }
    if channels[read.stream]?.rejects(answer, to: read.want, index) == true { return effects }
    switch answer {
    case .tail(let frame, let through):
      channels[read.stream]?.advance(index, through: through)
      if let frame { effects.append(.send(frame, to: [connection])) }
    case .changes(let frames, let through):
      channels[read.stream]?.advance(index, through: through)
      for frame in frames { effects.append(.send(frame, to: [connection])) }
    case .page(let frame, let place):
      channels[read.stream]?.turn(index, place)
      if place.page + 1 < place.pages { clients[connection]?.snapshot = read.stream }
      effects.append(.send(frame, to: [connection]))
    case .lost:
      channels[read.stream]?.beginSnapshot(index)
    case .gone:
      end(connection, read.stream, &effects)
    case .failed:
      channels[read.stream]?.readFailed(index, read.want)
      effects.append(.serveLater(connection))
    }
    return effects
  }

  // MARK: Watches

  private mutating func end(
    _ connection: HubConnection, _ stream: StreamID, _ effects: inout [HubEffect<Frame>]
  ) {
    let epoch = channels[stream]?.epoch
    let back = clients[connection]?.index(of: stream).flatMap {
      channels[stream]?.watches[$0].entersAgainAt
    }
    guard detach(connection, stream), let epoch else { return }
    effects.append(.tellGone(connection, stream))
    if let back {
      enter(connection, stream, epoch, joinedSeq: back)
      effects.append(.serveLater(connection))
    }
  }

  private mutating func append(
    _ watch: HubWatch, to stream: StreamID, epoch: Epoch, head: Int64
  ) {
    channels[stream, default: HubChannel(epoch: epoch, head: head)].hear(of: head)
    guard let index = channels[stream]?.append(watch) else { return }
    clients[watch.connection]?.add(stream, at: index)
  }

  /// Removes a watch; the last watch of the channel takes its place.
  private mutating func removeWatch(_ stream: StreamID, at index: Int) {
    guard let moved = channels[stream]?.remove(index) else {
      if channels[stream]?.watches.isEmpty == true { channels[stream] = nil }
      return
    }
    clients[moved]?.move(stream, to: index)
  }
}
