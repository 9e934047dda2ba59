import Domain

// Which days a rule means. libical says which days its BY parts name; intervals, BYSETPOS and the first day
// are counted here.
//
// Why not all by libical: 3.0.16, which Debian 12 has, was asked for 30 occurrences of each of 400 random rules and
// differed from RFC 5545 (and python-dateutil) in 64. It ignores BYSETPOS with WEEKLY and negative BYMONTHDAY with
// DAILY, expands BYMONTHDAY in the first month only when YEARLY names no months, counts weeks wrongly when WKST is
// not Monday, and looks for ever for what never fires (WEEKLY;BYDAY=MO;BYSETPOS=3). All of that is outside what is
// asked of it here: the days of whole years by month, day of the month and weekday, in their order, up to a given
// one. There it agreed everywhere (Tests/Recurrence compares thousands of rules).
enum Occurrences {
  /// `Almanac.firstDay`. Costs about a microsecond for each day that the BY parts name in between, and for a
  /// daily rule for each day: some 20 ms for one that never fires. What lies before the next period that the
  /// interval counts is not looked at.
  static func firstDay(of rule: RecurrenceRule, start: Day, after: Day) -> Day? {
    let rule = rule.anchored(on: start)
    let after = max(after, start.adding(days: -1))
    let last = after.adding(days: 366 * RecurrenceRule.gapYearsMax)
    // From the first day of the period, because BYSETPOS ranks all of it.
    let period = Period(rule)
    let counted = period.counted(from: after.adding(days: 1), start: start)
    guard let first = period.firstDay(of: counted), first <= last else { return nil }
    var search = Search(rule: rule, start: start, after: after)
    Ical.visitDays(of: selection(rule), from: first, to: last) { search.take($0) }
    return search.found ?? search.rankedInPeriod()
  }

  /// The rule for libical: all days that the BY parts name, in the cheapest words that it understands.
  private static func selection(_ rule: RecurrenceRule) -> String {
    // An ordinal counts in the month when months are named, else in the year.
    let ordinals = rule.weekdays.contains { $0.ordinal != 0 }
    let ordinalsInYear = ordinals && rule.frequency == .yearly && rule.months.isEmpty
    var parts: [String] = []
    if rule.months.isEmpty, rule.monthDays.isEmpty, !ordinals {
      parts.append("FREQ=DAILY")
    } else if rule.months.isEmpty, !ordinalsInYear {
      parts.append("FREQ=MONTHLY")
    } else {
      parts.append("FREQ=YEARLY")
      if !ordinalsInYear { parts.append("BYMONTH=" + joined(rule.months)) }
      let every = rule.monthDays.isEmpty && rule.weekdays.isEmpty
      if every { parts.append("BYMONTHDAY=" + joined(Array(1...31))) }
    }
    if !rule.monthDays.isEmpty { parts.append("BYMONTHDAY=" + joined(rule.monthDays)) }
    if !rule.weekdays.isEmpty {
      let words = rule.weekdays.map {
        ($0.ordinal == 0 ? "" : "\($0.ordinal)") + $0.weekday.rawValue
      }
      parts.append("BYDAY=" + words.joined(separator: ","))
    }
    if rule.keepsShortMonths { parts += ["RSCALE=GREGORIAN", "SKIP=BACKWARD"] }
    return parts.joined(separator: ";")
  }

  private static func joined(_ values: [Int]) -> String {
    values.map(String.init).joined(separator: ",")
  }
}

/// The days, weeks, months or years that an interval counts, numbered.
private struct Period {
  let frequency: RecurrenceRule.Frequency
  let weekStart: Int
  let interval: Int

  init(_ rule: RecurrenceRule) {
    frequency = rule.frequency
    weekStart = rule.weekStart.index
    interval = rule.interval
  }

  func number(of day: Day) -> Int {
    switch frequency {
    case .daily: day.number
    // 1970-01-01 was the fourth day of its week.
    case .weekly: (day.number + 3 - weekStart).floorDivided(by: 7)
    case .monthly: 12 * day.parts.year + day.parts.month - 1
    case .yearly: day.parts.year
    }
  }

  func firstDay(of number: Int) -> Day? {
    switch frequency {
    case .daily: Day(number: number)
    case .weekly: Day(number: 7 * number - 3 + weekStart)
    case .monthly: Day(year: number / 12, month: number % 12 + 1, day: 1)
    case .yearly: Day(year: number, month: 1, day: 1)
    }
  }

  /// The first one from that of a day on that the interval counts; those between need not be looked at.
  func counted(from day: Day, start: Day) -> Int {
    let number = number(of: day)
    let over = (number - self.number(of: start)) % interval
    return over == 0 ? number : number + interval - over
  }
}

/// Takes days in their order until one is found.
private struct Search {
  let rule: RecurrenceRule
  let start: Day
  let after: Day
  let period: Period
  var found: Day?
  /// The present period's days, when they have to be ranked.
  var current: Int?
  var days: [Day] = []

  init(rule: RecurrenceRule, start: Day, after: Day) {
    self.rule = rule
    self.start = start
    self.after = after
    period = Period(rule)
  }

  /// Whether to go on.
  mutating func take(_ day: Day) -> Bool {
    let number = period.number(of: day)
    if number != current {
      found = rankedInPeriod()
      days = []
      current = number
    }
    guard found == nil else { return false }
    guard (number - period.number(of: start)) % rule.interval == 0 else { return true }
    if rule.positions.isEmpty {
      if day > after { found = day }
    } else if day != days.last {
      days.append(day)
    }
    return found == nil
  }

  /// The first day after `after` among those of the period that BYSETPOS names.
  func rankedInPeriod() -> Day? {
    let ranks = rule.positions.map { $0 > 0 ? $0 - 1 : days.count + $0 }
    return ranks.filter(days.indices.contains).map { days[$0] }.filter { $0 > after }.min()
  }
}
