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
  @Test("Of a thousand streams that are behind one is read at a time, and all are level in the end")
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

  @Test("Whoever has all the lists and groups that one may have can follow them all")
  func subscriptions() {
    let own = 1
    let most = Limits.categoriesPerUserMax + Limits.groupsPerUserMax + own
    #expect(most <= Limits.subscriptionsMax)
  }
}
