import Domain
import Testing

@testable import Sync

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = Array(31...38)

@Suite("Random histories, looked back at") struct PastStateTests {
  @Test("a list as it was is the effect of the events until then", arguments: seeds)
  func everyMoment(seed: UInt64) {
    var history = RandomHistory(seed: seed, cacheBytesMax: 1 << 16)
    for _ in 0..<150 { history.runBatch() }
    let bench = history.bench
    var compared = 0
    for number in 1...4 {
      let stream = StreamID.category(CategoryID(number))
      let events = bench.events(of: stream)
      var states = [StreamState(stream: stream)]
      for event in events {
        var next = states[states.count - 1]
        _ = next.apply(event)
        states.append(next)
      }
      var past = PastState(of: CategoryID(number), objects: bench.snapshot(of: stream))
      for event in events.reversed() {
        let found = StreamState(stream: stream, objects: past.state)
        #expect(found == states[Int(event.seq)], "seed \(seed) \(stream) \(event.seq)")
        let need = Need.past(StreamPosition(stream: stream, seq: event.seq))
        guard case .past(let before?) = bench.content.answer(need) else {
          Issue.record("an event without its past")
          return
        }
        past.takeBack(before)
        compared += 1
      }
      #expect(past.state.isEmpty, "seed \(seed) \(stream)")
    }
    #expect(compared > 50, "seed \(seed) looks at too little")
  }

  @Test("of many completed posts the newest are found again")
  func completed() {
    let category: CategoryID = 1
    let posts = (1...Limits.completedInStateMax + 5).map { number in
      Object.post(
        Post(
          id: PostID(number), number: number, title: "t", notes: "", addedBy: "a",
          createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0), version: 2,
          completed: Completion(
            at: Timestamp(milliseconds: 0), by: "a", seq: Int64(10_000 - number))))
    }
    let past = PastState(of: category, objects: posts)
    #expect(past.state.count == Limits.completedInStateMax)
    #expect(past.state.first?.key == posts[0].key)
  }
}
