import Domain
import TestRandom
import Testing

@testable import Sync

// Random interleavings of the things that happen around a hub: commits whose news arrive later, readers that read at
// one moment and answer at another, connections that stall, people who leave and come back, streams that are opened and
// closed. A model of each client checks everything that it is sent.

private let epoch = Epoch("e")

/// The truth: logs and memberships, as the store has them.
private struct Truth {
  struct Stay {
    var joined: Int64
  }

  var heads: [StreamID: Int64] = [:]
  var members: [StreamID: [UserID: Stay]] = [:]
  /// The ranges of events in which each person was outside of a stream.
  var outside: [StreamID: [UserID: [(after: Int64, until: Int64?)]]] = [:]

  func mayRead(_ user: UserID, _ stream: StreamID, _ seq: Int64) -> Bool {
    !(outside[stream]?[user] ?? []).contains { seq > $0.after && seq < $0.until ?? .max }
  }
}

/// A client's copy of a stream.
private struct Copy {
  var cursor: Int64
  var isWatched = true
  /// The last event whose objects it has, too.
  var whole: Int64 = 0
}

private struct HubHistory {
  var random: SeededRandom
  var truth = Truth()
  var hub = Hub<Piece>()
  var newsOnTheWay: [[StreamNews<Piece>]] = []
  var reads: [HubRead] = []
  var answers: [(HubRead, HubReadAnswer<Piece>)] = []
  var users: [HubConnection: UserID] = [:]
  var copies: [HubConnection: [StreamID: Copy]] = [:]
  var stalled: Set<HubConnection> = []
  /// Openings that a reader has read and the loop has not heard of yet.
  var openings: [(mark: Int, HubConnection, Sync.Attachment?)] = []
  /// The same for all streams of a person who comes.
  var hellos: [(mark: Int, HubConnection, UserID, [Sync.Attachment])] = []
  /// The connections that came with everything that they may read.
  var arrived: Set<HubConnection> = []
  var problems: [String] = []
  /// Whether connections stall no more.
  var isSettling = false

  let streams = (1...3).map { StreamID.category(CategoryID(UUID(high: 2, low: $0))) }
  let people = (1...3).map { UserID(UUID(high: 1, low: $0)) }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for stream in streams {
      truth.heads[stream] = 1
      for person in people { truth.members[stream, default: [:]][person] = Truth.Stay(joined: 1) }
    }
    for number in 1...5 {
      let connection = HubConnection(UInt64(number))
      users[connection] = people[number % people.count]
      hub.add(
        connection, user: people[number % people.count], followsAll: number % 2 == 0,
        wantsObjects: wantsObjects(connection))
    }
  }

  /// Whether the connection gets the changed objects behind the events.
  private func wantsObjects(_ connection: HubConnection) -> Bool { connection.value % 3 == 0 }

  /// Returns the cursor with which the client asks.
  private func cursor(_ connection: HubConnection, _ stream: StreamID) -> Int64 {
    let copy = copies[connection]?[stream]
    return (wantsObjects(connection) ? copy?.whole : copy?.cursor) ?? 0
  }

  // MARK: Things that happen

  mutating func step() {
    switch random.below(11) {
    case 0, 1: commit()
    case 2, 3: deliverNews()
    case 4: open()
    case 5: readSomething()
    case 6: answerSomething()
    case 7: stallOrResume()
    case 8: sayHello()
    case 9: finishHello()
    default: finishOpening()
    }
  }

  mutating func commit() {
    var news: [StreamNews<Piece>] = []
    for stream in streams where random.below(2) == 0 { news.append(commit(stream)) }
    newsOnTheWay.append(news)
  }

  mutating func commit(_ stream: StreamID) -> StreamNews<Piece> {
    var chunks: [Chunk<Piece>] = []
    var ended: [MembershipEdge] = []
    var begun: [MembershipEdge] = []
    var from = truth.heads[stream, default: 0] + 1
    for _ in 0...random.below(3) {
      truth.heads[stream, default: 0] += 1
      let seq = truth.heads[stream, default: 0]
      var closes = false
      if random.below(4) == 0 {
        let person = people[random.below(people.count)]
        if truth.members[stream, default: [:]][person] != nil {
          truth.members[stream, default: [:]][person] = nil
          truth.outside[stream, default: [:]][person, default: []].append((seq, nil))
          ended.append(MembershipEdge(user: person, seq: seq))
          closes = true
        } else {
          truth.members[stream, default: [:]][person] = Truth.Stay(joined: seq)
          var stays = truth.outside[stream, default: [:]][person] ?? []
          if let last = stays.popLast() { stays.append((last.after, seq)) }
          truth.outside[stream, default: [:]][person] = stays
          begun.append(MembershipEdge(user: person, seq: seq))
        }
      }
      if closes || random.below(3) == 0 {
        chunks.append(chunk(stream, from...seq, .later))
        from = seq + 1
      }
    }
    let head = truth.heads[stream, default: 0]
    let last = from <= head ? from...head : chunks.removeLast().range
    chunks.append(chunk(stream, last, random.below(4) == 0 ? .unknown : objects(head)))
    return StreamNews(stream: stream, epoch: epoch, chunks: chunks, ended: ended, begun: begun)
  }

  private func chunk(
    _ stream: StreamID, _ range: ClosedRange<Int64>, _ objects: ChunkObjects
  ) -> Chunk<Piece> {
    // Large, so that rings are short.
    Chunk(
      from: range.lowerBound, through: range.upperBound, frame: .events(stream, range),
      bytes: 48 * 1024, objects: objects)
  }

  private func objects(_ seq: Int64) -> ChunkObjects {
    .changed(
      ChangedObjects(
        bodies: [[UInt8](repeating: 0, count: 1_000)], gone: [], seq: seq,
        transaction: TransactionID(UUID(high: 0, low: UInt64(seq)))))
  }

  mutating func deliverNews() {
    guard !newsOnTheWay.isEmpty else { return }
    let news = newsOnTheWay.removeFirst()
    // This is as a loop does it: push by push, and a connection may stall in between.
    var toServe: [HubConnection] = []
    for piece in news.flatMap(\.pieces) {
      let published = hub.publish([piece])
      take(published.effects)
      toServe += published.serve
      if !isSettling, random.below(6) == 0 { stallOrResume() }
    }
    for connection in toServe { serve(connection) }
  }

  mutating func open() {
    let connection = anyConnection()
    let stream = streams[random.below(streams.count)]
    let mark = hub.beginReading()
    let user = users[connection, default: people[0]]
    var attachment: Sync.Attachment?
    if let stay = truth.members[stream, default: [:]][user] {
      let head = truth.heads[stream, default: 0]
      let cursor = cursor(connection, stream)
      let isGood = cursor >= stay.joined && cursor <= head && random.below(4) > 0
      attachment = Sync.Attachment(
        stream: stream, epoch: epoch, head: head, joinedSeq: stay.joined,
        start: isGood ? .after(cursor) : .snapshot)
    }
    openings.append((mark, connection, attachment))
  }

  mutating func finishOpening() {
    guard !openings.isEmpty else { return }
    let (mark, connection, attachment) = openings.remove(at: random.below(openings.count))
    defer { hub.endReading(mark) }
    guard let attachment else { return }
    // A client asks with the cursor that it has; one that went on meanwhile would ask again.
    let cursor = cursor(connection, attachment.stream)
    if case .after(let seq) = attachment.start, seq != cursor { return }
    copies[connection, default: [:]][attachment.stream] = Copy(cursor: cursor, whole: cursor)
    hub.attach(connection, attachment)
    serve(connection)
  }

  /// Lets a person come who follows everything.
  mutating func sayHello() {
    guard hellos.count < 3, users.count < 12 else { return }
    let person = people[random.below(people.count)]
    let mark = hub.beginReading()
    let attachments = streams.compactMap { stream -> Sync.Attachment? in
      guard let stay = truth.members[stream, default: [:]][person] else { return nil }
      return Sync.Attachment(
        stream: stream, epoch: epoch, head: truth.heads[stream, default: 0],
        joinedSeq: stay.joined, start: .snapshot)
    }
    let taken = users.count + hellos.count
    hellos.append((mark, HubConnection(UInt64(taken + 1)), person, attachments))
  }

  mutating func finishHello() {
    guard !hellos.isEmpty else { return }
    let (mark, connection, person, attachments) = hellos.removeFirst()
    users[connection] = person
    arrived.insert(connection)
    hub.add(
      connection, user: person, followsAll: true, wantsObjects: wantsObjects(connection))
    for attachment in attachments { hub.attach(connection, attachment) }
    hub.endReading(mark)
    serve(connection)
  }

  mutating func readSomething() {
    guard !reads.isEmpty else { return }
    let read = reads.remove(at: random.below(reads.count))
    answers.append((read, random.below(10) == 0 ? .failed : answer(read)))
  }

  /// Answers as a reader thread does, at this moment of the truth.
  private mutating func answer(_ read: HubRead) -> HubReadAnswer<Piece> {
    guard let stay = truth.members[read.stream, default: [:]][read.user] else { return .gone }
    let head = truth.heads[read.stream, default: 0]
    switch read.want {
    case .tail(let after) where after >= stay.joined:
      guard after < head else { return .tail(nil, through: after) }
      if read.wantsObjects {
        // It is a snapshot where an object cannot be named.
        if random.below(4) == 0 { return page(read.stream, head, 0) }
        return .changes(
          [.events(read.stream, (after + 1)...head), .objects(read.stream, head)], through: head)
      }
      let through = min(head, after + 1 + Int64(random.below(3)))
      return .tail(.events(read.stream, (after + 1)...through), through: through)
    case .page(1, let seq?) where seq >= stay.joined && random.below(4) > 0:
      return page(read.stream, seq, 1)
    case .page(1, _): return .lost
    case .tail, .page: return page(read.stream, head, 0)
    }
  }

  private func page(_ stream: StreamID, _ seq: Int64, _ page: Int) -> HubReadAnswer<Piece> {
    .page(
      .page(stream, seq: seq, page: page, of: 2),
      SnapshotPlace(epoch: epoch, seq: seq, page: page, pages: 2))
  }

  mutating func answerSomething() {
    guard !answers.isEmpty else { return }
    let (read, answer) = answers.remove(at: random.below(answers.count))
    take(hub.answered(read, answer))
    serve(read.connection)
  }

  mutating func stallOrResume() {
    let connection = anyConnection()
    if stalled.remove(connection) != nil {
      hub.resume(connection)
      serve(connection)
    } else {
      hub.stall(connection)
      stalled.insert(connection)
    }
  }

  mutating func settle() {
    isSettling = true
    for connection in stalled.sorted(by: { $0.value < $1.value }) {
      stalled.remove(connection)
      hub.resume(connection)
    }
    for _ in 0..<400 {
      deliverNews()
      finishOpening()
      finishHello()
      readSomething()
      answerSomething()
      for connection in users.keys.sorted(by: { $0.value < $1.value }) { serve(connection) }
    }
  }

  private mutating func anyConnection() -> HubConnection {
    HubConnection(UInt64(1 + random.below(users.count)))
  }

  mutating func serve(_ connection: HubConnection) {
    var more = true
    while more, !stalled.contains(connection) {
      let served = hub.serve(connection)
      take(served.effects)
      more = served.more
    }
  }

  // MARK: The things that clients see

  private mutating func take(_ effects: [HubEffect<Piece>]) {
    for effect in effects {
      switch effect {
      case .send(let piece, let connections):
        for connection in connections { receive(piece, connection) }
      case .sendObjects(let stream, _, let objects, let connections):
        for connection in connections { receive(.objects(stream, objects.seq), connection) }
      case .read(let read): reads.append(read)
      case .tellLive(let connection, let stream, _, let seq):
        if copies[connection]?[stream]?.cursor != seq {
          problems.append(
            "live at \(seq), the copy at \(copies[connection]?[stream]?.cursor ?? -1)")
        }
      case .tellGone(let connection, let stream):
        copies[connection]?[stream]?.isWatched = false
      case .serveLater: break
      }
    }
  }

  private mutating func receive(_ piece: Piece, _ connection: HubConnection) {
    let user = users[connection, default: people[0]]
    switch piece {
    case .events(let stream, let range):
      let cursor = copies[connection]?[stream]?.cursor ?? 0
      let whole = copies[connection]?[stream]?.whole ?? 0
      // Events whose objects did not come are sent again with them.
      let isAgain = wantsObjects(connection) && range.lowerBound == whole + 1
      if range.lowerBound != cursor + 1, !isAgain {
        problems.append("\(connection.value): \(range) after \(cursor)")
      }
      for seq in range where !truth.mayRead(user, stream, seq) {
        problems.append("\(connection.value): \(seq) while outside")
      }
      copies[connection, default: [:]][stream] = Copy(cursor: range.upperBound, whole: whole)
    case .page(let stream, let seq, let page, let pages):
      // The copy is replaced when the last page is there.
      guard page + 1 == pages else { return }
      if !truth.mayRead(user, stream, seq) { problems.append("a snapshot at \(seq) from outside") }
      copies[connection, default: [:]][stream] = Copy(cursor: seq, whole: seq)
    case .objects(let stream, let seq):
      if copies[connection]?[stream]?.cursor != seq || !wantsObjects(connection) {
        problems.append("\(connection.value): objects at \(seq)")
      }
      copies[connection]?[stream]?.whole = seq
    }
  }

  /// Checks the end, after `settle`: a connection that watches has everything, one that is outside watches nothing, and
  /// one that follows everything watches all that it may.
  mutating func checkEnd() {
    for connection in arrived {
      let user = users[connection, default: people[0]]
      for stream in streams where truth.members[stream, default: [:]][user] != nil {
        guard copies[connection]?[stream]?.isWatched != true else { continue }
        problems.append("\(connection.value) does not follow \(stream)")
      }
    }
    for (connection, streams) in copies {
      for (stream, copy) in streams where copy.isWatched {
        let user = users[connection, default: people[0]]
        if truth.members[stream, default: [:]][user] == nil {
          problems.append("\(connection.value) still watches \(stream)")
        } else if wantsObjects(connection), copy.whole != copy.cursor {
          problems.append("\(connection.value) has objects to \(copy.whole) of \(copy.cursor)")
        } else if copy.cursor != truth.heads[stream, default: 0] {
          problems.append(
            "\(connection.value) at \(copy.cursor) of \(truth.heads[stream, default: 0])")
        }
      }
    }
  }
}

@Suite("DESIGN §2: P4, P5 and P9 in any interleaving")
struct HubInterleavingTests {
  @Test("No gap, no duplicate, nothing from outside, everything in the end")
  func interleavings() {
    for seed in UInt64(1)...120 {
      var history = HubHistory(seed: seed)
      for _ in 0..<300 { history.step() }
      history.settle()
      history.checkEnd()
      #expect(history.problems.isEmpty, "seed \(seed): \(history.problems.prefix(3))")
    }
  }
}

extension Chunk {
  fileprivate var range: ClosedRange<Int64> { from...through }
}
