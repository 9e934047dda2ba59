import Domain
import TestRandom
import Testing

@testable import Sync

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = Array(31...38)

@Suite("Random histories, looked back at") struct PastStateTests {
  @Test("a list as it was is the effect of the events until then", arguments: seeds)
  func everyMoment(seed: UInt64) {
    var history = RandomHistory(seed: seed, cacheBytesMax: 1 << 16)
    for _ in 0..<240 { history.runBatch() }
    var compared = 0
    for number in 1...4 {
      compared += expectEveryMoment(of: CategoryID(number), in: history.bench, "seed \(seed)")
    }
    #expect(compared > 50, "seed \(seed) looks at too little")
  }

  @Test("so is one with more completed posts than its state holds", arguments: seeds.prefix(4))
  func longList(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bench = LedgerBench()
    bench.must(.account(.register(Registration("a"))), by: "a")
    bench.must(.category(.add(1, name: "A", group: nil)), by: "a")
    let count = Limits.completedInStateMax + 40
    for first in stride(from: 1, through: count, by: 45) {
      let numbers = first..<min(first + 45, count + 1)
      bench.must(
        .batch(
          numbers.map { .post(.add(1, PostID($0), title: "t", notes: "")) }
            + numbers.map { .completePost(1, PostID($0), ifVersion: nil) }), by: "a")
    }
    for step in 0..<450 {
      let commands = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        change(among: count, step, &random)
      }
      let command = commands.count == 1 ? commands[0] : .batch(commands)
      _ = bench.settle(bench.submission(of: command, by: "a"))
      bench.commit()
      guard step % 7 == 0 else { continue }
      let head = Int64(bench.events(of: .category(1)).count)
      let events = [head - Int64.random(in: 0..<20, using: &random)]
      let undo = Command.undo(UndoTarget(stream: .category(1), events: events, seen: nil))
      _ = bench.settle(bench.submission(of: undo, by: "a"))
      bench.commit()
    }
    let crossings = bench.events(of: .category(1)).reduce(0) { count, event in
      let past = bench.past(StreamPosition(stream: .category(1), seq: event.seq))
      return count + (past?.before.crossing.count ?? 0)
    }
    #expect(crossings > 80, "seed \(seed) has little at the edge")
    let compared = expectEveryMoment(of: 1, in: bench, "seed \(seed)")
    #expect(compared > 200, "seed \(seed) looks at too little")
  }

  /// Makes a change, mostly of the oldest posts, which are beyond the edge or near it.
  private func change(
    among count: Int, _ step: Int, _ random: inout SeededRandom
  ) -> Command {
    let oldest = Int.random(in: 0..<3, using: &random) > 0
    let post = PostID(Int.random(in: 1...(oldest ? 60 : count), using: &random))
    return switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: .editPost(1, post, PostEdit(title: "t\(step)"), ifVersion: nil)
    case 2: .reopenPost(1, post, ifVersion: nil)
    case 3: .removePost(1, post, ifVersion: nil)
    case 4: .restorePost(1, post, ifVersion: nil)
    case 5:
      .changeStep(
        1, post, StepID(Int.random(in: 1...2, using: &random)),
        Bool.random(using: &random) ? .reopen : .edit(content: "s\(step)"))
    case 7:
      .movePost(1, post, after: PostID(Int.random(in: 1...count, using: &random)), before: nil)
    case 6: .changeStep(1, post, StepID(Int.random(in: 1...2, using: &random)), .add(content: "s"))
    default: .completePost(1, post, ifVersion: nil)
    }
  }

  /// Expects the state of every moment, from the present back. Returns how many moments there are.
  private func expectEveryMoment(
    of category: CategoryID, in bench: LedgerBench, _ comment: String
  ) -> Int {
    let stream = StreamID.category(category)
    let events = bench.events(of: stream)
    var states = [StreamState(stream: stream)]
    for event in events {
      var next = states[states.count - 1]
      // A past state has no talk.
      _ = next.apply(event.withoutTalk)
      states.append(next)
    }
    let present = bench.snapshot(of: stream).filter { !$0.key.kind.isTalk }
    guard !events.isEmpty else { return 0 }
    guard case .category(let now)? = present.first(where: { $0.key.kind == .category }) else {
      Issue.record("\(comment): \(stream) has no category")
      return 0
    }
    var past = PastState(of: now)
    for event in events.reversed() {
      let found = StreamState(stream: stream, objects: past.all(of: present))
      guard found == states[Int(event.seq)],
        let before = bench.past(StreamPosition(stream: stream, seq: event.seq))
      else {
        Issue.record("\(comment): not \(stream) as it was after \(event.seq)")
        return 0
      }
      past.takeBack(before) { id in
        guard case .object(let object) = bench.content.answer(.object(stream, id.key)) else {
          return nil
        }
        return object
      }
    }
    #expect(past.all(of: present).isEmpty, "\(comment) \(stream)")
    return events.count
  }
}

extension PastState {
  /// Returns the whole state of the past.
  fileprivate func all(of present: [Object]) -> [Object] {
    present.filter { changed[$0.key] == nil } + changed.values.compactMap(\.self)
  }
}

extension PostID {
  fileprivate var key: ObjectKey { ObjectKey(kind: .post, id: uuid) }
}

extension LedgerBench {
  fileprivate func past(_ position: StreamPosition) -> PastEvent? {
    guard case .past(let past) = content.answer(.past(position)) else { return nil }
    return past
  }
}
