import Domain
import Testing

@testable import Simulation

/// A list with post 9, which comes every day. Post 8 is an occurrence of it that became a post of its own. Post 7 is
/// another one.
@Suite("DESIGN §2 P8: the posts that an undo leaves because others stay") struct TogetherTests {
  private static func post(_ number: UInt64, occurrence: Int? = nil) -> Post {
    var post = Post(
      id: id(number), number: Int(number), title: "t", notes: "", addedBy: UserID(id(1).uuid),
      createdAt: .init(milliseconds: 1), updatedAt: .init(milliseconds: 1), version: 1)
    if let occurrence { post.repeats = repetition(at: occurrence) }
    return post
  }

  private static func id(_ number: UInt64) -> PostID { PostID(UUID(high: 0, low: number)) }

  private static func repetition(at number: Int) -> Repetition? {
    guard let rule = try? RecurrenceRule("FREQ=DAILY") else { return nil }
    return Repetition(rule, occurrence: occurrence(number))
  }

  private static func occurrence(_ number: Int) -> Occurrence {
    let day = Day(number: 1_000 + number)
    return Occurrence(number: number, due: .day(day), start: day)
  }

  private static func skips(_ post: UInt64, from number: Int) -> Op {
    let stamp = Stamp(at: .init(milliseconds: 1), by: UserID(id(1).uuid))
    return .post(
      .occurred(
        id(post), version: 2, NextOccurrence(number, .skipped(stamp), occurrence(number + 1)),
        Counters()))
  }

  private static func removes(_ post: UInt64) -> Op {
    let stamp = Stamp(at: .init(milliseconds: 1), by: UserID(id(1).uuid))
    return .post(.removed(id(post), version: 2, stamp, Counters()))
  }

  /// Returns the truth of a list after these events, each with the numbers of those that it undoes.
  private static func truth(_ events: [([Op], undoes: [Int64])]) -> StreamTruth {
    var truth = StreamTruth(.category(CategoryID(UUID(high: 1, low: 1))), epoch: Epoch("s1.a"))
    let stamp = Stamp(at: .init(milliseconds: 1), by: UserID(id(1).uuid))
    let list = Category(id: CategoryID(UUID(high: 1, low: 1)), name: "l", group: nil, added: stamp)
    let first: [Op] = [
      .category(.added(list)), .post(.added(post(9, occurrence: 1), Counters())),
      .post(.added(post(7), Counters())),
    ]
    for (index, (ops, undoes)) in ([(first, [])] + events).enumerated() {
      truth.append(
        Event(
          seq: Int64(index + 1), transaction: TransactionID(UUID(high: 2, low: UInt64(index))),
          at: .init(milliseconds: 1), by: nil, key: nil, undoes: undoes, ops: ops), [])
    }
    return truth
  }

  private static let apart: [Op] = [.post(.added(post(8), Counters())), skips(9, from: 1)]

  @Test("an occurrence of its own and its series stay with each other, and nothing else does")
  func apart() {
    let truth = Self.truth([(Self.apart + [.post(.added(Self.post(6), Counters()))], undoes: [])])
    #expect(truth.staying(with: [Self.id(9)], undoing: [2]) == [Self.id(8), Self.id(9)])
    #expect(truth.staying(with: [Self.id(8)], undoing: [2]) == [Self.id(8), Self.id(9)])
    #expect(truth.staying(with: [Self.id(6)], undoing: [2]) == [Self.id(6)])
    #expect(truth.staying(with: [], undoing: [2]).isEmpty)
    #expect(truth.staying(with: [Self.id(9)], undoing: []) == [Self.id(9)])
  }

  @Test("an undo that brought a left-out occurrence back keeps all posts that came or went by it")
  func undone() {
    let back = Op.post(.reopened(Self.post(9, occurrence: 1), Counters()))
    let truth = Self.truth([
      (Self.apart, undoes: []), ([back, Self.removes(8), Self.removes(7)], undoes: [2]),
    ])
    let all: Set = [Self.id(7), Self.id(8), Self.id(9)]
    #expect(truth.staying(with: [Self.id(9)], undoing: [3]) == all)
    #expect(truth.staying(with: [Self.id(7)], undoing: [3]) == all)
  }

  @Test("an undo in which no left-out occurrence came back keeps nothing together")
  func alone() {
    let truth = Self.truth([
      ([.post(.added(Self.post(8), Counters()))], undoes: []),
      ([Self.removes(8), Self.removes(7)], undoes: [2]),
    ])
    #expect(truth.staying(with: [Self.id(7)], undoing: [3]) == [Self.id(7)])
  }
}
