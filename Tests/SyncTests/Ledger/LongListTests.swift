import Domain
import TestRandom
import Testing

@testable import Sync

@Suite("A list that lives for years") struct LongListTests {
  @Test("keeps the newest 500 completed posts through every change", arguments: [1, 2, 3, 4])
  func completed(seed: UInt64) {
    var bench = LedgerBench()
    var random = SeededRandom(seed: seed)
    bench.must(.account(.register(Registration("a"))), by: "a")
    bench.must(.category(.add(1, name: "Home", group: nil)), by: "a")
    let count = Limits.completedInStateMax + 60
    var middle: (seq: Int64, objects: [Object])?
    for number in 1...count {
      bench.settled(.post(.add(1, PostID(number), title: "t", notes: "")))
      bench.settled(.completePost(1, PostID(number), ifVersion: nil))
      if number % 16 == 0 { bench.commit() }
    }
    for step in 0..<600 {
      let commands = (0..<Int.random(in: 1...4, using: &random)).map { part in
        change(of: PostID(Int.random(in: 1...count, using: &random)), step + part, &random)
      }
      bench.settled(commands.count == 1 ? commands[0] : .batch(commands))
      if Int.random(in: 0..<5, using: &random) == 0 { bench.commit() }
      if step == 300 {
        bench.commit()
        middle = (
          Int64(bench.content.events[.category(1)]?.count ?? 0), bench.snapshot(of: .category(1))
        )
      }
    }
    bench.commit()
    let end = StreamState(stream: .category(1), objects: bench.snapshot(of: .category(1)))
    var fromStart = StreamState(stream: .category(1))
    var fromMiddle = StreamState(stream: .category(1), objects: middle?.objects ?? [])
    for event in bench.events(of: .category(1)) {
      _ = fromStart.apply(event)
      if event.seq > middle?.seq ?? 0 { _ = fromMiddle.apply(event) }
    }
    #expect(fromStart == end, "seed \(seed)")
    #expect(fromMiddle == end, "seed \(seed)")
    let completed = end.objects.values.compactMap(\.rank)
    #expect(completed.count <= Limits.completedInStateMax)
    #expect(completed.count > Limits.completedInStateMax / 2)
    let outside = (bench.content.rows[.category(1)] ?? [:]).values.count {
      !$0.inState && $0.rank != nil
    }
    #expect(outside > 0, "seed \(seed) drops nothing")
  }
}

private func change(of post: PostID, _ step: Int, _ random: inout SeededRandom) -> Command {
  switch Int.random(in: 0..<6, using: &random) {
  case 0: .editPost(1, post, PostEdit(title: "t\(step)"), ifVersion: nil)
  case 1: .reopenPost(1, post, ifVersion: nil)
  case 2: .removePost(1, post, ifVersion: nil)
  case 3: .restorePost(1, post, ifVersion: nil)
  default: .completePost(1, post, ifVersion: nil)
  }
}

extension LedgerBench {
  fileprivate mutating func settled(_ command: Command) {
    _ = settle(submission(of: command, by: "a"))
  }
}
