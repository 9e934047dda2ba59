import Calendar
import Testing

@testable import Domain

/// Scenes in which post 9 of category 1 comes by a rule from 31 March 2026 on, at 18:00 in Lisbon.
extension Scene {
  fileprivate static func monthly(_ rule: String = "FREQ=MONTHLY") throws -> Scene {
    var scene = Scene.house()
    scene.must(
      .post(
        .add(
          PostAddress(category: 1, post: 9),
          NewPost(title: "Rent", fields: try edit(rule, "2026-03-31T18:00")))), by: "a")
    return scene
  }

  /// Makes the edit that sets the rule and the first due together.
  fileprivate static func edit(
    _ rule: String, _ due: String, _ basis: Recurrence.Basis = .due
  ) throws -> PostEdit {
    let due = try #require(Due(localTime: due, zone: "Europe/Lisbon"))
    return PostEdit(
      due: .set(due), repeats: .set(Repetition(try RecurrenceRule(rule), basis: basis)))
  }

  /// Returns the dues of the present time and of the next two.
  fileprivate func dues() throws -> [String] {
    var scene = self
    return try (0..<3).map { _ in
      let post = try #require(scene.post(9, in: 1))
      let number = try #require(post.occurrence?.number)
      scene.must(.changeOccurrence(1, 9, number, .skip), by: "a")
      return post.due?.localTime ?? ""
    }
  }
}

@Suite("protocol §3.6: a rule that is set with a due, again")
struct DueOfAllTests {
  @Test("another time of day leaves the days as they are, whatever day stands for which")
  func timeOfDay() throws {
    var scene = try Scene.monthly()
    scene.must(.changeOccurrence(1, 9, 1, .skip), by: "a")
    #expect(try scene.dues() == ["2026-04-30T18:00", "2026-05-31T18:00", "2026-06-30T18:00"])
    // As often as it was to come, whoever says so.
    for rule in ["FREQ=MONTHLY", "FREQ=MONTHLY;COUNT=9"] {
      var scene = scene
      scene.must(
        .editPost(1, 9, try Scene.edit(rule, "2026-04-30T09:00"), ifVersion: nil), by: "a")
      #expect(try scene.dues() == ["2026-04-30T09:00", "2026-05-31T09:00", "2026-06-30T09:00"])
    }
  }

  /// The changes to the time before, and the due that is then set for all.
  static let rows: [(before: [OccurrenceChange], due: String)] =
    [[], [.complete], [.skip], [.complete, .skip], [.skip, .complete]].flatMap { before in
      ["2026-12-31T18:00", "2026-12-30T09:00", "2026-12-31T09:00"].map { (before, $0) }
    }

  @Test("its undo opens no time again, its redo lets none be over", arguments: rows)
  func undone(before: [OccurrenceChange], due: String) throws {
    var scene = try Scene.monthly()
    for change in before {
      scene.must(.changeOccurrence(1, 9, scene.number, change), by: "a")
    }
    let first = try #require(scene.post(9, in: 1))
    // Another hour for the same time counts, too.
    let day = try #require(first.due?.localTime?.prefix(10))
    let wanted = before.isEmpty && due.hasPrefix("2026-12-31T09") ? "\(day)T09:00" : due
    scene.must(.editPost(1, 9, try Scene.edit("FREQ=MONTHLY", wanted), ifVersion: nil), by: "a")
    for isUndo in [true, false, true, false] {
      let decision = scene.undoLast()
      #expect(decision.skipped == [])
      for op in decision.drafts.flatMap(\.ops) {
        guard case .post(.edited) = op else {
          Issue.record("\(op)")
          continue
        }
      }
      #expect((scene.post(9, in: 1)?.due == first.due) == isUndo)
    }
  }

  @Test("the weeks that count stay the same")
  func weeks() throws {
    var scene = try Scene.monthly("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU")
    scene.must(.changeOccurrence(1, 9, 1, .skip), by: "a")
    let before = try scene.dues()
    scene.must(
      .editPost(
        1, 9, try Scene.edit("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU", "2026-04-13T09:00"),
        ifVersion: nil), by: "a")
    #expect(try scene.dues() == before.map { $0.replacing("18:00", with: "09:00") })
  }

  @Test("another day, rule or basis begins anew from the due")
  func anew() throws {
    let rows: [(rule: String, due: String, basis: Recurrence.Basis, next: String)] = [
      ("FREQ=MONTHLY", "2026-04-29T18:00", .due, "2026-05-29T18:00"),
      ("FREQ=MONTHLY;INTERVAL=2", "2026-04-30T18:00", .due, "2026-06-30T18:00"),
      ("FREQ=MONTHLY", "2026-04-30T18:00", .completion, "2026-05-30T18:00"),
    ]
    for row in rows {
      var scene = try Scene.monthly()
      scene.must(.changeOccurrence(1, 9, 1, .skip), by: "a")
      scene.must(
        .editPost(1, 9, try Scene.edit(row.rule, row.due, row.basis), ifVersion: nil), by: "a")
      #expect(try scene.dues().dropLast() == [row.due, row.next])
    }
  }
}
