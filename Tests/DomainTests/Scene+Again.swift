import Calendar
import Testing

@testable import Domain

// Parts that the tests of posts that come again share: the post is 9, in category 1.
extension Scene {
  /// Returns a scene in which it comes every day from a day of 1972 on.
  static func daily() -> Scene {
    var scene = Scene.house()
    scene.must(.daily(1, 9), by: "a")
    return scene
  }

  /// The number of its present occurrence; 0 when there is none.
  var number: Int { post(9, in: 1)?.occurrence?.number ?? 0 }

  /// The number of the newest event of category 1.
  var head: Int64 { heads[.category(1)]?.seq ?? 0 }

  @discardableResult
  mutating func undoLast(by user: UserID = "a") -> Decision {
    must(.undo(UndoTarget(stream: .category(1), events: [head], seen: nil)), by: user)
  }

  /// Returns the plan of an undo, or its refusal.
  func plan(_ target: UndoTarget, by user: UserID) -> Result<UndoPlan, Refusal> {
    var copy = self
    let now = now
    return copy.answered { world throws(Halt) in
      try undoPlan(target, by: Actor(user: user, session: nil), at: now, in: &world)
    }
  }

  /// The number of completions that each person has since the beginning, counted from the log in the slow way. The rows
  /// of achievement must say the same.
  var scores: [UserID: Int] {
    var tally = ScoreTally(
      start: Timestamp(milliseconds: 0), categoryZone: "UTC", almanac: .system)
    for event in (events[.category(1)] ?? []).reversed() {
      let past = answer(.past(StreamPosition(stream: .category(1), seq: event.seq)))
      guard case .past(let past?) = past else { continue }
      tally.add(event, before: past.before.objects)
    }
    let scores = Dictionary(grouping: tally.held, by: \.user).mapValues(\.count)
    let rows = achievements.filter { !$0.kind.isSum }
    #expect(Dictionary(grouping: rows, by: \.user).mapValues(\.count) == scores)
    return scores
  }
}
