/// A day of the Gregorian calendar (proleptic), without a time and without a zone.
///
/// A day is held as its number, so that a week later is + 7. Years are counted from 1 March, so that the leap day is
/// the last of its year, and in eras of 400 years, which all have 146 097 days (Howard Hinnant, chrono-Compatible
/// Low-Level Date Algorithms).
package struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of days after 1970-01-01, negative before it.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// Makes a day. Nil when no calendar has it, and for years that four digits do not hold.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Day.lengthOfMonth(month, year: year)
    else { return nil }
    let fromMarch = year - (month <= 2 ? 1 : 0)
    let era = fromMarch / 400
    let yearOfEra = fromMarch - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
  }

  /// Reads exactly `2026-11-22`. Nil for anything else.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Day.digits(bytes[0..<4]), let month = Day.digits(bytes[5..<7]),
      let day = Day.digits(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Reads exactly `20261122`, as iCalendar writes it. Nil for anything else.
  init?(basic bytes: ArraySlice<UInt8>) {
    guard bytes.count == 8, let year = Day.digits(bytes.prefix(4)),
      let month = Day.digits(bytes.dropFirst(4).prefix(2)), let day = Day.digits(bytes.suffix(2))
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day as iCalendar writes it: `20261122`.
  var basic: String { description.filter { $0 != "-" } }

  package var description: String {
    let (year, month, day) = parts
    return "\(Day.padded(year, to: 4))-\(Day.padded(month, to: 2))-\(Day.padded(day, to: 2))"
  }

  /// The year, the month (1–12) and the day (1–31).
  package var parts: (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// The day of the week. 1970-01-01 was a Thursday.
  package var weekday: Weekday {
    Weekday.allCases[(number + 3) - 7 * (number + 3).floorDivided(by: 7)]
  }

  package func adding(days: Int) -> Day { Day(number: number + days) }

  package static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  package static func lengthOfMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Reads ASCII digits, at most nine. Nil for anything else.
  static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(bytes.count) else { return nil }
    var value = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  static func padded(_ value: Int, to width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

/// The days of the week from Monday on, as RFC 5545 begins its weeks. `rawValue` is that document's word.
package enum Weekday: String, CaseIterable, Sendable {
  case monday = "MO"
  case tuesday = "TU"
  case wednesday = "WE"
  case thursday = "TH"
  case friday = "FR"
  case saturday = "SA"
  case sunday = "SU"

  /// The place in the week: 0 for Monday, 6 for Sunday.
  package var index: Int {
    switch self {
    case .monday: 0
    case .tuesday: 1
    case .wednesday: 2
    case .thursday: 3
    case .friday: 4
    case .saturday: 5
    case .sunday: 6
    }
  }
}

extension Int {
  /// Returns the quotient rounded towards −∞.
  package func floorDivided(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
