import Calendar
import TestRandom
import Testing

@testable import Domain

private let a: UserID = "a"

extension Command {
  /// Makes the command that adds a post that is due every day from a day of 1972 on.
  static func daily(_ category: CategoryID, _ post: PostID) -> Command {
    .post(
      .add(
        PostAddress(category: category, post: post),
        NewPost(
          title: "Daily",
          fields: PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(wish("FREQ=DAILY")))))
    )
  }

  /// Makes the command that gives a post that is there the same due.
  static func everyDay(_ category: CategoryID, _ post: PostID) -> Command {
    .editPost(category, post, PostEdit(repeats: .set(wish("FREQ=DAILY"))), ifVersion: nil)
  }
}

private func wish(
  _ rule: String, _ basis: Recurrence.Basis = .due, _ missed: Recurrence.Missed = .dropped
) -> Repetition {
  do {
    return Repetition(try RecurrenceRule(rule), basis: basis, missed: missed)
  } catch {
    fatalError("\(rule): \(error)")
  }
}

private func day(_ text: String) -> Day { Day(text) ?? Day(number: 0) }

/// Reads `2026-11-24`, or `2026-11-24T18:00` in a zone.
private func due(_ text: String, _ zone: String = "Europe/Lisbon") -> Due {
  Due(localTime: text, zone: zone) ?? .day(day(text))
}

/// Returns the moment at which a clock in Lisbon shows this.
private func moment(_ text: String) -> Timestamp {
  let due = due(text.count == 10 ? text + "T12:00" : text)
  return due.deadline(categoryZone: "UTC", almanac: .system) ?? Timestamp(milliseconds: 0)
}

extension Scene {
  /// Returns a scene with post 9 of category 1, which comes again.
  fileprivate static func repeating(
    _ rule: String, from first: String, _ basis: Recurrence.Basis = .due,
    _ missed: Recurrence.Missed = .dropped, zone: String = "Europe/Lisbon", steps: Int = 0
  ) -> Scene {
    var scene = Scene.house()
    scene.now = moment("2026-01-01")
    scene.must(.category(.edit(1, CategoryEdit(zone: "Europe/Lisbon"))), by: a)
    let fields = PostEdit(due: .set(due(first, zone)), repeats: .set(wish(rule, basis, missed)))
    scene.must(
      .post(.add(PostAddress(category: 1, post: 9), NewPost(title: "Again", fields: fields))), by: a
    )
    for step in 0..<steps {
      scene.must(.changeStep(1, 9, StepID(step + 1), .add(content: "s")), by: a)
    }
    return scene
  }

  fileprivate var it: Post { post(9, in: 1) ?? Post.none }

  /// The due as text.
  fileprivate var dueText: String { it.due.map { $0.localTime ?? $0.day.description } ?? "never" }

  @discardableResult
  fileprivate mutating func complete(at time: String? = nil, by user: UserID = a) -> Decision {
    if let time { now = moment(time) }
    return must(.changeOccurrence(1, 9, number, .complete), by: user)
  }
}

extension Post {
  fileprivate static let none = Post(
    id: 0, number: 0, title: "", notes: "", addedBy: a, createdAt: Timestamp(milliseconds: 0),
    updatedAt: Timestamp(milliseconds: 0), version: 0)
}

/// A rule, its first due, and for each completion its moment and the due after it.
private struct Course: CustomTestStringConvertible {
  let rule: String
  let first: String
  var basis = Recurrence.Basis.due
  var missed = Recurrence.Missed.dropped
  var zone = "Europe/Lisbon"
  /// The pairs `completed on → due then`; `done` is the end.
  let times: [(String, String)]
  var testDescription: String { "\(rule) from \(first) \(basis) \(missed)" }

  static let all: [Course] = [
    Course(
      rule: "FREQ=DAILY", first: "2026-03-01",
      times: [("2026-03-01", "2026-03-02"), ("2026-03-02", "2026-03-03")]),
    // Early: the next one stays the next one.
    Course(rule: "FREQ=WEEKLY", first: "2026-03-02", times: [("2026-02-27", "2026-03-09")]),
    // Late, and what was missed is left out or comes one by one.
    Course(rule: "FREQ=DAILY", first: "2026-03-01", times: [("2026-03-05", "2026-03-05")]),
    Course(
      rule: "FREQ=DAILY", first: "2026-03-01", missed: .kept,
      times: [("2026-03-05", "2026-03-02"), ("2026-03-05", "2026-03-03")]),
    Course(rule: "FREQ=WEEKLY", first: "2026-03-02", times: [("2026-03-17", "2026-03-23")]),
    Course(
      rule: "FREQ=WEEKLY;INTERVAL=2", first: "2026-03-02", times: [("2026-03-17", "2026-03-30")]),
    // The day of completion counts, and its time is over.
    Course(
      rule: "FREQ=DAILY", first: "2026-03-01T09:00",
      times: [("2026-03-03T20:00", "2026-03-04T09:00")]),
    Course(
      rule: "FREQ=DAILY", first: "2026-03-01T21:00",
      times: [("2026-03-03T20:00", "2026-03-03T21:00")]),
    // The rule counts from the day of completion on.
    Course(
      rule: "FREQ=DAILY;INTERVAL=3", first: "2026-03-01", basis: .completion,
      times: [("2026-03-05", "2026-03-08"), ("2026-03-06", "2026-03-09")]),
    Course(
      rule: "FREQ=MONTHLY", first: "2026-01-31", basis: .completion,
      times: [("2026-02-10", "2026-03-10")]),
    // The intended day is remembered.
    Course(
      rule: "FREQ=MONTHLY", first: "2026-01-31",
      times: [
        ("2026-01-31", "2026-02-28"), ("2026-02-28", "2026-03-31"), ("2026-03-31", "2026-04-30"),
        ("2026-04-30", "2026-05-31"),
      ]),
    Course(
      rule: "FREQ=MONTHLY;BYMONTHDAY=31", first: "2026-01-31", times: [("2026-01-31", "2026-03-31")]
    ),
    Course(
      rule: "FREQ=MONTHLY;BYMONTHDAY=-1", first: "2026-01-31", times: [("2026-01-31", "2026-02-28")]
    ),
    Course(rule: "FREQ=YEARLY", first: "2024-02-29", times: [("2026-03-01", "2027-02-28")]),
    // Wall-clock time is kept over both changes of clocks (29 March, 25 October), also where it is not shown.
    Course(
      rule: "FREQ=DAILY", first: "2026-03-28T01:30",
      times: [
        ("2026-03-28T01:00", "2026-03-29T01:30"), ("2026-03-29T02:45", "2026-03-30T01:30"),
      ]),
    Course(
      rule: "FREQ=DAILY", first: "2026-10-24T01:30",
      times: [
        ("2026-10-24T01:00", "2026-10-25T01:30"), ("2026-10-25T01:00", "2026-10-26T01:30"),
      ]),
    // The days are those of the due's zone.
    Course(
      rule: "FREQ=DAILY", first: "2026-03-01T08:00", basis: .completion, zone: "Asia/Kathmandu",
      times: [("2026-03-01T20:00", "2026-03-03T08:00")]),
    // These rules have ends.
    Course(
      rule: "FREQ=DAILY;COUNT=2", first: "2026-03-01",
      times: [("2026-03-01", "2026-03-02"), ("2026-03-02", "done")]),
    Course(
      rule: "FREQ=DAILY;COUNT=5", first: "2026-03-01",
      times: [("2026-03-04", "2026-03-04"), ("2026-03-04", "2026-03-05"), ("2026-03-05", "done")]),
    Course(rule: "FREQ=DAILY;COUNT=3", first: "2026-03-01", times: [("2026-03-09", "done")]),
    Course(
      rule: "FREQ=WEEKLY;UNTIL=20260310", first: "2026-03-02",
      times: [("2026-03-02", "2026-03-09"), ("2026-03-09", "done")]),
  ]
}

@Suite("DESIGN §3: posts that come again") struct RepetitionTests {
  @Test("completing sets the post to the next date", arguments: Course.all)
  private func courses(course: Course) {
    var scene = Scene.repeating(
      course.rule, from: course.first, course.basis, course.missed, zone: course.zone)
    for (time, next) in course.times {
      scene.complete(at: time)
      #expect(next == "done" ? scene.it.completed != nil : scene.it.completed == nil)
      if next != "done" { #expect(scene.dueText == next) }
    }
  }

  @Test("it is one event, and what is on the post stays")
  func oneEvent() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01", steps: 2)
    scene.must(.changeTag(1, 5, .add(name: "t")), by: a)
    scene.must(.post(.change(1, 9, .tag(5))), by: a)
    scene.must(.post(.change(1, 9, .assign("a"))), by: a)
    scene.must(.changeOccurrence(1, 9, 1, .finish(1)), by: a)
    let before = scene.it
    let counters = scene.category(1)?.counters
    let decision = scene.complete(at: "2026-03-01")
    #expect(decision.drafts.map(\.ops.count) == [1])
    guard case .post(.occurred(_, let version, let news, let told)) = decision.drafts[0].ops[0]
    else {
      Issue.record("\(decision.drafts[0].ops)")
      return
    }
    #expect(version == before.version + 1 && scene.it.version == version && told == counters)
    #expect(news.reason == .completed(Stamp(at: scene.now, by: a)))
    #expect(scene.it.openSteps == [1, 2])
    #expect(scene.it.tags == before.tags && scene.it.assignees == before.assignees)
    #expect(scene.it.occurrence?.last == Stamp(at: scene.now, by: a))
    #expect(scene.it.completed == nil && scene.category(1)?.counters == counters)
  }

  @Test("the last open step completes the occurrence")
  func lastStep() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01", steps: 2)
    scene.must(.changeOccurrence(1, 9, 1, .finish(1)), by: a)
    #expect(scene.number == 1)
    let decision = scene.must(.changeOccurrence(1, 9, 1, .finish(2)), by: a)
    #expect(decision.drafts[0].ops.count == 2)
    #expect(scene.number == 2 && scene.it.openSteps == [1, 2])
    // When two people finish it at once, the second finishes nothing of the next time.
    #expect(
      scene.refusal(of: .changeOccurrence(1, 9, 1, .finish(2)), by: a) == .conflict(scene.it))
  }

  @Test("The second of two people who complete it at once is told")
  func once() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01")
    scene.admit("b", to: .category(1), as: .doer, by: a, number: 50)
    let click = Command.changeOccurrence(1, 9, 1, .complete)
    let atVersion = Command.completePost(1, 9, ifVersion: 1)
    scene.must(click, by: a)
    #expect(scene.refusal(of: click, by: "b") == .conflict(scene.it))
    #expect(scene.refusal(of: atVersion, by: "b") == .conflict(scene.it))
    #expect(scene.refusal(of: .changeOccurrence(1, 9, 1, .skip), by: a) == .conflict(scene.it))
    #expect(scene.number == 2)
    scene.must(.completePost(1, 9, ifVersion: 2), by: "b")
    #expect(scene.number == 3)
  }

  @Test("who does not say which one is told to")
  func unclear() {
    var scene = Scene.repeating("FREQ=DAILY;COUNT=1", from: "2026-03-01", steps: 1)
    let missing = Refusal.invalid(
      field: "occurrence", reason: "is missing; the post comes again")
    #expect(scene.refusal(of: .completePost(1, 9, ifVersion: nil), by: a) == missing)
    #expect(scene.refusal(of: .changeStep(1, 9, 1, .complete), by: a) == missing)
    #expect(
      scene.refusal(of: .changeOccurrence(1, 1, 1, .complete), by: a)
        == .conflict(scene.post(1, in: 1) ?? .none))
    scene.complete()
    // The post is over for good: it is done, whatever time a command means.
    #expect(scene.changes(.completePost(1, 9, ifVersion: nil), by: a) == false)
    #expect(scene.changes(.changeOccurrence(1, 9, 1, .complete), by: a) == false)
    scene.must(.reopenPost(1, 9, ifVersion: nil), by: a)
    #expect(scene.number == 1 && scene.dueText == "2026-03-01")
    #expect(scene.refusal(of: .completePost(1, 9, ifVersion: nil), by: a) == missing)
  }

  @Test("an occurrence's number is never given again")
  func numbers() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01")
    scene.complete(at: "2026-03-01")
    scene.must(.editPost(1, 9, PostEdit(repeats: .clear), ifVersion: nil), by: a)
    #expect(scene.it.repeats == nil && scene.dueText == "2026-03-02")
    scene.must(
      .editPost(1, 9, PostEdit(repeats: .set(wish("FREQ=WEEKLY"))), ifVersion: nil), by: a)
    #expect(scene.number == 4)
    for stale in 1...3 {
      #expect(
        scene.refusal(of: .changeOccurrence(1, 9, stale, .complete), by: a) == .conflict(scene.it))
    }
  }
}

@Suite("DESIGN §3: this one or all") struct ThisOneOrAllTests {
  @Test("a due alone is moved for once")
  func moved() {
    var scene = Scene.repeating("FREQ=MONTHLY", from: "2026-01-31T18:00")
    scene.complete(at: "2026-01-31T10:00")
    scene.must(.editPost(1, 9, PostEdit(due: .set(due("2026-02-25"))), ifVersion: nil), by: a)
    #expect(scene.number == 2 && scene.it.occurrence?.due == due("2026-02-28T18:00"))
    scene.complete(at: "2026-02-25")
    #expect(scene.dueText == "2026-03-31T18:00")
  }

  @Test("a due with a repetition begins anew")
  func anew() {
    var scene = Scene.repeating("FREQ=WEEKLY", from: "2026-03-02")
    scene.must(
      .editPost(
        1, 9, PostEdit(due: .set(due("2026-03-04")), repeats: .set(wish("FREQ=WEEKLY"))),
        ifVersion: nil), by: a)
    scene.complete(at: "2026-03-04")
    #expect(scene.dueText == "2026-03-11")
  }

  @Test("an edit of one occurrence never changes another")
  func editOfOne() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01")
    let saturday = PostEdit(due: .set(due("2026-03-07")))
    scene.must(.changeOccurrence(1, 9, 1, .edit(saturday)), by: a)
    #expect(scene.number == 1 && scene.dueText.hasPrefix("2026-03-07"))
    scene.complete()
    let now = scene.it
    #expect(scene.refusal(of: .changeOccurrence(1, 9, 1, .edit(saturday)), by: a) == .conflict(now))
    #expect(scene.it == now)
  }

  @Test("A value that is so already begins nothing anew")
  func same() {
    var scene = Scene.repeating("FREQ=WEEKLY", from: "2026-03-02")
    scene.complete(at: "2026-03-02")
    let again = PostEdit(repeats: .set(wish("FREQ=WEEKLY")))
    #expect(scene.changes(.editPost(1, 9, again, ifVersion: nil), by: a) == false)
    let both = PostEdit(due: .set(due("2026-03-09")), repeats: .set(wish("FREQ=WEEKLY")))
    #expect(scene.changes(.editPost(1, 9, both, ifVersion: nil), by: a) == false)
    let other = PostEdit(repeats: .set(wish("FREQ=WEEKLY", .due, .kept)))
    #expect(scene.changes(.editPost(1, 9, other, ifVersion: nil), by: a) == true)
  }

  @Test("without a due nothing comes again")
  func needsDue() {
    var scene = Scene.repeating("FREQ=WEEKLY", from: "2026-03-02")
    let weekly = FieldChange.set(wish("FREQ=WEEKLY"))
    let refusal = Refusal.invalid(field: "recurrence", reason: "needs a due")
    let edits = [PostEdit(repeats: weekly), PostEdit(due: .clear, repeats: weekly)]
    for edit in edits {
      #expect(scene.refusal(of: .editPost(1, 1, edit, ifVersion: nil), by: a) == refusal)
    }
    let new = NewPost(title: "x", fields: PostEdit(repeats: weekly))
    let address = PostAddress(category: 1, post: 10)
    #expect(scene.refusal(of: .post(.add(address, new)), by: a) == refusal)
    scene.must(.editPost(1, 9, PostEdit(due: .clear), ifVersion: nil), by: a)
    #expect(scene.it.repeats == nil && scene.it.due == nil)
  }

  @Test("a rule that has no day from the due on is refused")
  func neverFires() {
    let rule = wish("FREQ=DAILY;UNTIL=20260301")
    let fields = PostEdit(due: .set(due("2026-03-02")), repeats: .set(rule))
    let command = Command.post(
      .add(
        PostAddress(category: 1, post: 10), NewPost(title: "x", fields: fields)))
    #expect(
      Scene.house().refusal(of: command, by: a)
        == .invalid(field: "recurrence.rule", reason: RecurrenceProblem.neverFires.reason))
  }

  @Test("one is left out, also by removing it; the last one is not", arguments: [true, false])
  func skipped(removing: Bool) {
    var scene = Scene.repeating("FREQ=WEEKLY;COUNT=2", from: "2026-03-02", steps: 1)
    scene.must(.editPost(1, 9, PostEdit(due: .set(due("2026-03-04"))), ifVersion: nil), by: a)
    let change = removing ? OccurrenceChange.remove : .skip
    let decision = scene.must(.changeOccurrence(1, 9, 1, change), by: a)
    guard case .post(.occurred(_, _, let news, _)) = decision.drafts[0].ops[0] else {
      Issue.record("\(decision.drafts)")
      return
    }
    #expect(news.reason == .skipped(Stamp(at: scene.now, by: a)))
    #expect(scene.dueText == "2026-03-09" && scene.it.occurrence?.last == nil)
    let last = Command.changeOccurrence(1, 9, 2, change)
    guard removing else {
      let isLast = Refusal.invalid(field: "occurrence", reason: "is the last one")
      return #expect(scene.refusal(of: last, by: a) == isLast)
    }
    scene.must(last, by: a)
    #expect(scene.post(9, in: 1) == nil)
  }

  @Test("a post that was left out is nobody's work done")
  func notCounted() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01")
    scene.must(.changeOccurrence(1, 9, 1, .skip), by: a)
    scene.complete(at: "2026-03-02")
    let events = scene.events[.category(1)] ?? []
    let viewer = Viewer(user: "b", joinedSeq: 0)
    let kinds = events.suffix(2).flatMap { notify($0, in: .category(1), viewer: viewer) }.map(
      \.kind)
    #expect(kinds == [.completed])
    var tally = DayTally(user: a, start: moment("2026-03-02T00:00"))
    for event in events.reversed() { tally.add(event, in: .category(1)) }
    #expect(tally.total == DayTotal(done: 1, of: 1))
    _ = scene.undoLast()
    var after = DayTally(user: a, start: moment("2026-03-02T00:00"))
    for event in (scene.events[.category(1)] ?? []).reversed() {
      after.add(event, in: .category(1))
    }
    #expect(after.total == DayTotal(done: 0, of: 0))
  }
}

@Suite("DESIGN §4: undo of occurrences") struct RepetitionUndoTests {
  @Test("takes back the completion and the next date, and redo lets it be over again")
  func undoAndRedo() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01", steps: 2)
    scene.must(.changeOccurrence(1, 9, 1, .finish(1)), by: a)
    let before = scene.it
    scene.complete(at: "2026-03-01")
    let after = scene.it
    let undone = scene.undoLast()
    #expect(undone.drafts.map(\.ops.count) == [1] && undone.skipped == [])
    #expect(scene.it.hasContent(of: before))
    #expect(scene.refusal(of: .changeOccurrence(1, 9, 2, .complete), by: a) != nil)
    let redone = scene.undoLast()
    guard case .post(.occurred(_, _, let news, _)) = redone.drafts[0].ops[0] else {
      Issue.record("\(redone.drafts)")
      return
    }
    #expect(news.reason == .completed(Stamp(at: moment("2026-03-01"), by: a)))
    #expect(scene.it.hasContent(of: after))
    _ = scene.undoLast()
    scene.complete()
    #expect(scene.number == 3)
  }

  @Test("the last one goes back, too")
  func last() {
    var scene = Scene.repeating("FREQ=DAILY;COUNT=2", from: "2026-03-01")
    scene.complete(at: "2026-03-01")
    scene.complete(at: "2026-03-02")
    #expect(scene.it.completed != nil)
    let seq = scene.heads[.category(1)]?.seq ?? 0
    scene.must(
      .undo(UndoTarget(stream: .category(1), events: [seq - 1, seq], seen: nil)), by: a)
    #expect(scene.it.completed == nil && scene.number == 1 && scene.dueText == "2026-03-01")
  }

  @Test("behind another completion, or another due, nothing goes back")
  func later() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01", steps: 1)
    scene.complete(at: "2026-03-01")
    let seq = scene.heads[.category(1)]?.seq ?? 0
    var moved = scene
    scene.complete(at: "2026-03-02")
    moved.must(.editPost(1, 9, PostEdit(due: .set(due("2026-03-20"))), ifVersion: nil), by: a)
    for var scene in [scene, moved] {
      let before = scene.it
      let undone = scene.must(
        .undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: a)
      #expect(undone.drafts.isEmpty && undone.skipped?.map(\.reason) == [.later])
      #expect(scene.it == before)
    }
  }

  @Test("a due of an earlier time, or a finish, does not come back to a later one")
  func otherOccurrence() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01", steps: 2)
    scene.must(.editPost(1, 9, PostEdit(due: .set(due("2026-03-02"))), ifVersion: nil), by: a)
    let moved = scene.heads[.category(1)]?.seq ?? 0
    scene.must(.changeOccurrence(1, 9, 1, .finish(1)), by: a)
    scene.must(.changeStep(1, 9, 1, .reopen), by: a)
    let reopened = scene.heads[.category(1)]?.seq ?? 0
    scene.complete(at: "2026-03-01")
    let before = scene.it
    #expect(before.due == due("2026-03-02"))
    for seq in [moved, reopened] {
      scene.must(.undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: a)
      #expect(scene.it == before)
    }
  }

  @Test("a doer takes back what they completed, with the steps that others had finished")
  func doers() {
    var scene = Scene.repeating("FREQ=DAILY", from: "2026-03-01", steps: 2)
    scene.admit("b", to: .category(1), as: .doer, by: a, number: 50)
    scene.must(.changeOccurrence(1, 9, 1, .finish(1)), by: a)
    scene.must(.changeOccurrence(1, 9, 1, .finish(2)), by: "b")
    #expect(scene.number == 2)
    #expect(scene.undoLast(by: "b").skipped == [])
    #expect(scene.number == 1 && scene.it.openSteps == [2])
    #expect(scene.undoLast(by: "b").skipped == [])
    #expect(scene.number == 2)
    #expect(scene.refusal(of: .changeOccurrence(1, 9, 2, .skip), by: "b") != nil)
  }

  @Test("a repetition that was set goes, as long as it stands at its first time")
  func set() {
    var scene = Scene.house()
    scene.must(
      .editPost(
        1, 1, PostEdit(due: .set(due("2026-03-01")), repeats: .set(wish("FREQ=DAILY"))),
        ifVersion: nil), by: a)
    let seq = scene.heads[.category(1)]?.seq ?? 0
    var later = scene
    _ = scene.undoLast()
    #expect(scene.post(1, in: 1)?.repeats == nil && scene.post(1, in: 1)?.due == nil)
    later.must(.changeOccurrence(1, 1, 2, .complete), by: a)
    let undone = later.must(
      .undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: a)
    #expect(undone.drafts.isEmpty && undone.skipped?.map(\.reason) == [.later])
  }
}
