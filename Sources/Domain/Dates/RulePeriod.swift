/// The days, weeks, months or years that a rule's interval counts, each with a number.
package struct RulePeriod: Sendable {
  private let frequency: RecurrenceRule.Frequency
  private let weekStart: Int
  private let interval: Int

  package init(_ rule: RecurrenceRule) {
    frequency = rule.frequency
    weekStart = rule.weekStart.index
    interval = rule.interval
  }

  package func number(of day: Day) -> Int {
    switch frequency {
    case .daily: day.number
    // 1970-01-01 was the fourth day of its week.
    case .weekly: (day.number + 3 - weekStart).floorDivided(by: 7)
    case .monthly: 12 * day.parts.year + day.parts.month - 1
    case .yearly: day.parts.year
    }
  }

  /// Returns the first day of this period. Nil beyond the years of a calendar.
  package func firstDay(of number: Int) -> Day? {
    switch frequency {
    case .daily: Day(number: number)
    case .weekly: Day(number: 7 * number - 3 + weekStart)
    case .monthly: Day(year: number / 12, month: number % 12 + 1, day: 1)
    case .yearly: Day(year: number, month: 1, day: 1)
    }
  }

  /// Returns the last day of this period. Nil beyond the years of a calendar.
  package func lastDay(of number: Int) -> Day? { firstDay(of: number + 1)?.adding(days: -1) }

  /// Returns the number of the first period, from that of a day on, that the interval counts from the period of
  /// `start`.
  package func counted(from day: Day, start: Day) -> Int {
    let number = number(of: day)
    let over = (number - self.number(of: start)) % interval
    return over == 0 ? number : number + interval - over
  }

  /// Answers whether the interval counts the period of this day, which is not before the period of `start`.
  package func counts(_ day: Day, start: Day) -> Bool {
    interval == 1 || (number(of: day) - number(of: start)) % interval == 0
  }
}
