import Domain

// Finds the days that a rule means (RFC 5545 §3.3.10, RFC 7529 §4.1), month by month. The days of a month that the BY
// parts name are bits of one word. So a month costs some 20 ns whatever it names, and a rule that never fires has cost
// some 20 µs when that is known (`Limits.recurrenceMonthsMax`). A request chooses the rule, so nothing here may depend
// on luck.
//
// libical 3.0.16 is not asked. It takes a microsecond and more for each day, under one lock for all threads, and
// differs from the RFC where BYSETPOS, WKST, negative BYMONTHDAY or years without months come in. python-dateutil
// judges this file with thousands of rules (Tests/Recurrence).

/// The days of one rule, from one day on.
struct RuleDays {
  private let rule: RecurrenceRule
  private let start: Day
  private let after: Day
  private let period: RulePeriod
  private let months: MonthDays

  /// Begins behind `after`. Intervals are counted from the period that holds `start`, and no day is before `start`.
  init(_ rule: RecurrenceRule, start: Day, after: Day) {
    self.rule = rule.anchored(on: start)
    self.start = start
    self.after = max(after, start.adding(days: -1))
    period = RulePeriod(self.rule)
    months = MonthDays(self.rule)
  }

  /// Visits the days in their order, until `visit` answers false.
  func visit(_ visit: (Day) -> Bool) {
    rule.positions.isEmpty ? visitAll(visit) : visitRanked(visit)
  }

  /// Returns the day where the search ends when no day comes after this one.
  private func end(after day: Day) -> Day {
    min(day.adding(days: RecurrenceRule.gapDaysMax), Due.days.upperBound)
  }

  private func visitAll(_ visit: (Day) -> Bool) {
    var last = end(after: after)
    let counted = period.counted(from: after.adding(days: 1), start: start)
    guard let first = period.firstDay(of: counted) else { return }
    var month = CalendarMonth(holding: first)
    while month.first <= last {
      if mayCount(month) {
        for day in months.days(of: month) where day > after && period.counts(day, start: start) {
          guard day <= last, visit(day) else { return }
          last = end(after: day)
        }
      }
      month = month.next
    }
  }

  /// Answers whether a day of the month may be in a period that the interval counts.
  private func mayCount(_ month: CalendarMonth) -> Bool {
    switch rule.frequency {
    case .daily, .weekly: true
    case .monthly, .yearly: period.counts(month.first, start: start)
    }
  }

  /// Visits the days of a rule with BYSETPOS. It ranks all days of a period, also those before the first one that is
  /// visited.
  private func visitRanked(_ visit: (Day) -> Bool) {
    var last = end(after: after)
    var number = period.counted(from: after.adding(days: 1), start: start)
    var days = RankedDays(months)
    while let first = period.firstDay(of: number), first <= last,
      let end = period.lastDay(of: number)
    {
      days.fill(from: first, through: end)
      for day in days.named(by: rule.positions) where day > after {
        guard day <= last, visit(day) else { return }
        last = self.end(after: day)
      }
      number += rule.interval
    }
  }
}
