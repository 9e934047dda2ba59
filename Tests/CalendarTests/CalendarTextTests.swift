import Testing

@testable import Calendar
@testable import Domain

private func written(
  _ title: String = "Cake", bytesMax: Int = 1 << 20, times: Int = 1,
  _ change: (inout Post) -> Void = { _ in }
) throws -> [String] {
  let at = try moment("2026-11-20T10:00:00Z")
  var category = Category(
    id: CategoryID(UUID(high: 1, low: 1)), name: "Home; sweet, home", group: nil,
    added: Stamp(at: at, by: UserID(UUID(high: 2, low: 2))))
  category.zone = "Europe/Lisbon"
  let tag = TagID(UUID(high: 3, low: 3))
  let posts = (1...times).map { number in
    var post = Post(
      id: PostID(UUID(high: 4, low: UInt64(number))), number: number, title: title, notes: "",
      addedBy: category.added.by, createdAt: at, updatedAt: at, version: 7)
    post.due = .day(Day(number: 20_790))
    change(&post)
    return post
  }
  let feed = CalendarFeed(
    category, posts, tags: [tag: "party, big"], now: at, almanac: .system)
  let bytes = feed.text(bytesMax: bytesMax, almanac: .system)
  let text = String(decoding: bytes, as: UTF8.self)
  #expect(text.hasSuffix("END:VCALENDAR\r\n"))
  return text.components("\r\n").dropLast()
}

extension String {
  fileprivate func components(_ end: String) -> [String] {
    split(separator: end, omittingEmptySubsequences: false).map(String.init)
  }
}

/// Folded lines as one (RFC 5545 §3.1).
private func unfolded(_ lines: [String]) -> [String] {
  lines.reduce(into: []) { whole, line in
    if line.hasPrefix(" "), let last = whole.popLast() {
      whole.append(last + line.dropFirst())
    } else {
      whole.append(line)
    }
  }
}

@Suite("A list as iCalendar (RFC 5545)")
struct CalendarTextTests {
  @Test("a day, and all that a post can say")
  func whole() throws {
    let lines = try unfolded(
      written {
        $0.notes = "two eggs;\tflour\nmilk\\"
        $0.steps = [Step(id: StepID(UUID(high: 5, low: 5)), content: "buy, then bake")]
        $0.tags = [TagID(UUID(high: 3, low: 3)), TagID(UUID(high: 9, low: 9))]
        $0.priority = .high
        $0.location = Location(
          text: "Main, Library", point: GeoPoint(latitude: 38_722_300, longitude: -9_139_300))
        $0.source = Source(name: "forge", id: "1", url: "https://forge.example/1?a=b;c,d")
      })
    #expect(
      lines == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//WhatTODO//whattodo-server//EN",
        "METHOD:PUBLISH", "NAME:Home\\; sweet\\, home",
        "X-WR-CALNAME:Home\\; sweet\\, home", "X-WR-TIMEZONE:Europe/Lisbon",
        "REFRESH-INTERVAL;VALUE=DURATION:PT15M", "X-PUBLISHED-TTL:PT15M",
        "BEGIN:VEVENT", "UID:00000000-0000-0004-0000-000000000001", "DTSTAMP:20261120T100000Z",
        "CREATED:20261120T100000Z", "LAST-MODIFIED:20261120T100000Z", "SEQUENCE:7",
        "DTSTART;VALUE=DATE:20261203", "TRANSP:TRANSPARENT", "SUMMARY:Cake",
        "DESCRIPTION:#1 Home\\; sweet\\, home\\n☐ buy\\, then bake\\ntwo eggs\\; flour\\nmilk\\\\",
        "LOCATION:Main\\, Library", "GEO:38.722300;-9.139300", "CATEGORIES:party\\, big",
        "URL:https://forge.example/1?a=b;c,d", "PRIORITY:1", "END:VEVENT", "END:VCALENDAR",
      ])
  }

  @Test("a time is a moment in UTC, in summer and in winter; one of an unknown zone is left out")
  func times() throws {
    let rows = [
      ("2026-07-01", "DTSTART:20260701T170000Z"), ("2026-12-01", "DTSTART:20261201T180000Z"),
    ]
    for (text, line) in rows {
      let day = try #require(Day(text))
      #expect(
        try written { $0.due = .time(day, minute: 18 * 60, zone: "Europe/Lisbon") }.contains(line))
    }
    let lines = try written { $0.due = .time(Day(number: 20_790), minute: 0, zone: "No/Where") }
    #expect(!lines.contains("BEGIN:VEVENT"))
  }

  @Test("a next time has a name of its own, by its day")
  func names() throws {
    let lines = try written {
      $0.repeats = try? Repetition(RecurrenceRule("FREQ=WEEKLY;COUNT=2"))
        .begun(at: .day(Day(number: 20_790)), number: 1, last: nil, almanac: .system)
    }
    #expect(
      lines.filter { $0.hasPrefix("UID:") } == [
        "UID:00000000-0000-0004-0000-000000000001",
        "UID:00000000-0000-0004-0000-000000000001-2026-12-10",
      ])
  }

  @Test("no line is longer than 75 bytes, and none is cut within a character")
  func folded() throws {
    for title in [String(repeating: "é", count: 200), String(repeating: "👩‍🚀x", count: 60)] {
      let lines = try written(title)
      #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\u{FFFD}") })
      #expect(unfolded(lines).contains("SUMMARY:\(title)"))
    }
  }

  @Test("a post without words has its number; long words are cut")
  func words() throws {
    #expect(try written("").contains("SUMMARY:#1"))
    let lines = try unfolded(written { $0.notes = String(repeating: "n", count: 5_000) })
    let words = try #require(lines.first { $0.hasPrefix("DESCRIPTION:") })
    #expect(words.hasSuffix("n…"))
    // Of the name two characters are escaped, and one line ends.
    #expect(words.count == "DESCRIPTION:".count + Limits.calendarNotesScalarsMax + 3 + 1)
  }

  @Test("Entries that find no room are left out, the latest first, and the text is whole")
  func bounded() throws {
    let lines = try written(bytesMax: 4_000, times: 100)
    let numbers = lines.filter { $0.hasPrefix("DESCRIPTION:") }.map { $0.prefix(16) }
    #expect(numbers.first == "DESCRIPTION:#1 H")
    #expect((5..<20).contains(numbers.count))
    #expect(lines.joined(separator: "\r\n").utf8.count + 2 <= 4_000)
  }
}
