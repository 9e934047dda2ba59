import Domain
import Testing

@testable import WhattodoTerminal

@Suite("/due: when something shall be due")
struct DueWishTests {
  /// Said on Sunday 2026-11-22 at 12:00.
  static let rows: [(String, String, String?)] = [
    ("today", "2026-11-22", nil), ("tomorrow", "2026-11-23", nil), ("mon", "2026-11-23", nil),
    ("sun", "2026-11-29", nil), ("Saturday", "2026-11-28", nil), ("on thurs", "2026-11-26", nil),
    ("24.12.", "2026-12-24", nil), ("1.2.", "2027-02-01", nil), ("22.11.", "2026-11-22", nil),
    ("29.2.", "2028-02-29", nil), ("24.12.2027", "2027-12-24", nil),
    ("2026-12-24", "2026-12-24", nil), ("fri 18:00", "2026-11-27", "18:00"),
    ("by fri at 9:30", "2026-11-27", "09:30"), ("18:00", "2026-11-22", "18:00"),
    ("12:00", "2026-11-23", "12:00"), ("9:00", "2026-11-23", "09:00"),
    ("2020-01-01 00:00", "2020-01-01", "00:00"), ("18:00 fri", "2026-11-27", "18:00"),
    ("24.12.26", "2026-12-24", nil), ("in 3 days", "2026-11-25", nil),
    ("next week 6pm", "2026-11-23", "18:00"), ("24 dec", "2026-12-24", nil),
    ("12-24", "2026-12-24", nil), ("by 12-04 18:00", "2026-12-04", "18:00"),
    ("02-29 9:00", "2028-02-29", "09:00"),
  ]

  @Test("words become a day, and a time", arguments: rows)
  func read(text: String, day: String, time: String?) throws {
    let today = try #require(Day("2026-11-22"))
    let due = DueWish(text)?.due(today: today, now: 720, zone: "Europe/Lisbon")
    #expect(due?.day.description == day)
    #expect(due?.localTime == time.map { "\(day)T\($0)" })
    #expect(due?.zone == time.map { _ in "Europe/Lisbon" })
  }

  @Test(
    "anything else is no time",
    arguments: [
      "", "soon", "on", "mo", "24.12", "32.1.2026", "24.13.", "2026-02-30", "25:00", "fri sat",
      "18:00 19:00", "fri 18", "１.１.", "every fri", "fri !high", "fri milk",
      "12-32", "13-01", "12-4", "1-04", "12-04-", "-12-04",
    ])
  func none(text: String) throws {
    let today = try #require(Day("2026-11-22"))
    #expect(DueWish(text)?.due(today: today, now: 720, zone: "UTC") == nil)
  }

  @Test(
    "a day that no due may have is none",
    arguments: ["1970-12-31", "9998-01-01", "1970-12-31 9:00"])
  func outside(text: String) throws {
    let today = try #require(Day("2026-11-22"))
    #expect(DueWish(text)?.due(today: today, now: 720, zone: "UTC") == nil)
  }
}
