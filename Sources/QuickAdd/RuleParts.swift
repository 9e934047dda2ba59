import Domain

/// A rule that is being read.
struct RuleParts {
  var frequency: RecurrenceRule.Frequency
  var interval = 1
  var months: [Int] = []
  var monthDays: [Int] = []
  var weekdays: [RecurrenceRule.WeekdayOfPeriod] = []
  var end = RecurrenceRule.End.never
  var basis = Recurrence.Basis.due
  /// "every morning": each day, at an hour that is still to be said.
  var part: DayPart?

  init(unit: Language.Unit) {
    frequency =
      switch unit {
      case .day: .daily
      case .week: .weekly
      case .month: .monthly
      case .year: .yearly
      }
  }

  init(weekdays: [Weekday]) {
    frequency = .weekly
    self.weekdays = weekdays.map { RecurrenceRule.WeekdayOfPeriod($0) }
  }

  init(ordinal: Int, weekday: Weekday) {
    frequency = .monthly
    weekdays = [RecurrenceRule.WeekdayOfPeriod(ordinal: ordinal, weekday)]
  }

  init(monthDays: [Int]) {
    frequency = .monthly
    self.monthDays = monthDays
  }

  init(everyDayIn part: DayPart) {
    frequency = .daily
    self.part = part
  }

  static let workdays = RuleParts(weekdays: Array(Weekday.allCases.prefix(5)))
  static let weekend = RuleParts(weekdays: Array(Weekday.allCases.suffix(2)))

  mutating func take(_ days: RuleParts) {
    monthDays = days.monthDays
    weekdays = days.weekdays
  }

  /// Nil when there is no such rule. Who says "the 31st" means the last day of shorter months.
  func rule() -> RecurrenceRule? {
    do {
      return try RecurrenceRule(
        frequency, interval: interval, months: months, monthDays: monthDays, weekdays: weekdays,
        keepsShortMonths: keepsShortMonths, end: end)
    } catch {
      return nil
    }
  }

  private var keepsShortMonths: Bool { monthDays.contains { $0 > 28 } && !isImpossible }

  /// 31 April: of a named month that never has the day, its last one is not meant.
  private var isImpossible: Bool {
    months.contains { month in monthDays.contains { $0 > Day.lengthOfMonth(month, year: 2_000) } }
  }

  // MARK: - days

  /// Whether it can be due on this day, whatever its interval is.
  func names(_ day: Day) -> Bool {
    let (year, month, number) = day.parts
    guard months.isEmpty || months.contains(month) else { return false }
    let length = Day.lengthOfMonth(month, year: year)
    let isDay =
      monthDays.isEmpty
      || monthDays.contains { $0 == number || $0 == -1 && number == length }
      || keepsShortMonths && number == length && monthDays.contains { $0 > length }
    return isDay && (weekdays.isEmpty || weekdays.contains { names(day, as: $0) })
  }

  private func names(_ day: Day, as named: RecurrenceRule.WeekdayOfPeriod) -> Bool {
    guard day.weekday == named.weekday else { return false }
    let (year, month, _) = day.parts
    return named.ordinal == 0
      || Day.ranked(named.ordinal, named.weekday, month: month, year: year) == day
  }

  /// The first such day from this one on. A 29 February may be eight years away.
  func first(from day: Day) -> Day? {
    (0...2_922).lazy.map { day.adding(days: $0) }.first { names($0) }
  }
}
