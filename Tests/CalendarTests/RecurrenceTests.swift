import Testing

@testable import Calendar
@testable import Domain

// Thousands of random rules are compared with python-dateutil by Tests/Recurrence/agreement.py; here is what it cannot
// know, and a row for each rule that people say.

func day(_ text: String) throws -> Day { try #require(Day(text)) }

@Suite("RFC 5545 §3.3.10: days of rules")
struct RuleDayTests {
  static let rows: [(String, String, String)] = [
    ("FREQ=DAILY", "2026-02-27", "2026-02-27 2026-02-28 2026-03-01"),
    ("FREQ=DAILY;INTERVAL=1000", "2026-01-01", "2026-01-01 2028-09-27 2031-06-24"),
    ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "2026-11-20", "2026-11-20 2026-11-23 2026-11-24"),
    ("FREQ=WEEKLY", "2026-11-20", "2026-11-20 2026-11-27 2026-12-04"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "2026-11-18", "2026-11-18 2026-11-30 2026-12-02"),
    // RFC 5545's own example of what WKST changes.
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO", "1997-08-05",
      "1997-08-05 1997-08-10 1997-08-19 1997-08-24"
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "1997-08-05",
      "1997-08-05 1997-08-17 1997-08-19 1997-08-31"
    ),
    // The whole week is ranked, also the part of it before the first day.
    ("FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2", "2026-11-19", "2026-11-25 2026-12-02"),
    // The intended day is remembered.
    (
      "FREQ=MONTHLY", "2026-01-31",
      "2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31"
    ),
    ("FREQ=MONTHLY;INTERVAL=2", "2026-12-30", "2026-12-30 2027-02-28 2027-04-30"),
    ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-01-31", "2026-01-31 2026-03-31 2026-05-31"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-02-28", "2026-02-28 2026-03-31 2026-04-30"),
    ("FREQ=MONTHLY;BYDAY=-1FR", "2026-11-01", "2026-11-27 2026-12-25 2027-01-29"),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-11-01",
      "2026-11-30 2026-12-31 2027-01-29"
    ),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-11-01", "2026-11-13 2027-08-13 2028-10-13"),
    (
      "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=30,31;SKIP=BACKWARD", "2026-02-01",
      "2026-02-28 2026-03-30 2026-03-31 2026-04-30 2026-05-30"
    ),
    ("FREQ=YEARLY", "2024-02-29", "2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29"),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2026-01-01", "2028-02-29 2032-02-29"),
    ("FREQ=YEARLY;BYDAY=20MO", "1997-05-19", "1997-05-19 1998-05-18 1999-05-17"),
    ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "2026-01-01", "2026-11-26 2027-11-25"),
    // A 29 February on a Monday, over a century that has no leap day.
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2072-02-29", "2072-02-29 2112-02-29"),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=WE", "2072-03-01", "2096-02-29 2108-02-29"),
    ("FREQ=DAILY;COUNT=2", "2026-12-31", "2026-12-31 2027-01-01"),
    ("FREQ=DAILY;UNTIL=20270101", "2026-12-31", "2026-12-31 2027-01-01"),
  ]

  @Test("one after the other", arguments: rows.indices)
  func occurrences(row: Int) throws {
    let (text, start, expected) = Self.rows[row]
    let rule = try RecurrenceRule(text).anchored(on: day(start))
    let ended = text.contains("COUNT") || text.contains("UNTIL")
    let wanted = expected.split(separator: " ").map(String.init)
    let first = try #require(Almanac.system.firstDay(rule, day(start), day(start).adding(days: -1)))
    var present: Recurrence? = try Recurrence(rule, basis: .due, due: first, almanac: .system)
    var days: [String] = []
    while let occurrence = present, days.count < wanted.count + (ended ? 1 : 0) {
      days.append(occurrence.day.description)
      present = occurrence.next(completedOn: occurrence.day, missed: .kept, almanac: .system)
    }
    #expect(days == wanted)
  }

  @Test("the search begins anywhere and its cost does not grow with the past")
  func anywhere() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;INTERVAL=3")
    let start = try day("1970-01-02")
    for number in 20_000..<20_012 {
      let found = Almanac.system.firstDay(rule, start, Day(number: number))
      let expected = (number - 1) / 3 * 3 + 4
      #expect(found?.number == expected)
    }
  }

  @Test("Beyond the years that a due may have there is no day")
  func horizon() throws {
    let rule = try RecurrenceRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29")
    let last = try day("9996-02-29")
    #expect(Almanac.system.firstDay(rule, try day("9992-03-01"), try day("9992-03-01")) == last)
    for year in ["9996-02-29", "9997-12-31", "9999-12-31"] {
      #expect(Almanac.system.firstDay(rule, try day(year), try day(year)) == nil)
    }
  }

  static let never = [
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
    "FREQ=DAILY;INTERVAL=700;BYDAY=MO,TU,TH,FR,SA,SU", "FREQ=WEEKLY;INTERVAL=1000;BYMONTH=2",
    "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA;BYSETPOS=366", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=1",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "FREQ=YEARLY;INTERVAL=42",
    "FREQ=YEARLY;BYMONTHDAY=" + (1...31).map(String.init).joined(separator: ",")
      + ";BYDAY=MO,TU,WE,TH,FR;BYSETPOS=300,-300,301,-301,366,-366",
  ]

  @Test("A rule that names no day is known to in some milliseconds", arguments: never)
  func neverFires(text: String) throws {
    let rule = try RecurrenceRule(text)
    // A Wednesday in November of a year that is no leap year.
    let start = try day("2026-11-25")
    let took = ContinuousClock().measure {
      for _ in 0..<10 {
        #expect(Almanac.system.firstDay(rule, start, start) == nil)
      }
    }
    // 60 ms each in a release build before months were looked at as a whole.
    #expect(took < .milliseconds(600), "\(took) for ten")
  }

  @Test("Days come in their order, each once, until who asks has enough")
  func visited() throws {
    for text in ["FREQ=WEEKLY;BYDAY=MO,WE;BYSETPOS=1,-2,2", "FREQ=DAILY;BYDAY=MO,WE"] {
      var days: [Day] = []
      let start = try day("2026-11-25")
      Almanac.system.visitDays(try RecurrenceRule(text), start, start) {
        days.append($0)
        return days.count < 4
      }
      let wanted = ["2026-11-30", "2026-12-02", "2026-12-07", "2026-12-09"]
      #expect(days.map(\.description) == wanted)
    }
  }
}

@Suite("A post that comes again")
struct RecurrenceTests {
  private func every(_ rule: String, _ basis: Recurrence.Basis, _ due: String) throws -> Recurrence
  {
    try Recurrence(RecurrenceRule(rule), basis: basis, due: day(due), almanac: .system)
  }

  @Test("from the due date: late or early, the days stay those of the rule")
  func fromDue() throws {
    let it = try every("FREQ=WEEKLY;INTERVAL=2", .due, "2026-11-20")
    #expect(
      it.next(completedOn: try day("2026-11-25"), missed: .kept, almanac: .system)?.day
        == (try day("2026-12-04")))
    #expect(
      it.next(completedOn: try day("2026-11-01"), missed: .dropped, almanac: .system)?.day
        == (try day("2026-12-04")))
    let late = it.next(completedOn: try day("2026-12-20"), missed: .dropped, almanac: .system)
    #expect(late?.day == (try day("2027-01-01")))
    #expect(late?.start == (try day("2026-11-20")), "intervals are counted from the first day")
    let onTheDay = it.next(completedOn: try day("2026-12-18"), missed: .dropped, almanac: .system)
    #expect(onTheDay?.day == (try day("2026-12-18")))
  }

  @Test(
    "from completion: counted anew from that day",
    arguments: [
      ("FREQ=DAILY;INTERVAL=3", "2026-11-25", "2026-11-28"),
      ("FREQ=WEEKLY", "2026-11-25", "2026-12-02"),
      ("FREQ=WEEKLY;BYDAY=SA", "2026-11-25", "2026-11-28"),
      ("FREQ=MONTHLY", "2027-01-31", "2027-02-28"),
      ("FREQ=YEARLY", "2028-02-29", "2029-02-28"),
    ])
  func fromCompletion(rule: String, completed: String, next: String) throws {
    let it = try every(rule, .completion, "2026-11-20")
    let again = it.next(completedOn: try day(completed), missed: .kept, almanac: .system)
    #expect(again?.day == (try day(next)))
  }

  @Test("one is skipped, and the next is as if it had been completed on its day")
  func skip() throws {
    #expect(
      try every("FREQ=MONTHLY", .due, "2027-01-31").skipped(almanac: .system)?.day
        == (try day("2027-02-28")))
    #expect(
      try every("FREQ=DAILY;INTERVAL=3", .completion, "2026-11-20").skipped(almanac: .system)?
        .day == (try day("2026-11-23")))
    #expect(try every("FREQ=DAILY;COUNT=1", .due, "2026-11-20").skipped(almanac: .system) == nil)
  }

  @Test("a count counts what was dropped; the last one has none after it")
  func count() throws {
    let it = try every("FREQ=DAILY;COUNT=5", .due, "2026-11-20")
    let third = try #require(
      it.next(completedOn: try day("2026-11-22"), missed: .dropped, almanac: .system))
    #expect((third.day, third.taken) == (try day("2026-11-22"), 3))
    #expect(it.next(completedOn: try day("2026-11-25"), missed: .dropped, almanac: .system) == nil)
    #expect(third.next(completedOn: third.day, missed: .kept, almanac: .system)?.taken == 4)
  }

  @Test("a rule that never comes is refused, and one that ended before it began")
  func never() throws {
    for rule in [
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "FREQ=DAILY;UNTIL=20261121",
      "FREQ=DAILY;INTERVAL=364;BYDAY=MO",
    ] {
      #expect(throws: RecurrenceProblem.neverFires) { try every(rule, .due, "2026-11-22") }
    }
  }
}

@Suite("RFC 5545 §3.3.5: local times around changes of the clock")
struct MomentTests {
  static let rows: [(String, Int, String, String)] = [
    ("2026-03-08", 150, "America/New_York", "2026-03-08T07:30:00Z"),  // 02:30 is not shown: 03:30
    ("2026-11-01", 90, "America/New_York", "2026-11-01T05:30:00Z"),  // 01:30 is shown twice
    ("2026-11-01", 120, "America/New_York", "2026-11-01T07:00:00Z"),
    ("2026-03-29", 90, "Europe/Lisbon", "2026-03-29T01:30:00Z"),
    ("2026-10-25", 90, "Europe/Lisbon", "2026-10-25T00:30:00Z"),
    ("2026-10-04", 135, "Australia/Lord_Howe", "2026-10-03T15:45:00Z"),  // a gap of half an hour
    ("2026-11-22", 1_080, "Asia/Kathmandu", "2026-11-22T12:15:00Z"),
    ("2026-11-22", 0, "UTC", "2026-11-22T00:00:00Z"),
  ]

  @Test("wall clock to moment", arguments: rows.indices)
  func moments(row: Int) throws {
    let (text, minute, zone, expected) = Self.rows[row]
    #expect(Almanac.system.moment(try day(text), minute, zone) == (try moment(expected)))
  }

  @Test("a day's deadline is the next day's beginning in the category's zone")
  func deadlines() throws {
    let lisbon = Due.day(try day("2026-03-28")).deadline(
      categoryZone: "Europe/Lisbon", almanac: .system)
    #expect(lisbon == (try moment("2026-03-29T00:00:00Z")))
    // Clocks skip midnight here: the day begins at 01:00.
    let beirut = Due.day(try day("2026-03-28")).deadline(
      categoryZone: "Asia/Beirut", almanac: .system)
    #expect(beirut == (try moment("2026-03-28T22:00:00Z")))
    let timed = Due.time(try day("2026-11-22"), minute: 1_080, zone: "Asia/Tokyo")
    #expect(
      timed.deadline(categoryZone: "UTC", almanac: .system)
        == (try moment("2026-11-22T09:00:00Z")))
    #expect(
      Due.day(try day("2026-11-22")).deadline(categoryZone: "Nowhere", almanac: .system) == nil)
    for text in ["0001-01-01", "1969-12-31", "9999-12-31"] {
      #expect(Due.day(try day(text)).deadline(categoryZone: "UTC", almanac: .system) == nil)
    }
  }

  @Test("a day and its first moment belong together, in every zone and season")
  func roundTrip() throws {
    for zone in ["Asia/Beirut", "America/Havana", "Africa/Cairo", "America/Santiago", "UTC"] {
      for number in (try day("2026-01-01").number)..<(try day("2028-01-01").number) {
        let start = try #require(Almanac.system.startOfDay(Day(number: number), zone))
        #expect(Almanac.system.day(start, zone)?.number == number)
        let before = Timestamp(milliseconds: start.milliseconds - 1)
        #expect(Almanac.system.day(before, zone)?.number == number - 1)
      }
    }
  }
}
