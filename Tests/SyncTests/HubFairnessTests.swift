import Domain
import Testing

@testable import Sync

private func stream(_ number: Int) -> StreamID {
  .category(CategoryID(UUID(high: 2, low: UInt64(number))))
}

private func read(in effects: [HubEffect<Int>]) -> [HubRead] {
  effects.compactMap { if case .read(let read) = $0 { read } else { nil } }
}

private func behind(_ stream: StreamID) -> Sync.Attachment {
  Sync.Attachment(
    stream: stream, epoch: Epoch("e"), head: 10, joinedSeq: 1, start: .after(5))
}

@Suite("P11: who has missed much costs others nothing")
struct HubFairnessTests {
  @Test("A thousand streams that are behind are read one at a time, and all are level in the end")
  func oneAtATime() {
    var hub = Hub<Int>()
    let (late, other) = (HubConnection(1), HubConnection(2))
    let (author, editor) = (UserID(UUID(high: 1, low: 1)), UserID(UUID(high: 1, low: 2)))
    hub.add(late, user: author, followsAll: true)
    hub.add(other, user: editor, followsAll: true)
    for number in 1...1_000 { hub.attach(late, behind(stream(number))) }
    var reads = read(in: hub.serve(late).effects)
    #expect(reads.count == 1)
    #expect(read(in: hub.serve(late).effects).isEmpty, "asked again while one is outstanding")
    // Somebody else does not wait for any of them.
    hub.attach(other, behind(stream(1_000)))
    #expect(read(in: hub.serve(other).effects).map(\.stream) == [stream(1_000)])
    var seen: [StreamID] = []
    while let next = reads.popLast() {
      seen.append(next.stream)
      _ = hub.answered(next, .tail(0, through: 10))
      reads += read(in: hub.serve(late).effects)
      #expect(reads.count <= 1)
    }
    #expect(seen == (1...1_000).map(stream))
    #expect((1...1_000).allSatisfy { hub.isCurrent(late, stream($0)) })
  }

  @Test("A stream in which more happens than is read at a time does not keep the others waiting")
  func turns() {
    var hub = Hub<Int>()
    let late = HubConnection(1)
    hub.add(late, user: UserID(UUID(high: 1, low: 1)), followsAll: true)
    for number in 1...3 { hub.attach(late, behind(stream(number))) }
    var seen: [StreamID] = []
    for seq in Int64(6)...11 {
      guard let next = read(in: hub.serve(late).effects).first else { break }
      seen.append(next.stream)
      // One event of the first stream is read, and another has happened by then.
      _ = hub.publish([
        StreamNews(
          stream: stream(1), epoch: Epoch("e"),
          chunks: [Chunk(from: seq + 5, through: seq + 5, frame: 0, bytes: 300 * 1024)],
          ended: [], begun: [])
      ])
      _ = hub.answered(next, .tail(0, through: next.stream == stream(1) ? seq : 10))
    }
    #expect(Array(seen.prefix(4)) == [stream(1), stream(2), stream(3), stream(1)])
  }

  @Test("Events from the rings are handed out in turns, too")
  func ringTurns() {
    var hub = Hub<Int>()
    let late = HubConnection(1)
    hub.add(late, user: UserID(UUID(high: 1, low: 1)), followsAll: true)
    for number in 1...2 {
      hub.attach(
        late,
        Sync.Attachment(
          stream: stream(number), epoch: Epoch("e"), head: 10, joinedSeq: 1, start: .after(10)))
    }
    _ = hub.serve(late)
    hub.stall(late)
    func news(_ number: Int, _ seq: Int64) -> StreamNews<Int> {
      StreamNews(
        stream: stream(number), epoch: Epoch("e"),
        chunks: [
          Chunk(from: seq, through: seq, frame: number, bytes: HubLimits.serveBytesMax)
        ], ended: [], begun: [])
    }
    _ = hub.publish([news(1, 11), news(2, 11)])
    hub.resume(late)
    var frames: [Int] = []
    for seq in Int64(12)...15 {
      for case .send(let frame, to: _) in hub.serve(late).effects { frames.append(frame) }
      // The first is behind again at once.
      hub.stall(late)
      _ = hub.publish([news(1, seq)])
      hub.resume(late)
    }
    #expect(frames.prefix(2) == [1, 2])
  }

  @Test("A snapshot that has begun is finished before another stream is read")
  func snapshotsOneByOne() {
    var hub = Hub<Int>()
    let late = HubConnection(1)
    hub.add(late, user: UserID(UUID(high: 1, low: 1)), followsAll: true)
    for number in 1...2 {
      hub.attach(
        late,
        Sync.Attachment(
          stream: stream(number), epoch: Epoch("e"), head: 10, joinedSeq: 1, start: .snapshot))
    }
    var seen: [StreamID] = []
    for _ in 1...6 {
      guard let next = read(in: hub.serve(late).effects).first,
        case .page(let page, seq: _) = next.want
      else { break }
      seen.append(next.stream)
      let place = SnapshotPlace(epoch: Epoch("e"), seq: 10, page: page, pages: 3)
      _ = hub.answered(next, .page(0, place))
    }
    #expect(seen == [stream(1), stream(1), stream(1), stream(2), stream(2), stream(2)])
  }

  @Test("Whoever has all the lists and groups that one may have can follow them all")
  func subscriptions() {
    let own = 1
    let most = Limits.categoriesPerUserMax + Limits.groupsPerUserMax + own
    #expect(most <= Limits.subscriptionsMax)
  }
}
