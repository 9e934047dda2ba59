import TestRandom
import Testing

@testable import Domain

extension Scene {
  fileprivate mutating func setRule(_ rule: String) throws {
    let wish = Repetition(try RecurrenceRule(rule))
    must(.editPost(1, 9, PostEdit(repeats: .set(wish)), ifVersion: nil), by: "a")
  }

  fileprivate mutating func change(_ change: OccurrenceChange) {
    must(.changeOccurrence(1, 9, number, change), by: "a")
  }
}

@Suite("protocol §3.6: the number of an occurrence is no other's")
struct OccurrenceNumberTests {
  @Test("a change that waited for a time which an undo took away is done to no other")
  func afterUndo() throws {
    for change in [.skip, .complete, .remove, .edit(PostEdit(title: "x"))] as [OccurrenceChange] {
      var scene = Scene.daily()
      scene.must(.editPost(1, 9, PostEdit(title: "Plants"), ifVersion: nil), by: "a")
      let first = scene.number
      try scene.setRule("FREQ=WEEKLY")
      let waits = Command.changeOccurrence(1, 9, scene.number, change)
      scene.undoLast()
      #expect(scene.number == first)
      for _ in 0..<4 {
        guard let post = scene.post(9, in: 1) else { break }
        #expect(scene.refusal(of: waits, by: "a") == .conflict(post))
        scene.change(.skip)
      }
    }
  }

  @Test("by any way from one time to another and back")
  func random() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      var numbers = SeededRandom(seed: seed)
      var scene = Scene.daily()
      var given: Set<Int> = [scene.number]
      for _ in 0..<30 {
        let before = scene.number
        switch numbers.next() % 6 {
        case 0:
          scene.undoLast()
          // Its addition was undone: back again.
          if scene.post(9, in: 1) == nil { scene.undoLast() }
        case 1:
          try scene.setRule(numbers.next() % 2 == 0 ? "FREQ=WEEKLY" : "FREQ=DAILY;INTERVAL=3")
        case 2: scene.must(.editPost(1, 9, PostEdit(title: "\(before)"), ifVersion: nil), by: "a")
        case 3: scene.change(.complete)
        default: scene.change(.skip)
        }
        let post = try #require(scene.post(9, in: 1))
        let isUndo = scene.events[.category(1)]?.last?.undoes.isEmpty == false
        if scene.number != before, !isUndo {
          let isNew = !given.contains(scene.number)
          #expect(isNew, "seed \(seed): \(scene.number) of \(given)")
        }
        given.insert(scene.number)
        let (last, version) = (post.lastOccurrence, post.version)
        #expect(last == given.max() && last <= version, "seed \(seed)")
      }
    }
  }

  @Test("Completions that one undo takes back do not count for the day, and those since do")
  func counted() {
    var scene = Scene.daily()
    func total() -> DayTotal {
      var tally = DayTally(user: "a", start: Timestamp(milliseconds: 0))
      for event in (scene.events[.category(1)] ?? []).reversed() {
        tally.add(event, in: .category(1))
      }
      return tally.total
    }
    let none = total()
    for changes in [[.complete, .complete], [.complete, .skip], [.skip, .complete]]
      as [[OccurrenceChange]]
    {
      let head = scene.head
      for change in changes { scene.change(change) }
      #expect(total().done == none.done + changes.count { $0 == .complete })
      scene.must(
        .undo(UndoTarget(stream: .category(1), events: [head + 1, head + 2], seen: nil)), by: "a")
      #expect(total() == none)
    }
    scene.change(.complete)
    scene.change(.complete)
    #expect(total() == DayTotal(done: none.done + 2, of: none.of + 2))
  }
}
