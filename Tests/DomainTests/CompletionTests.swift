import Calendar
import TestRandom
import Testing

@testable import Domain

/// A completion on a day, and the day on which a post that is counted from completion is due then.
private struct Completion: CustomTestStringConvertible {
  let rule: String
  let due: String
  let completed: String
  /// The next day, or `done` where the completed time was the last one.
  let next: String

  init(_ rule: String, due: String, completed: String, next: String) {
    self.rule = rule
    self.due = due
    self.completed = completed
    self.next = next
  }

  var testDescription: String { "\(rule), due \(due), completed \(completed)" }

  // 2026-11-25 is a Wednesday.
  static let all: [Completion] =
    [
      // The completions are late, early, on their day, and a day later.
      ("2026-11-22", "2026-11-25", "2026-12-27"), ("2026-11-29", "2026-11-25", "2026-12-27"),
      ("2026-11-29", "2026-11-29", "2026-12-27"), ("2026-11-29", "2026-11-30", "2027-01-03"),
      // These are so early that the interval ends on the day that was due, and before it.
      ("2026-12-27", "2026-11-25", "2027-01-24"), ("2026-12-27", "2026-11-18", "2027-01-17"),
    ].map {
      Completion("FREQ=WEEKLY;INTERVAL=4;BYDAY=SU", due: $0.0, completed: $0.1, next: $0.2)
    } + [
      // A week that begins on Sunday ends a day earlier.
      Completion(
        "FREQ=WEEKLY;INTERVAL=4;BYDAY=SU;WKST=SU", due: "2026-11-22", completed: "2026-11-25",
        next: "2026-12-20"),
      Completion(
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", due: "2026-11-23", completed: "2026-11-23",
        next: "2026-12-07"),
      Completion(
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;BYSETPOS=-1", due: "2026-11-27",
        completed: "2026-11-24", next: "2026-12-11"),
      Completion(
        "FREQ=WEEKLY;INTERVAL=2", due: "2026-11-27", completed: "2026-11-25", next: "2026-12-09"),
      // Without an interval only the day that was due is excluded.
      Completion(
        "FREQ=WEEKLY;BYDAY=SU", due: "2026-11-22", completed: "2026-11-25", next: "2026-11-29"),
      Completion(
        "FREQ=WEEKLY;BYDAY=SU", due: "2026-11-29", completed: "2026-11-25", next: "2026-12-06"),
      Completion(
        "FREQ=WEEKLY;BYDAY=MO,TH", due: "2026-11-23", completed: "2026-11-23", next: "2026-11-26"),
      Completion("FREQ=DAILY", due: "2026-11-28", completed: "2026-11-25", next: "2026-11-29"),
      Completion(
        "FREQ=DAILY;INTERVAL=3", due: "2026-11-28", completed: "2026-11-25", next: "2026-12-01"),
      Completion(
        "FREQ=DAILY;INTERVAL=3", due: "2026-11-28", completed: "2026-11-26", next: "2026-11-29"),
      Completion(
        "FREQ=DAILY;INTERVAL=2;BYDAY=MO,WE", due: "2026-11-25", completed: "2026-11-25",
        next: "2026-12-07"),
      Completion(
        "FREQ=DAILY;INTERVAL=40;BYMONTH=1,2", due: "2026-11-20", completed: "2026-11-25",
        next: "2027-01-04"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", due: "2026-11-27", completed: "2026-11-25",
        next: "2027-02-26"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", due: "2026-11-27", completed: "2026-12-02",
        next: "2027-03-26"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=30", due: "2026-11-30", completed: "2026-11-25",
        next: "2027-01-30"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=30", due: "2026-11-30", completed: "2026-11-25",
        next: "2027-05-30"),
      Completion(
        "FREQ=MONTHLY;BYMONTHDAY=30", due: "2026-11-30", completed: "2026-11-25",
        next: "2026-12-30"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", due: "2026-11-30",
        completed: "2026-11-10", next: "2027-01-29"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=6;BYMONTH=5,11;BYMONTHDAY=1", due: "2026-11-01",
        completed: "2026-11-25", next: "2027-05-01"),
      Completion("FREQ=MONTHLY", due: "2026-12-25", completed: "2026-11-25", next: "2027-01-25"),
      Completion(
        "FREQ=YEARLY;INTERVAL=2", due: "2026-11-28", completed: "2026-11-25", next: "2028-11-25"),
      Completion(
        "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", due: "2026-12-24", completed: "2026-11-25",
        next: "2027-12-24"),
      Completion(
        "FREQ=YEARLY;INTERVAL=2;BYMONTH=12;BYMONTHDAY=24", due: "2026-12-24",
        completed: "2026-11-25", next: "2028-12-24"),
      Completion(
        "FREQ=YEARLY;INTERVAL=2;BYMONTH=1,7;BYMONTHDAY=1", due: "2026-07-01",
        completed: "2026-06-20", next: "2028-01-01"),
      Completion(
        "FREQ=YEARLY;INTERVAL=3;BYDAY=20MO", due: "2026-05-18", completed: "2026-05-10",
        next: "2029-05-14"),
      // The interval alone never meets a named day again, so the first one after it counts.
      Completion(
        "FREQ=DAILY;INTERVAL=14;BYDAY=MO", due: "2026-11-23", completed: "2026-11-24",
        next: "2026-12-14"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=12;BYMONTH=1;BYMONTHDAY=6", due: "2027-01-06",
        completed: "2027-02-01", next: "2029-01-06"),
      Completion(
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", due: "2028-02-29",
        completed: "2029-01-05", next: "2036-02-29"),
      // These rules have ends.
      Completion(
        "FREQ=WEEKLY;INTERVAL=4;BYDAY=SU;UNTIL=20261227", due: "2026-11-22",
        completed: "2026-11-25", next: "2026-12-27"),
      Completion(
        "FREQ=WEEKLY;INTERVAL=4;BYDAY=SU;UNTIL=20261226", due: "2026-11-22",
        completed: "2026-11-25", next: "done"),
      Completion(
        "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR;COUNT=1", due: "2026-11-27", completed: "2026-11-25",
        next: "done"),
    ]
}

private func day(_ text: String) -> Day { Day(text) ?? Day(number: 0) }

@Suite("protocol §3.6: intervals that are counted from completion") struct CompletionTests {
  @Test(
    "The next due is later than the last one and outside of the period of completion",
    arguments: Completion.all)
  private func rows(row: Completion) throws {
    let rule = try RecurrenceRule(row.rule)
    let it = try Recurrence(rule, basis: .completion, due: day(row.due), almanac: .system)
    let next = it.next(completedOn: day(row.completed), missed: .dropped, almanac: .system)
    #expect(next?.day == (row.next == "done" ? nil : day(row.next)))
    #expect(next == nil || next?.start == day(row.completed))
  }

  @Test("A time that is left out counts as completed on its day")
  func skipped() throws {
    for row in Completion.all where row.next != "done" {
      let rule = try RecurrenceRule(row.rule)
      let it = try Recurrence(rule, basis: .completion, due: day(row.due), almanac: .system)
      let completed = it.next(completedOn: it.day, missed: .dropped, almanac: .system)
      #expect(it.skipped(almanac: .system) == completed)
    }
  }

  @Test("A due that was moved for once is earlier than the next one, too")
  func moved() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;INTERVAL=3")
    let it = try Recurrence(rule, basis: .completion, due: day("2026-11-28"), almanac: .system)
    for (due, next) in [("2026-11-26", "2026-12-01"), ("2026-12-04", "2026-12-07")] {
      let found = it.next(
        completedOn: day("2026-11-25"), due: day(due), missed: .dropped, almanac: .system)
      #expect(found?.day == day(next))
    }
  }

  @Test("Random rules: no completion gives an earlier day, the same day or one of the same period")
  func random() throws {
    var chance = SeededRandom(seed: 2_611)
    var (asked, ended) = (0, 0)
    while asked < 4_000 {
      guard let rule = try? RecurrenceRule(Self.rule(&chance)) else { continue }
      let due = Day(number: 20_000 + chance.below(2_000))
      guard var it = try? Recurrence(rule, basis: .completion, due: due, almanac: .system)
      else { continue }
      asked += 1
      let early = chance.below(3) == 0
      var today = due.adding(days: early ? -chance.below(90) : chance.below(90))
      for _ in 0..<4 {
        guard let next = it.next(completedOn: today, missed: .dropped, almanac: .system)
        else {
          ended += 1
          break
        }
        let words: Comment = "\(rule), due \(it.day), completed \(today): \(next.day)"
        let period = RulePeriod(rule)
        let periods = period.number(of: next.day) - period.number(of: today)
        #expect(next.day > it.day && next.day > today, words)
        #expect(rule.interval == 1 || periods >= rule.interval, words)
        #expect(next.start == today, words)
        it = next
        // The next completion is at once, or some time later.
        today = today.adding(days: chance.below(2) * chance.below(60))
      }
    }
    #expect(ended < asked / 4, "most rules come again")
  }

  /// Makes a rule of any frequency, with or without named days.
  private static func rule(_ chance: inout SeededRandom) -> String {
    let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][chance.below(4)]
    let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    var parts = ["FREQ=" + frequency, "INTERVAL=\(1 + chance.below(6))"]
    if chance.below(3) == 0 {
      parts.append("BYMONTH=\(1 + chance.below(12)),\(1 + chance.below(12))")
    }
    switch chance.below(4) {
    case 0: parts.append("BYDAY=" + weekdays[chance.below(7)] + "," + weekdays[chance.below(7)])
    case 1: parts.append("BYMONTHDAY=\(1 + chance.below(31)),-\(1 + chance.below(31))")
    case 2: parts.append("BYDAY=\(1 + chance.below(4))" + weekdays[chance.below(7)])
    default: break
    }
    if chance.below(4) == 0 { parts.append("BYSETPOS=-1") }
    if chance.below(4) == 0 { parts.append("WKST=SU") }
    return parts.joined(separator: ";")
  }
}

@Suite("protocol §3.6: work that is done early") struct EarlyTests {
  /// Completes post 9 of category 1 on a day, and returns the day on which it is due then.
  private static func complete(_ scene: inout Scene, on day: String) -> Day? {
    let noon = Due(localTime: day + "T12:00", zone: "UTC")
    scene.now = noon?.deadline(categoryZone: "UTC", almanac: .system) ?? scene.now
    let number = scene.post(9, in: 1)?.occurrence?.number ?? 0
    scene.must(.changeOccurrence(1, 9, number, .complete), by: "a")
    return scene.post(9, in: 1)?.due?.day
  }

  private static func repeating(_ rule: String, from due: String) throws -> Scene {
    var scene = Scene.house()
    let wish = Repetition(try RecurrenceRule(rule), basis: .completion)
    let fields = PostEdit(due: .set(.day(day(due))), repeats: .set(wish))
    let address = PostAddress(category: 1, post: 9)
    scene.must(.post(.add(address, NewPost(title: "Again", fields: fields))), by: "a")
    return scene
  }

  @Test("Who completes a post again and again on one day is each time an interval further")
  func again() throws {
    var scene = try Self.repeating("FREQ=WEEKLY;INTERVAL=4;BYDAY=SU", from: "2026-11-29")
    for next in ["2026-12-27", "2027-01-24", "2027-02-21", "2027-03-21"] {
      #expect(Self.complete(&scene, on: "2026-11-25") == day(next))
    }
  }

  @Test("A due that somebody moved back brings no day again")
  func movedBack() throws {
    var scene = try Self.repeating("FREQ=DAILY;INTERVAL=3", from: "2026-11-25")
    for next in ["2026-11-28", "2026-12-01", "2026-12-04"] {
      #expect(Self.complete(&scene, on: "2026-11-25") == day(next))
      let earlier = PostEdit(due: .set(.day(day("2026-11-20"))))
      scene.must(.editPost(1, 9, earlier, ifVersion: nil), by: "a")
    }
  }
}
