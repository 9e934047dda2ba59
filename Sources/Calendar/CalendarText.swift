import CIcal
package import Domain

// Writes what a calendar program subscribes to: iCalendar (RFC 5545). An entry is a VEVENT, because the programs that
// people have show no VTODO of a subscription. Times are written in UTC: then no program needs a definition of the
// zone, and none can misread it.
//
// libical escapes the words. It does not write the lines: it leaves commas as they are in CATEGORIES and in properties
// that it does not know, which makes two words of one.

extension CalendarFeed {
  /// Returns the whole text, in UTF-8 with CRLF, at most `bytesMax` long. Entries that find no room are left out, the
  /// latest first.
  package func text(bytesMax: Int, almanac: Almanac) -> [UInt8] {
    var text = CalendarLines()
    text.add("BEGIN", "VCALENDAR")
    addHeading(to: &text)
    let end = CalendarLines("END", "VCALENDAR")
    for entry in entries {
      guard let event = entry.event(of: self, almanac) else { continue }
      guard text.bytes.count + event.bytes.count + end.bytes.count <= bytesMax else { break }
      text.bytes += event.bytes
    }
    return text.bytes + end.bytes
  }

  /// Adds the head of RFC 5545 §3.6. The name and the interval for asking again (RFC 7986 §5.1, §5.7) also stand under
  /// the names that programs knew before that standard.
  private func addHeading(to text: inout CalendarLines) {
    text.add("VERSION", "2.0")
    text.add("PRODID", "-//WhatTODO//whattodo-server//EN")
    text.add("METHOD", "PUBLISH")
    text.add("NAME", words: name)
    text.add("X-WR-CALNAME", words: name)
    text.add("X-WR-TIMEZONE", words: zone)
    text.add("REFRESH-INTERVAL;VALUE=DURATION", "PT15M")
    text.add("X-PUBLISHED-TTL", "PT15M")
  }
}

extension CalendarEntry {
  /// Returns the lines of an entry. Nil for a time in a zone that is not known any more.
  fileprivate func event(of feed: CalendarFeed, _ almanac: Almanac) -> CalendarLines? {
    guard let begin = due.beginning(almanac) else { return nil }
    var event = CalendarLines("BEGIN", "VEVENT")
    event.add("UID", isLater ? "\(post.id)-\(due.day)" : "\(post.id)")
    event.add("DTSTAMP", post.updatedAt.calendarText)
    event.add("CREATED", post.createdAt.calendarText)
    event.add("LAST-MODIFIED", post.updatedAt.calendarText)
    event.add("SEQUENCE", "\(post.version)")
    event.add(begin.name, begin.value)
    // A due keeps nobody from anything else.
    event.add("TRANSP", "TRANSPARENT")
    event.add("SUMMARY", words: post.title.isEmpty ? "#\(post.number)" : post.title)
    event.add("DESCRIPTION", words: post.words(in: feed))
    if let place = post.location {
      if !place.text.isEmpty { event.add("LOCATION", words: place.text) }
      if let point = place.point { event.add("GEO", point.calendarText) }
    }
    for tag in post.tags {
      if let name = feed.tags[tag] { event.add("CATEGORIES", words: name) }
    }
    if let url = post.source?.url { event.add("URL", url) }
    if let priority = post.priority { event.add("PRIORITY", "\(priority.calendarLevel)") }
    event.add("END", "VEVENT")
    return event
  }
}

extension Post {
  /// Returns the post's number and list, its steps and its notes. Tabs become blanks: RFC 5545 has no form for them.
  fileprivate func words(in feed: CalendarFeed) -> String {
    var lines = ["#\(number) \(feed.name)"]
    lines += steps.map { ($0.finished == nil ? "☐ " : "☑ ") + $0.content }
    if !notes.isEmpty { lines.append(notes) }
    let text = lines.joined(separator: "\n").replacing("\t", with: " ")
    let most = Limits.calendarNotesScalarsMax
    guard text.unicodeScalars.count > most else { return text }
    return String(text.unicodeScalars.prefix(most)) + "…"
  }
}

extension Due {
  /// Returns the start: a day, or a moment (RFC 5545 §3.8.2.4). Nil for a zone that is not known.
  fileprivate func beginning(_ almanac: Almanac) -> (name: String, value: String)? {
    switch self {
    case .day(let day): ("DTSTART;VALUE=DATE", day.description.filter { $0 != "-" })
    case .time(let day, let minute, let zone):
      almanac.moment(day, minute, zone).map { ("DTSTART", $0.calendarText) }
    }
  }
}

extension Timestamp {
  /// The moment as iCalendar writes it, such as `20261120T100000Z`.
  fileprivate var calendarText: String {
    let seconds = milliseconds.floorDivided(by: 1_000)
    let days = seconds.floorDivided(by: 86_400)
    let ofDay = Int(seconds - 86_400 * days)
    let time = [ofDay / 3_600, ofDay / 60 % 60, ofDay % 60].map { "\($0 / 10)\($0 % 10)" }
    return Day(number: Int(days)).description.filter { $0 != "-" } + "T" + time.joined() + "Z"
  }
}

extension GeoPoint {
  /// The point as RFC 5545 §3.8.1.6 writes it: degrees with a point, north and east positive.
  fileprivate var calendarText: String { "\(degrees(latitude));\(degrees(longitude))" }

  private func degrees(_ millionths: Int) -> String {
    let digits = String(millionths.magnitude % 1_000_000 + 1_000_000).dropFirst()
    return "\(millionths < 0 ? "-" : "")\(millionths.magnitude / 1_000_000).\(digits)"
  }
}

extension Priority {
  /// The priority by RFC 5545 §3.8.1.9: 1 is the highest, 9 the lowest.
  fileprivate var calendarLevel: Int {
    switch self {
    case .high: 1
    case .medium: 5
    case .low: 9
    }
  }
}

/// Content lines (RFC 5545 §3.1), each folded so that none is longer than 75 bytes.
private struct CalendarLines {
  var bytes: [UInt8] = []

  init() {}

  init(_ name: String, _ value: String) { add(name, value) }

  /// Adds words of people, escaped (§3.3.11).
  mutating func add(_ name: String, words: String) {
    // Each character becomes two at most, and a zero ends them.
    var escaped = [CChar](repeating: 0, count: 2 * words.utf8.count + 1)
    guard icalvalue_encode_ical_string(words, &escaped, Int32(escaped.count)) != 0 else { return }
    add(
      name, String(decoding: escaped.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    )
  }

  /// Adds a value as it is.
  mutating func add(_ name: String, _ value: String) {
    var length = 0
    for scalar in "\(name):\(value)".unicodeScalars {
      let count = UTF8.width(scalar)
      if length + count > CalendarLines.lengthMax {
        bytes += [0x0D, 0x0A, 0x20]
        length = 1
      }
      bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      length += count
    }
    bytes += [0x0D, 0x0A]
  }

  private static let lengthMax = 75
}
