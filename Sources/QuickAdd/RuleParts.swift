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
  /// The part of the day in "every morning". The rule is for each day, at an hour that is still to be said.
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

  /// Returns the rule, or nil when there is no such rule. "The 31st" means the last day of shorter months.
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

  /// Whether a named month never has the day, as with 31 April. Then the month's last day is not meant.
  private var isImpossible: Bool {
    months.contains { month in monthDays.contains { $0 > Day.lengthOfMonth(month, year: 2_000) } }
  }

  // MARK: - days

  /// Answers whether the post can be due on this day, whatever the rule's interval is.
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

  /// Returns the first such day from this one on, or nil. A 29 February may be eight years away.
  func first(from day: Day) -> Day? {
    (0...2_922).lazy.map { day.adding(days: $0) }.first { names($0) }
  }
}
