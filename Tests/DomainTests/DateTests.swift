import Testing

@testable import Domain

@Suite("Days")
struct DayTests {
  @Test("numbers, parts, text and weekdays, day by day over 400 years and at the edges")
  func roundTrip() throws {
    var expected = 3  // 1970-01-01 was a Thursday
    for number in 0..<146_097 {
      let day = Day(number: number)
      let (year, month, dayOfMonth) = day.parts
      #expect(Day(year: year, month: month, day: dayOfMonth) == day)
      #expect(day.weekday.index == expected)
      expected = (expected + 1) % 7
    }
    for text in [
      "0001-01-01", "1969-12-31", "1972-02-29", "2000-02-29", "2100-02-28", "9999-12-31",
    ] {
      #expect(Day(text)?.description == text)
    }
  }

  @Test(
    "days that no calendar has and other spellings are refused",
    arguments: [
      "", "2026-02-29", "2100-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00",
      "0000-01-01",
      "2026-1-1", "2026/01/01", "+026-01-01", "2026-01-01 ", "٢٠٢٦-٠١-٠١", "2026-01-1é",
    ])
  func refused(text: String) {
    #expect(Day(text) == nil)
  }
}

@Suite("Derived status")
struct StatusTests {
  private static let hour: Int64 = 3_600_000
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)

  @Test(
    "by the milliseconds to the deadline, with 48 hours",
    arguments: [
      (nil, PostStatus.none), (-1, .overdue), (0, .overdue), (1, .dueSoon), (48 * hour, .dueSoon),
      (48 * hour + 1, .upcoming), (Int64.min / 4, .overdue), (Int64.max / 4, .upcoming),
    ] as [(Int64?, PostStatus)])
  func rows(left: Int64?, expected: PostStatus) {
    let deadline = left.map { Timestamp(milliseconds: Self.now.milliseconds + $0) }
    let hours = PostStatus.soonHoursDefault
    #expect(
      PostStatus(completed: false, deadline: deadline, now: Self.now, soonHours: hours) == expected)
    #expect(
      PostStatus(completed: true, deadline: deadline, now: Self.now, soonHours: hours) == .completed
    )
  }

  @Test("a person's own number of hours; with none, nothing is due soon")
  func hours() {
    let deadline = Timestamp(milliseconds: Self.now.milliseconds + Self.hour)
    let rows: [(Int, PostStatus)] = [(0, .upcoming), (1, .dueSoon), (24, .dueSoon)]
    for (hours, expected) in rows {
      #expect(
        PostStatus(completed: false, deadline: deadline, now: Self.now, soonHours: hours)
          == expected)
    }
  }
}

@Suite("RFC 5545 §3.3.10 and RFC 7529: the text of a rule")
struct RuleTextTests {
  @Test(
    "is canonical",
    arguments: [
      ("freq=weekly;byday=fr,mo,fr", "FREQ=WEEKLY;BYDAY=MO,FR"),
      ("INTERVAL=1;FREQ=DAILY;WKST=SU", "FREQ=DAILY"),
      ("FREQ=WEEKLY;WKST=SU;INTERVAL=2", "FREQ=WEEKLY;INTERVAL=2;WKST=SU"),
      ("FREQ=MONTHLY;BYMONTHDAY=+3,-1,1,03", "FREQ=MONTHLY;BYMONTHDAY=-1,1,3"),
      ("FREQ=MONTHLY;BYDAY=TU,-1FR,+2MO", "FREQ=MONTHLY;BYDAY=-1FR,TU,2MO"),
      ("COUNT=010;FREQ=DAILY", "FREQ=DAILY;COUNT=10"),
      ("FREQ=DAILY;UNTIL=20261231", "FREQ=DAILY;UNTIL=20261231"),
      ("FREQ=MONTHLY;BYMONTHDAY=1;RSCALE=gregorian", "FREQ=MONTHLY;BYMONTHDAY=1"),
      // These are as calendar programs write them, and as they stand in a file.
      ("FREQ=DAILY;", "FREQ=DAILY"), ("RRULE:FREQ=DAILY", "FREQ=DAILY"),
      ("rrule:freq=weekly;wkst=su;byday=mo;", "FREQ=WEEKLY;BYDAY=MO"),
      (" RRULE:FREQ=WEEKLY;\r\n BYDAY=MO, WE\r\n", "FREQ=WEEKLY;BYDAY=MO,WE"),
      ("RRULE:FREQ=WEEKLY;COUNT=10;INTERVAL=1;BYDAY=FR", "FREQ=WEEKLY;BYDAY=FR;COUNT=10"),
      ("FREQ=MONTHLY;BYDAY=+1MO", "FREQ=MONTHLY;BYDAY=1MO"),
      // The times in a rule belong to the due, and stay until it is known.
      ("FREQ=DAILY;UNTIL=20261231t235959z", "FREQ=DAILY;UNTIL=20261231T235959Z"),
      ("FREQ=DAILY;UNTIL=20261231T090000", "FREQ=DAILY;UNTIL=20261231T090000"),
      ("FREQ=DAILY;BYSECOND=0;BYMINUTE=05;BYHOUR=9", "FREQ=DAILY;BYHOUR=9;BYMINUTE=5"),
      ("FREQ=DAILY;BYHOUR=0;COUNT=2", "FREQ=DAILY;BYHOUR=0;COUNT=2"),
      ("FREQ=DAILY;BYSECOND=0", "FREQ=DAILY"),
      // Days of the year are some of all its days.
      (
        "FREQ=YEARLY;BYYEARDAY=100,-1;COUNT=3",
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1,100;COUNT=3"
      ),
      (
        "SKIP=BACKWARD;FREQ=MONTHLY;BYMONTHDAY=31;RSCALE=GREGORIAN",
        "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD"
      ),
    ])
  func canonical(text: String, expected: String) throws {
    let rule = try RecurrenceRule(text)
    #expect(rule.description == expected)
    #expect(try RecurrenceRule(expected) == rule)
  }

  @Test(
    "is refused, with the reason",
    arguments: [
      ("", .notAPart), (";", .notAPart), ("FREQ=DAILY;;", .notAPart),
      (";FREQ=DAILY", .notAPart), ("FREQ=DAILY;X=1", .notAPart), ("RRULE:", .notAPart),
      ("RRULE:FREQ=DAILY\nRRULE:FREQ=DAILY", .notAPart), ("BEGIN:VEVENT", .notAPart),
      ("DTSTART;TZID=Europe/Berlin:20261125T090000\nRRULE:FREQ=DAILY", .line(.start)),
      ("RRULE:FREQ=DAILY\nEXDATE:20261125T090000Z", .line(.leftOut)),
      ("exdate;value=date:20261125", .line(.leftOut)), ("RDATE:20261125", .line(.added)),
      ("EXRULE:FREQ=DAILY", .line(.exception)),
      ("FREQ=DAILY;FREQ=DAILY", .twice(.frequency)), ("COUNT=1", .noFrequency),
      ("FREQ=HOURLY", .tooOften(.frequency)), ("FREQ=DAILY;BYHOUR=9,18", .tooOften(.hours)),
      ("FREQ=YEARLY;BYWEEKNO=1", .notTaken(.weeks)),
      ("FREQ=MONTHLY;BYYEARDAY=1", .notTogether(.yearDays, .frequency)),
      ("FREQ=YEARLY;BYYEARDAY=1;BYMONTH=1", .onlyAlone(.yearDays)),
      ("FREQ=YEARLY;BYYEARDAY=1;BYDAY=MO", .onlyAlone(.yearDays)),
      ("FREQ=YEARLY;BYYEARDAY=0", .badValue(.yearDays)),
      ("FREQ=YEARLY;BYYEARDAY=367", .badValue(.yearDays)),
      ("FREQ=DAILY;BYMINUTE=0,30", .tooOften(.minutes)),
      ("FREQ=DAILY;BYSECOND=0,1", .tooOften(.seconds)),
      ("FREQ=DAILY;BYSECOND=1", .notTaken(.seconds)), ("FREQ=DAILY;BYHOUR=24", .badValue(.hours)),
      ("FREQ=DAILY;BYHOUR=9;BYMINUTE=60", .badValue(.minutes)),
      ("FREQ=DAILY;BYMINUTE=30", .without(.minutes, .hours)),
      ("FREQ=DAILY;UNTIL=20261231T", .badValue(.until)),
      ("FREQ=DAILY;UNTIL=20261231T240000", .badValue(.until)),
      ("FREQ=DAILY;UNTIL=20260229T000000Z", .badValue(.until)),
      ("FREQ=DAILY;UNTIL=2026-12-31", .badValue(.until)),
      ("FREQ=DAILY;COUNT=1;UNTIL=20270101T000000Z", .notTogether(.count, .until)),
      ("FREQ=WEEKLY;BYDAY=+1MO", .notTogether(.weekdays, .frequency)),
      ("FREQ=DAILY;INTERVAL=0", .badValue(.interval)),
      ("FREQ=DAILY;INTERVAL=1001", .badValue(.interval)),
      ("FREQ=DAILY;INTERVAL=99999999999999999999", .badValue(.interval)),
      ("FREQ=DAILY;COUNT=1001", .badValue(.count)), ("FREQ=DAILY;COUNT=-1", .badValue(.count)),
      ("FREQ=DAILY;UNTIL=20260229", .badValue(.until)),
      ("FREQ=WEEKLY;BYDAY=", .badValue(.weekdays)),
      ("FREQ=MONTHLY;BYDAY=6MO", .badValue(.weekdays)),
      ("FREQ=MONTHLY;BYDAY=ÉMO", .badValue(.weekdays)),
      ("FREQ=DAILY;COUNT=1;UNTIL=20270101", .notTogether(.count, .until)),
      ("FREQ=WEEKLY;BYMONTHDAY=1", .notTogether(.monthDays, .frequency)),
      ("FREQ=MONTHLY;BYSETPOS=1", .notTogether(.positions, .frequency)),
      ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD", .notTogether(.skip, .calendar)),
      ("FREQ=YEARLY;BYMONTH=2,4;BYMONTHDAY=31,-31", .neverFires),
      ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-3", .neverFires),
    ] as [(String, RecurrenceProblem)])
  func refused(text: String, problem: RecurrenceProblem) {
    #expect(throws: problem) { try RecurrenceRule(text) }
  }

  @Test("at its limits")
  func limits() throws {
    #expect(try RecurrenceRule("FREQ=DAILY;INTERVAL=1000;COUNT=1000").interval == 1_000)
    // In other words the rule would be longer than the longest that is read again.
    let days = "FREQ=YEARLY;BYYEARDAY=" + (100..<220).map(String.init).joined(separator: ",")
    #expect(throws: RecurrenceProblem.tooLong) { try RecurrenceRule(days) }
    let months = "FREQ=YEARLY;BYMONTH=" + String(repeating: "1,", count: 245)
    #expect(try RecurrenceRule(months + "11").months == [1, 11])
    #expect(throws: RecurrenceProblem.tooLong) { try RecurrenceRule(months + "1,11") }
  }

  @Test("cut at every place is another rule or none, and never a crash")
  func cut() throws {
    let text =
      "RSCALE=GREGORIAN;FREQ=YEARLY;INTERVAL=2;BYMONTH=1,2;BYMONTHDAY=31;SKIP=BACKWARD;UNTIL=20301231"
    for end in text.indices {
      do {
        let rule = try RecurrenceRule(String(text[..<end]))
        #expect(try RecurrenceRule(rule.description) == rule)
      } catch {
        #expect(error is RecurrenceProblem)
      }
    }
  }
}
