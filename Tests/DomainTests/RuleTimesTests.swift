import Calendar
import Testing

@testable import Domain

private let a: UserID = "a"

/// Reads `2026-11-25`, or `2026-11-25T18:00@Europe/Lisbon`.
private func due(_ text: String) -> Due {
  let parts = text.split(separator: "@").map(String.init)
  if parts.count == 2, let due = Due(localTime: parts[0], zone: parts[1]) { return due }
  return .day(Day(text) ?? Day(number: 0))
}

@Suite("protocol §3.6: times of day in a rule are the due's") struct RuleTimesTests {
  @Test(
    "UNTIL with a time is the last day on which the due comes by then",
    arguments: [
      // A day is that of the list, in Lisbon.
      ("2026-11-25", "20261231T235959Z", "20261231"), ("2026-11-25", "20261231T000000", "20261231"),
      ("2026-07-25", "20260831T230000Z", "20260901"),
      // A time is compared, as RFC 5545 §3.3.10 has it.
      ("2026-11-25T18:00@Europe/Lisbon", "20261231T180000Z", "20261231"),
      ("2026-11-25T18:00@Europe/Lisbon", "20261231T175959Z", "20261230"),
      ("2026-11-25T18:00@Europe/Lisbon", "20261231T180000", "20261231"),
      ("2026-11-25T18:00@Europe/Lisbon", "20261231T175959", "20261230"),
      // The end of a day there, and one second before the first one that is not to come.
      ("2026-11-25T09:00@Europe/Berlin", "20261231T225959Z", "20261231"),
      ("2026-11-25T10:00@Europe/Berlin", "20261210T085959Z", "20261209"),
      ("2026-11-25T09:00@America/New_York", "20270101T045959Z", "20261231"),
      ("2026-11-25T09:00@Asia/Tokyo", "20261231T235959Z", "20261231"),
      ("2026-11-25T08:00@Asia/Tokyo", "20261231T235959Z", "20270101"),
      // It is summer time there.
      ("2026-06-25T00:30@Europe/Berlin", "20260831T223000Z", "20260901"),
      ("2026-11-25T23:59@UTC", "20261231T235960Z", "20261231"),
    ])
  func until(start: String, until: String, last: String) throws {
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=" + until)
    #expect(rule.end == .never)
    let (settled, same) = try rule.settled(
      for: due(start), categoryZone: "Europe/Lisbon", almanac: .system)
    #expect(settled.description == "FREQ=DAILY;UNTIL=" + last)
    #expect(same == due(start))
  }

  @Test(
    "BYHOUR and BYMINUTE give a day its time, and a due with another time is refused",
    arguments: [
      ("2026-11-25", "BYHOUR=9;BYMINUTE=30", "2026-11-25T09:30@Europe/Lisbon"),
      ("2026-11-25", "BYHOUR=9", "2026-11-25T09:00@Europe/Lisbon"),
      ("2026-11-25", "BYHOUR=0;BYMINUTE=0;BYSECOND=0", "2026-11-25T00:00@Europe/Lisbon"),
      ("2026-11-25T09:30@Asia/Tokyo", "BYHOUR=9;BYMINUTE=30", "2026-11-25T09:30@Asia/Tokyo"),
      ("2026-11-25T09:30@Asia/Tokyo", "BYHOUR=9", "2026-11-25T09:30@Asia/Tokyo"),
      ("2026-11-25T09:30@Asia/Tokyo", "BYHOUR=9;BYMINUTE=0", nil),
      ("2026-11-25T09:30@Asia/Tokyo", "BYHOUR=18;BYMINUTE=30", nil),
    ] as [(String, String, String?)])
  func clock(start: String, parts: String, timed: String?) throws {
    let rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=WE;" + parts)
    let settle = {
      try rule.settled(for: due(start), categoryZone: "Europe/Lisbon", almanac: .system)
    }
    guard let timed else {
      #expect(throws: RecurrenceProblem.otherTime) { try settle() }
      return
    }
    let (settled, then) = try settle()
    #expect(settled.description == "FREQ=WEEKLY;BYDAY=WE" && settled.times == nil)
    #expect(then == due(timed))
  }

  @Test("An UNTIL in a zone that no calendar has is refused")
  func unknownZone() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=20261231T000000Z")
    let nowhere = Due.time(Day(number: 20_000), minute: 0, zone: "Nowhere")
    #expect(throws: RecurrenceProblem.badValue(.until)) {
      try rule.settled(for: nowhere, categoryZone: "UTC", almanac: .system)
    }
  }

  private static func adding(_ rule: String, due: Due) throws -> Command {
    let wish = Repetition(try RecurrenceRule(rule))
    return .post(
      .add(
        PostAddress(category: 1, post: 9),
        NewPost(title: "Again", fields: PostEdit(due: .set(due), repeats: .set(wish)))))
  }

  @Test("A post keeps a rule of days, and the time is in its due")
  func added() throws {
    var scene = Scene.house()
    scene.must(.category(.edit(1, CategoryEdit(zone: "Europe/Lisbon"))), by: a)
    let text = "RRULE:FREQ=WEEKLY;BYHOUR=9;BYMINUTE=30;UNTIL=20261231T235959Z"
    scene.must(try Self.adding(text, due: due("2026-11-25")), by: a)
    let post = scene.post(9, in: 1)
    #expect(post?.due == due("2026-11-25T09:30@Europe/Lisbon"))
    #expect(post?.occurrence?.due == post?.due)
    #expect(post?.repeats?.rule.description == "FREQ=WEEKLY;UNTIL=20261231")
    // The same rule once more changes nothing.
    let again = PostEdit(repeats: .set(Repetition(try RecurrenceRule(text))))
    #expect(scene.changes(.editPost(1, 9, again, ifVersion: nil), by: a) == false)
  }

  @Test("A rule of another time than the due's is refused")
  func refused() throws {
    let command = try Self.adding("FREQ=DAILY;BYHOUR=9", due: due("2026-11-25T18:00@Europe/Lisbon"))
    #expect(
      Scene.house().refusal(of: command, by: a)
        == .invalid(field: "recurrence.rule", reason: RecurrenceProblem.otherTime.reason))
  }
}
