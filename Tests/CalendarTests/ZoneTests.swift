import Foundation
import Testing

@testable import Calendar
@testable import Domain

/// 1970-01-01T00:00:00Z plus so many seconds, from `2018-11-04T03:00:00Z`.
func moment(_ text: String) throws -> Timestamp {
  let date = try Date(text, strategy: .iso8601)
  return Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1_000)
}

@Suite("Zones by name")
struct ZoneNameTests {
  @Test(
    "known, also by older names",
    arguments: [
      "UTC", "Etc/UTC", "GMT", "Europe/Lisbon", "Europe/Kyiv", "Europe/Kiev", "US/Eastern",
      "Etc/GMT+5", "America/Argentina/Buenos_Aires", "America/Port-au-Prince",
      "Australia/Lord_Howe",
    ])
  func known(name: String) {
    #expect(Zones.isKnown(name))
  }

  @Test(
    "other spellings, other files and other places are not known",
    arguments: [
      "", " ", "Nowhere/City", "europe/lisbon", "EUROPE/LISBON", "utc", "Europe/", "/Europe/Lisbon",
      "Europe", "Europe//Lisbon", "Europe/./Lisbon", "../zoneinfo/Europe/Lisbon", "zone.tab",
      "tzdata.zi", "leapseconds", "posixrules", "localtime", "posix/Europe/Lisbon",
      "right/Europe/Lisbon", "Europe/Lisbon\n", "Europe/Lisbon\0", "Éurope", "UTC+1", "+01:00",
      "/etc/localtime", String(repeating: "A", count: 65),
    ])
  func unknown(name: String) throws {
    #expect(!Zones.isKnown(name))
    #expect(Zones.localTime(of: try moment("2026-11-20T12:00:00Z"), zone: name) == nil)
    #expect(Zones.startOfDay(containing: try moment("2026-11-20T12:00:00Z"), zone: name) == nil)
  }

  @Test("moments that calendars of four digits do not hold have no day")
  func range() {
    for milliseconds in [Int64.min, -1, 253_370_764_800_000, Int64.max] {
      let time = Timestamp(milliseconds: milliseconds)
      #expect(Zones.localTime(of: time, zone: "Europe/Lisbon") == nil)
      #expect(Zones.startOfDay(containing: time, zone: "Europe/Lisbon") == nil)
    }
    #expect(Zones.localTime(of: Timestamp(milliseconds: 0), zone: "UTC")?.year == 1970)
    #expect(
      Zones.localTime(of: Timestamp(milliseconds: 253_370_764_799_999), zone: "UTC")?.year == 9998)
  }
}

@Suite("Days around changes of the clock")
struct DayTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let zone: String
    let moment: String
    /// Year, month, day, hour, minute, offset.
    let local: [Int]
    let start: String
    init(_ zone: String, _ moment: String, _ local: [Int], _ start: String) {
      (self.zone, self.moment, self.local, self.start) = (zone, moment, local, start)
    }
    var testDescription: String { "\(zone) \(moment)" }
  }

  static let rows: [Row] = [
    Row("UTC", "2026-11-20T23:59:59Z", [2026, 11, 20, 23, 59, 0], "2026-11-20T00:00:00Z"),
    Row("Europe/Lisbon", "2026-03-29T00:59:59Z", [2026, 3, 29, 0, 59, 0], "2026-03-29T00:00:00Z"),
    Row(
      "Europe/Lisbon", "2026-03-29T01:00:00Z", [2026, 3, 29, 2, 0, 3_600], "2026-03-29T00:00:00Z"),
    Row(
      "Europe/Lisbon", "2026-03-29T23:00:00Z", [2026, 3, 30, 0, 0, 3_600], "2026-03-29T23:00:00Z"),
    Row(
      "Europe/Lisbon", "2026-10-25T00:30:00Z", [2026, 10, 25, 1, 30, 3_600], "2026-10-24T23:00:00Z"),
    Row("Europe/Lisbon", "2026-10-25T01:30:00Z", [2026, 10, 25, 1, 30, 0], "2026-10-24T23:00:00Z"),
    Row(
      "Europe/Lisbon", "2026-10-25T23:59:59Z", [2026, 10, 25, 23, 59, 0], "2026-10-24T23:00:00Z"),
    Row(
      "America/New_York", "2026-03-08T07:00:00Z", [2026, 3, 8, 3, 0, -14_400],
      "2026-03-08T05:00:00Z"),
    Row(
      "America/New_York", "2026-11-01T05:59:59Z", [2026, 11, 1, 1, 59, -14_400],
      "2026-11-01T04:00:00Z"),
    Row(
      "America/New_York", "2026-11-01T06:00:00Z", [2026, 11, 1, 1, 0, -18_000],
      "2026-11-01T04:00:00Z"),
    Row(
      "America/New_York", "2026-11-02T04:59:59Z", [2026, 11, 1, 23, 59, -18_000],
      "2026-11-01T04:00:00Z"),
    Row(
      "Australia/Lord_Howe", "2026-04-04T14:59:59Z", [2026, 4, 5, 1, 59, 39_600],
      "2026-04-04T13:00:00Z"),
    Row(
      "Australia/Lord_Howe", "2026-04-04T15:00:00Z", [2026, 4, 5, 1, 30, 37_800],
      "2026-04-04T13:00:00Z"),
    Row(
      "Australia/Lord_Howe", "2026-10-03T15:30:00Z", [2026, 10, 4, 2, 30, 39_600],
      "2026-10-03T13:30:00Z"),
    // Midnight does not exist: the day begins at one.
    Row(
      "America/Sao_Paulo", "2018-11-04T02:59:59Z", [2018, 11, 3, 23, 59, -10_800],
      "2018-11-03T03:00:00Z"),
    Row(
      "America/Sao_Paulo", "2018-11-04T03:00:00Z", [2018, 11, 4, 1, 0, -7_200],
      "2018-11-04T03:00:00Z"),
    Row(
      "America/Sao_Paulo", "2018-11-05T01:00:00Z", [2018, 11, 4, 23, 0, -7_200],
      "2018-11-04T03:00:00Z"),
    Row(
      "Africa/Cairo", "2026-04-24T12:00:00Z", [2026, 4, 24, 15, 0, 10_800], "2026-04-23T22:00:00Z"),
    // Midnight twice: the first one counts.
    Row(
      "America/Havana", "2026-11-01T05:30:00Z", [2026, 11, 1, 0, 30, -18_000],
      "2026-11-01T04:00:00Z"),
    // Eleven at night twice: the day before is longer, midnight comes once.
    Row(
      "Africa/Cairo", "2026-10-29T20:30:00Z", [2026, 10, 29, 23, 30, 10_800], "2026-10-28T21:00:00Z"
    ),
    Row(
      "Africa/Cairo", "2026-10-29T21:30:00Z", [2026, 10, 29, 23, 30, 7_200], "2026-10-28T21:00:00Z"),
    Row(
      "Africa/Cairo", "2026-10-29T22:00:00Z", [2026, 10, 30, 0, 0, 7_200], "2026-10-29T22:00:00Z"),
    // A whole day that did not exist.
    Row(
      "Pacific/Apia", "2011-12-30T10:00:00Z", [2011, 12, 31, 0, 0, 50_400], "2011-12-30T10:00:00Z"),
    Row(
      "Pacific/Apia", "2011-12-30T09:59:59Z", [2011, 12, 29, 23, 59, -36_000],
      "2011-12-29T10:00:00Z"),
    Row(
      "Asia/Kathmandu", "2026-02-28T18:15:00Z", [2026, 3, 1, 0, 0, 20_700], "2026-02-28T18:15:00Z"),
    Row(
      "Pacific/Kiritimati", "2024-02-29T09:59:00Z", [2024, 2, 29, 23, 59, 50_400],
      "2024-02-28T10:00:00Z"),
  ]

  @Test("local time and start of day", arguments: rows)
  func row(_ row: Row) throws {
    let time = try moment(row.moment)
    let local = try #require(Zones.localTime(of: time, zone: row.zone))
    let parts = [
      local.year, local.month, local.day, local.hour, local.minute, local.offsetSeconds,
    ]
    #expect(parts == row.local)
    #expect(Zones.startOfDay(containing: time, zone: row.zone) == (try moment(row.start)))
    let judge = try Foundation.Calendar.of(row.zone)
    let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
    #expect(judge.startOfDay(for: date) == Date(try moment(row.start)), "Foundation agrees")
  }

  @Test("milliseconds inside a second change nothing")
  func milliseconds() throws {
    let start = try moment("2026-10-24T23:00:00Z")
    for add in [Int64(0), 1, 999] {
      let time = Timestamp(milliseconds: start.milliseconds + add)
      #expect(Zones.startOfDay(containing: time, zone: "Europe/Lisbon") == start)
    }
    let before = Timestamp(milliseconds: start.milliseconds - 1)
    #expect(
      Zones.startOfDay(containing: before, zone: "Europe/Lisbon")
        == (try moment("2026-10-23T23:00:00Z")))
  }
}

@Suite("Every zone against Foundation's, May 2022 to 2036")
struct EveryZoneTests {
  @Test("offsets at each change, a second before, and days on both sides")
  func changes() throws {
    let first = Date(try moment("2022-05-01T00:00:00Z"))
    let last = Date(try moment("2036-12-01T00:00:00Z"))
    var changes = 0
    for name in TimeZone.knownTimeZoneIdentifiers where Zones.isKnown(name) {
      let zone = try #require(TimeZone(identifier: name))
      let judge = try Foundation.Calendar.of(name)
      var change = first
      while let next = zone.nextDaylightSavingTimeTransition(after: change), next < last {
        changes += 1
        change = next
        for seconds in [-108_000, -86_400, -7_200, -1, 0, 3_600, 7_200, 82_800, 86_400, 90_000] {
          compare(name, zone, judge, next.addingTimeInterval(TimeInterval(seconds)))
        }
      }
      compare(name, zone, judge, first)
      compare(name, zone, judge, last)
    }
    #expect(changes > 2_000, "\(changes) changes")
  }

  private func compare(_ name: String, _ zone: TimeZone, _ judge: Foundation.Calendar, _ date: Date)
  {
    let time = Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1_000))
    let offset = Zones.localTime(of: time, zone: name)?.offsetSeconds
    #expect(offset == zone.secondsFromGMT(for: date), "\(name) \(date)")
    let start = Zones.startOfDay(containing: time, zone: name).map(Date.init)
    #expect(start == judge.startOfDay(for: date), "\(name) \(date)")
  }

  @Test("from eight threads at once the answers are those of one")
  func threads() throws {
    let names = Array(TimeZone.knownTimeZoneIdentifiers.filter(Zones.isKnown).prefix(120))
    let time = try moment("2029-07-01T12:00:00Z")
    let expected = names.map { Zones.startOfDay(containing: time, zone: $0) }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<10 {
        for index in names.indices {
          let at = (index * 7 + thread * 13 + round) % names.count
          let start = Zones.startOfDay(containing: time, zone: names[at])
          if start != expected[at] { Issue.record("\(names[at])") }
        }
      }
    }
  }
}

@Suite("The Gregorian calendar from day numbers")
struct CivilDateTests {
  @Test("against Foundation's, day by day over 800 years")
  func days() throws {
    var judge = Foundation.Calendar(identifier: .gregorian)
    judge.timeZone = try #require(TimeZone(identifier: "UTC"))
    for number in stride(from: -100_000, through: 200_000, by: 37) {
      let date = Date(timeIntervalSince1970: TimeInterval(86_400 * number))
      let parts = judge.dateComponents([.year, .month, .day], from: date)
      let day = Day(number: number).parts
      #expect([day.year, day.month, day.day] == [parts.year, parts.month, parts.day])
    }
  }

  @Test("leap days and ends of centuries")
  func edges() {
    let rows: [(Int, [Int])] = [
      (0, [1970, 1, 1]), (-1, [1969, 12, 31]), (59, [1970, 3, 1]), (789, [1972, 2, 29]),
      (11_016, [2000, 2, 29]), (11_017, [2000, 3, 1]), (47_540, [2100, 2, 28]),
      (47_541, [2100, 3, 1]),
      (-719_468, [0, 3, 1]), (2_932_896, [9999, 12, 31]),
    ]
    for (number, parts) in rows {
      let day = Day(number: number).parts
      #expect([day.year, day.month, day.day] == parts)
    }
  }
}

extension Foundation.Calendar {
  static func of(_ zone: String) throws -> Foundation.Calendar {
    var calendar = Foundation.Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }
}

extension Date {
  init(_ time: Timestamp) { self.init(timeIntervalSince1970: Double(time.milliseconds) / 1_000) }
}
