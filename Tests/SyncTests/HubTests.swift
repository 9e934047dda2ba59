import Domain
import Testing

@testable import Sync

private let epoch = Epoch("e")
private let list = StreamID.category(CategoryID(UUID(high: 2, low: 1)))
private let author = UserID(UUID(high: 1, low: 1))
private let bots = UserID(UUID(high: 1, low: 2))
private let one = HubConnection(1)
private let two = HubConnection(2)

private func chunk(_ range: ClosedRange<Int64>, bytes: Int = 100) -> Chunk<Piece> {
  Chunk(
    from: range.lowerBound, through: range.upperBound, frame: .events(list, range), bytes: bytes)
}

private func news(
  _ ranges: ClosedRange<Int64>..., ended: [MembershipEdge] = [], begun: [MembershipEdge] = [],
  bytes: Int = 100, erases: Bool = false
) -> [StreamNews<Piece>] {
  [
    StreamNews(
      stream: list, epoch: epoch, chunks: ranges.map { chunk($0, bytes: bytes) }, ended: ended,
      begun: begun, erases: erases)
  ]
}

private func attachment(
  head: Int64, joined: Int64 = 1, _ start: Sync.Attachment.Start
) -> Sync.Attachment {
  Sync.Attachment(stream: list, epoch: epoch, head: head, joinedSeq: joined, start: start)
}

private func read(in effects: [HubEffect<Piece>]) -> HubRead? {
  for effect in effects { if case .read(let read) = effect { return read } }
  return nil
}

@Suite("protocol: pushes of one loop")
struct HubTests {
  /// Returns a hub with the author on connection 1, current at 10.
  private func hub(followsAll: Bool = false) -> Hub<Piece> {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: followsAll)
    hub.attach(one, attachment(head: 10, .after(10)))
    _ = hub.serve(one)
    return hub
  }

  @Test("Who is put out and watches nothing is known, also if it was while a reader looked")
  func out() {
    let ended = [MembershipEdge(user: author, seq: 11)]
    var hub = hub()
    #expect(!hub.isOut(one))
    hub.detach(one, list)
    #expect(!hub.isOut(one))
    _ = hub.publish(news(11...11, ended: ended))
    #expect(hub.isOut(one))
    // It was behind when it came, and did not wait to be told.
    hub = self.hub()
    hub.stall(one)
    _ = hub.publish(news(11...11, ended: ended))
    #expect(!hub.isOut(one))
    hub.detach(one, list)
    #expect(hub.isOut(one))
    hub = Hub()
    let mark = hub.beginReading()
    _ = hub.publish(news(11...11, ended: ended))
    hub.add(one, user: author, followsAll: false)
    hub.add(two, user: bots, followsAll: false)
    hub.endReading(mark)
    #expect(hub.isOut(one) && !hub.isOut(two))
  }

  @Test("Whoever is current gets each chunk once, all in one effect")
  func fanOut() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 10, .after(10)))
    #expect(words(hub.serve(two).effects).isEmpty)
    #expect(words(hub.publish(news(11...12)).effects) == ["1,2<-11...12"])
    #expect(words(hub.publish(news(13...13)).effects) == ["1,2<-13...13"])
  }

  @Test("A tail is served from the ring when it is there, then live is said")
  func tailFromRing() {
    var hub = hub()
    _ = hub.publish(news(11...12, 13...13))
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 13, .after(12)))
    #expect(words(hub.serve(two).effects) == ["2<-13...13", "2 live 13"])
  }

  @Test("After a text was erased, what was published before is read from the log")
  func erasedRing() {
    var hub = hub()
    _ = hub.publish(news(11...12))
    _ = hub.publish(news(13...13, erases: true))
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 13, .after(10)))
    #expect(words(hub.serve(two).effects) == ["read 2 after 10"])
  }

  @Test("Nothing erased is sent when the news of the erasing are published push by push")
  func erasedInPieces() throws {
    var hub = hub()
    _ = hub.publish(news(11...12))
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 12, .after(5)))
    let early = try #require(read(in: hub.serve(two).effects))
    for piece in news(13...13, 14...14, erases: true).flatMap(\.pieces) {
      _ = hub.publish([piece])
    }
    #expect(hub.answered(early, .tail(.events(list, 6...12), through: 12)).isEmpty)
    #expect(words(hub.serve(two).effects) == ["read 2 after 5"])
    let three = HubConnection(3)
    hub.add(three, user: bots, followsAll: false)
    hub.attach(three, attachment(head: 14, .after(10)))
    #expect(words(hub.serve(three).effects) == ["read 3 after 10"])
  }

  @Test("Events that were read before a text was erased are read again, once, and not sent")
  func erasedInHand() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 10, .after(4)))
    guard let first = read(in: hub.serve(two).effects) else {
      Issue.record("nothing is read")
      return
    }
    _ = hub.publish(news(11...11, erases: true))
    #expect(hub.answered(first, .tail(.events(list, 5...10), through: 10)).isEmpty)
    let again = hub.serve(two).effects
    #expect(words(again) == ["read 2 after 4"])
    guard let next = read(in: again) else {
      Issue.record("nothing is read")
      return
    }
    #expect(words(hub.answered(next, .tail(.events(list, 5...11), through: 11))) == ["2<-5...11"])
    #expect(words(hub.serve(two).effects) == ["2 live 11"])
  }

  @Test("A page of a snapshot that was read before the erasing is not sent either")
  func erasedPages() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 10, .snapshot))
    guard let first = read(in: hub.serve(two).effects) else {
      Issue.record("nothing is read")
      return
    }
    let place = SnapshotPlace(epoch: epoch, seq: 10, page: 0, pages: 2)
    _ = hub.answered(first, .page(.page(list, seq: 10, page: 1, of: 2), place))
    guard let second = read(in: hub.serve(two).effects) else {
      Issue.record("nothing is read")
      return
    }
    _ = hub.publish(news(11...11, erases: true))
    let page = Piece.page(list, seq: 10, page: 2, of: 2)
    let end = SnapshotPlace(epoch: epoch, seq: 10, page: 1, pages: 2)
    #expect(hub.answered(second, .page(page, end)).isEmpty)
    let again = hub.serve(two).effects
    #expect(words(again) == ["read 2 page 1 of 10"])
    // The reader has no pages of before the erasing.
    guard let next = read(in: again) else {
      Issue.record("nothing is read")
      return
    }
    #expect(hub.answered(next, .lost).isEmpty)
    #expect(words(hub.serve(two).effects) == ["read 2 page 0 of newest"])
  }

  @Test("In the middle of a chunk, or behind the ring, the log is read")
  func tailFromLog() {
    var hub = hub()
    _ = hub.publish(news(11...13))
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 13, .after(12)))
    let effects = hub.serve(two).effects
    #expect(words(effects) == ["read 2 after 12"])
    guard let read = read(in: effects) else {
      Issue.record("nothing is read")
      return
    }
    let answered = hub.answered(read, .tail(.events(list, 13...13), through: 13))
    #expect(words(answered) == ["2<-13...13"])
    #expect(words(hub.serve(two).effects) == ["2 live 13"])
  }

  @Test("Events that are published while a reader reads are not missed, with nobody else watching")
  func betweenReadAndAttach() {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: false)
    let mark = hub.beginReading()
    _ = hub.publish(news(11...11))
    hub.attach(one, attachment(head: 10, .after(10)))
    hub.endReading(mark)
    #expect(words(hub.serve(one).effects) == ["read 1 after 10"])
  }

  @Test("Events that a reader saw before their news came are not sent twice")
  func aheadOfNews() {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: false)
    hub.attach(one, attachment(head: 12, .after(12)))
    _ = hub.serve(one)
    #expect(words(hub.publish(news(11...11, 12...12, 13...13)).effects) == ["1<-13...13"])
  }

  @Test("A snapshot comes page by page, then what happened since, then live")
  func snapshot() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 10, .snapshot))
    var effects = hub.serve(two).effects
    #expect(words(effects) == ["read 2 page 0 of newest"])
    _ = hub.publish(news(11...11))
    for page in 0..<2 {
      guard let read = read(in: effects) else {
        Issue.record("nothing is read")
        return
      }
      let place = SnapshotPlace(epoch: epoch, seq: 10, page: page, pages: 2)
      let sent = hub.answered(read, .page(.page(list, seq: 10, page: page, of: 2), place))
      #expect(words(sent) == ["2<-page \(page)/2 at 10"])
      effects = hub.serve(two).effects
      if page == 0 { #expect(words(effects) == ["read 2 page 1 of 10"]) }
    }
    #expect(words(effects) == ["2<-11...11", "2 live 11"])
  }

  @Test("A snapshot whose pages are gone begins again")
  func lostSnapshot() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 10, .snapshot))
    guard let first = read(in: hub.serve(two).effects) else {
      Issue.record("nothing is read")
      return
    }
    let place = SnapshotPlace(epoch: epoch, seq: 10, page: 0, pages: 2)
    _ = hub.answered(first, .page(.page(list, seq: 10, page: 0, of: 2), place))
    guard let second = read(in: hub.serve(two).effects) else {
      Issue.record("nothing is read")
      return
    }
    _ = hub.answered(second, .lost)
    #expect(words(hub.serve(two).effects) == ["read 2 page 0 of newest"])
  }

  @Test("A stalled connection is sent nothing, disturbs nobody, and goes on from its cursor")
  func stalled() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 10, .after(10)))
    _ = hub.serve(two)
    hub.stall(one)
    #expect(words(hub.publish(news(11...11)).effects) == ["2<-11...11"])
    #expect(words(hub.publish(news(12...12)).effects) == ["2<-12...12"])
    #expect(words(hub.serve(one).effects).isEmpty)
    hub.resume(one)
    #expect(words(hub.serve(one).effects) == ["1<-11...11", "1<-12...12"])
  }

  @Test("Behind more than the ring holds, the log is read", arguments: [256, 257])
  func ringEvents(_ count: Int64) {
    var hub = hub()
    hub.stall(one)
    for seq in 11..<(11 + count) { _ = hub.publish(news(seq...seq)) }
    hub.resume(one)
    let first = words(hub.serve(one).effects).first
    #expect(first == (count <= 256 ? "1<-11...11" : "read 1 after 10"))
  }

  @Test("The ring is bounded in bytes", arguments: [64 * 1024, 64 * 1024 + 1])
  func ringBytes(_ bytes: Int) {
    var hub = hub()
    hub.stall(one)
    for seq in Int64(11)...14 { _ = hub.publish(news(seq...seq, bytes: bytes)) }
    hub.resume(one)
    let first = words(hub.serve(one).effects).first
    #expect(first == (bytes == 64 * 1024 ? "1<-11...11" : "read 1 after 10"))
  }

  @Test("Events that have left the ring are let go of, however little else happens")
  func ringLetsGo() {
    final class Heavy: Sendable {}
    var ring = Ring<Heavy>()
    weak var first: Heavy?
    for seq in Int64(1)...4 {
      let frame = Heavy()
      if seq == 1 { first = frame }
      let bytes = HubLimits.ringBytesMax
      ring.append(Chunk(from: seq, through: seq, frame: frame, bytes: bytes))
    }
    #expect(first == nil)
    #expect(ring.chunk(after: 3) != nil)
  }

  @Test("One turn sends so many bytes and no more")
  func budget() {
    var hub = hub()
    hub.stall(one)
    for seq in Int64(11)...13 { _ = hub.publish(news(seq...seq, bytes: 40 * 1024)) }
    hub.resume(one)
    let turn = hub.serve(one)
    #expect(words(turn.effects) == ["1<-11...11", "1<-12...12"] && turn.more)
    #expect(words(hub.serve(one).effects) == ["1<-13...13"])
  }

  @Test("The removed gets the removing event and nothing after it")
  func removal() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    hub.attach(two, attachment(head: 10, .after(10)))
    _ = hub.serve(two)
    let ended = [MembershipEdge(user: author, seq: 11)]
    let effects = hub.publish(news(11...11, 12...12, ended: ended)).effects
    #expect(words(effects) == ["1,2<-11...11", "2<-12...12", "1 gone"])
    #expect(hub.watches(of: one) == 0)
    #expect(words(hub.publish(news(13...13)).effects) == ["2<-13...13"])
  }

  @Test("A stalled connection is told of its removal when it comes back, and no later event")
  func removalWhileStalled() {
    var hub = hub()
    hub.stall(one)
    let ended = [MembershipEdge(user: author, seq: 12)]
    _ = hub.publish(news(11...11, 12...12, ended: ended))
    _ = hub.publish(news(13...13))
    hub.resume(one)
    #expect(words(hub.serve(one).effects) == ["1<-11...11", "1<-12...12", "1 gone"])
  }

  @Test("A removal that fell between reading and attaching cuts off what the ring has")
  func removalBeforeAttach() {
    var hub = hub()
    hub.add(two, user: bots, followsAll: false)
    let mark = hub.beginReading()
    _ = hub.publish(news(11...11, ended: [MembershipEdge(user: bots, seq: 11)]))
    _ = hub.publish(news(12...12))
    hub.attach(two, attachment(head: 10, .after(10)))
    hub.endReading(mark)
    #expect(words(hub.serve(two).effects) == ["2<-11...11", "2 gone"])
    #expect(hub.watches(of: two) == 0)
    #expect(words(hub.publish(news(13...13)).effects) == ["1<-13...13"])
  }

  @Test("Whoever is in again after an old removal is not told to go")
  func rejoined() {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: false)
    let mark = hub.beginReading()
    let ended = [MembershipEdge(user: author, seq: 11)]
    _ = hub.publish(news(11...11, 12...12, ended: ended))
    hub.attach(one, attachment(head: 12, joined: 12, .after(12)))
    hub.endReading(mark)
    #expect(words(hub.serve(one).effects).isEmpty)
    #expect(words(hub.publish(news(13...13)).effects) == ["1<-13...13"])
  }

  @Test(
    "Out and in again while a reader reads for its hello: up to the removal, gone, then a snapshot")
  func outAndInWhileRead() {
    var hub = Hub<Piece>()
    let mark = hub.beginReading()
    _ = hub.publish(news(11...11, ended: [MembershipEdge(user: author, seq: 11)]))
    _ = hub.publish(news(12...12, begun: [MembershipEdge(user: author, seq: 12)]))
    hub.add(one, user: author, followsAll: true)
    hub.attach(one, attachment(head: 10, .after(10)))
    hub.endReading(mark)
    let effects = hub.serve(one).effects
    #expect(words(effects) == ["read 1 after 10"])
    guard let read = read(in: effects) else {
      Issue.record("nothing is read")
      return
    }
    // The reader sees that the person was outside in between.
    let page = HubReadAnswer<Piece>.page(
      .page(list, seq: 12, page: 0, of: 1), SnapshotPlace(epoch: epoch, seq: 12, page: 0, pages: 1))
    #expect(words(hub.answered(read, page)) == ["1<-page 0/1 at 12"])
    #expect(words(hub.serve(one).effects) == ["1 live 12"])
  }

  @Test("Out and in again in one batch: gone, then a snapshot")
  func outAndIn() {
    var hub = hub(followsAll: true)
    let published = hub.publish(
      news(
        11...11, 12...12, ended: [MembershipEdge(user: author, seq: 11)],
        begun: [MembershipEdge(user: author, seq: 12)]))
    #expect(words(published.effects) == ["1<-11...11", "1 gone"])
    #expect(words(hub.serve(one).effects) == ["read 1 page 0 of newest"])
  }

  @Test("Out and in again while stalled: up to the removal, gone, then a snapshot")
  func outAndInWhileStalled() {
    var hub = hub(followsAll: true)
    hub.stall(one)
    _ = hub.publish(news(11...11, ended: [MembershipEdge(user: author, seq: 11)]))
    _ = hub.publish(news(12...12, begun: [MembershipEdge(user: author, seq: 12)]))
    hub.resume(one)
    #expect(words(hub.serve(one).effects) == ["1<-11...11", "1 gone", "1 later"])
    #expect(words(hub.serve(one).effects) == ["read 1 page 0 of newest"])
  }

  @Test("A read that failed is asked again, and a late answer for a closed watch is dropped")
  func failedAndLate() {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: false)
    hub.attach(one, attachment(head: 12, .after(10)))
    guard let first = read(in: hub.serve(one).effects) else {
      Issue.record("nothing is read")
      return
    }
    #expect(words(hub.answered(first, .failed)) == ["1 later"])
    let again = hub.serve(one).effects
    #expect(words(again) == ["read 1 after 10"])
    guard let second = read(in: again) else {
      Issue.record("nothing is read")
      return
    }
    hub.detach(one, list)
    #expect(words(hub.answered(second, .tail(.events(list, 11...12), through: 12))).isEmpty)
    #expect(hub.watchedStreams == 0)
  }

  @Test("The late answer for a watch that began again is not taken for the new one's")
  func lateForAnother() throws {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: false)
    hub.attach(one, attachment(head: 12, .after(4)))
    let first = try #require(read(in: hub.serve(one).effects))
    hub.attach(one, attachment(head: 12, .after(8)))
    #expect(words(hub.answered(first, .tail(.events(list, 5...12), through: 12))).isEmpty)
    #expect(words(hub.serve(one).effects) == ["read 1 after 8"])
  }

  @Test("A log that is shorter than what was published leads to a snapshot, not to a loop")
  func shorterLog() {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: false)
    hub.attach(one, attachment(head: 12, .after(10)))
    guard let first = read(in: hub.serve(one).effects) else {
      Issue.record("nothing is read")
      return
    }
    _ = hub.answered(first, .tail(nil, through: 10))
    #expect(words(hub.serve(one).effects) == ["read 1 page 0 of newest"])
  }

  @Test("With the last watch its stream's ring goes, whichever order they leave in")
  func leaving() {
    var hub = hub()
    let connections = (2...6).map { HubConnection(UInt64($0)) }
    for connection in connections {
      hub.add(connection, user: bots, followsAll: false)
      hub.attach(connection, attachment(head: 10, .after(10)))
      _ = hub.serve(connection)
    }
    hub.remove(HubConnection(3))
    hub.remove(one)
    #expect(words(hub.publish(news(11...11)).effects).first?.hasSuffix("<-11...11") == true)
    for connection in connections { hub.remove(connection) }
    #expect(hub.watchedStreams == 0)
  }
}
