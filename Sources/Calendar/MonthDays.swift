import Domain

/// A month of the Gregorian calendar, with the values that are asked for again and again.
struct CalendarMonth {
  let year: Int
  /// The number of the month, 1–12.
  let month: Int
  let first: Day
  /// The number of days.
  let length: Int

  init(holding day: Day) {
    let (year, month, dayOfMonth) = day.parts
    self.init(year: year, month: month, first: day.adding(days: 1 - dayOfMonth))
  }

  private init(year: Int, month: Int, first: Day) {
    self.year = year
    self.month = month
    self.first = first
    length = Day.lengthOfMonth(month, year: year)
  }

  var next: CalendarMonth {
    CalendarMonth(
      year: month == 12 ? year + 1 : year, month: month % 12 + 1,
      first: first.adding(days: length))
  }
}

/// The days that the BY parts of a rule name in a month, as bits. The lowest bit is the first of the month.
struct MonthDays {
  private static let everySeventh: UInt32 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28

  /// The months as bits by number, 1–12. The lowest bit is not used.
  private let months: UInt16
  /// The days of the month for each length from 28 on. Nil: every day.
  private let monthDays: [UInt32]?
  /// The weekdays of every week, by index from Monday on. Those with ordinals are in `ordinals`.
  private let weekdays: [Int]
  private let ordinals: [RecurrenceRule.WeekdayOfPeriod]
  /// Whether ordinals count in the year: when no month is named and the period is a year.
  private let countsInYear: Bool

  init(_ rule: RecurrenceRule) {
    months = rule.months.isEmpty ? .max : rule.months.reduce(0) { $0 | 1 << UInt16($1) }
    monthDays =
      rule.monthDays.isEmpty ? nil : (28...31).map { MonthDays.monthDays(of: rule, length: $0) }
    weekdays = rule.weekdays.filter { $0.ordinal == 0 }.map(\.weekday.index)
    ordinals = rule.weekdays.filter { $0.ordinal != 0 }
    countsInYear = rule.frequency == .yearly && rule.months.isEmpty
  }

  /// Returns the days of a month in their order.
  func days(of month: CalendarMonth) -> BitDays {
    BitDays(first: month.first, bits: bits(of: month))
  }

  private func bits(of month: CalendarMonth) -> UInt32 {
    guard months & 1 << UInt16(month.month) != 0 else { return 0 }
    let days = monthDays?[month.length - 28] ?? .max
    let named = weekdays.isEmpty && ordinals.isEmpty ? .max : weekdayBits(of: month)
    return days & named & (1 << UInt32(month.length) - 1)
  }

  /// Returns the days of the month as bits. With SKIP=BACKWARD a day that the month does not have is its last one.
  private static func monthDays(of rule: RecurrenceRule, length: Int) -> UInt32 {
    var bits: UInt32 = 0
    for day in rule.monthDays {
      let index = day > 0 ? day - 1 : length + day
      if (0..<length).contains(index) {
        bits |= 1 << UInt32(index)
      } else if index >= length, rule.keepsShortMonths {
        bits |= 1 << UInt32(length - 1)
      }
    }
    return bits
  }

  private func weekdayBits(of month: CalendarMonth) -> UInt32 {
    let first = month.first.weekday.index
    var bits: UInt32 = 0
    for weekday in weekdays { bits |= MonthDays.everySeventh << UInt32((weekday - first + 7) % 7) }
    for day in ordinals {
      let index = countsInYear ? indexInYear(of: day, month) : indexInMonth(of: day, month, first)
      if let index, (0..<month.length).contains(index) { bits |= 1 << UInt32(index) }
    }
    return bits
  }

  private func indexInMonth(
    of day: RecurrenceRule.WeekdayOfPeriod, _ month: CalendarMonth, _ first: Int
  ) -> Int? {
    MonthDays.index(of: day, first: first, length: month.length)
  }

  /// Returns the place in the month, though it is counted in the year. It is outside of the month when the day is in
  /// another one.
  private func indexInYear(
    of day: RecurrenceRule.WeekdayOfPeriod, _ month: CalendarMonth
  ) -> Int? {
    guard let newYear = Day(year: month.year, month: 1, day: 1) else { return nil }
    let length = 337 + Day.lengthOfMonth(2, year: month.year)
    return MonthDays.index(of: day, first: newYear.weekday.index, length: length)
      .map { newYear.number + $0 - month.first.number }
  }

  /// Returns the place of the nth such weekday among `length` days that begin with the weekday `first`. Nil when there
  /// are too few.
  private static func index(
    of day: RecurrenceRule.WeekdayOfPeriod, first: Int, length: Int
  ) -> Int? {
    let offset = (day.weekday.index - first + 7) % 7
    let index =
      day.ordinal > 0
      ? offset + 7 * (day.ordinal - 1)
      : offset + 7 * ((length - 1 - offset) / 7 + day.ordinal + 1)
    return (0..<length).contains(index) ? index : nil
  }
}

/// Days of one month, in their order.
struct BitDays: Sequence, IteratorProtocol {
  let first: Day
  var bits: UInt32

  mutating func next() -> Day? {
    guard bits != 0 else { return nil }
    let index = bits.trailingZeroBitCount
    bits &= bits - 1
    return first.adding(days: index)
  }
}
