// A recurrence rule of RFC 5545 §3.3.10, of days: the time of day belongs to the due and is kept by every occurrence.
//
// Taken: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY), INTERVAL, BYMONTH, BYMONTHDAY, BYDAY (with ordinals), BYSETPOS, WKST,
// COUNT, UNTIL (a date, the last day on which it may fire), and of RFC 7529 RSCALE=GREGORIAN with SKIP=BACKWARD: a day
// that a month does not have is its last one. Read, and said in these words: BYYEARDAY alone; UNTIL with a time, one
// BYHOUR and BYMINUTE (`RuleTimes`). Refused: whatever fires more than once a day (HOURLY, MINUTELY, SECONDLY, two
// hours), BYWEEKNO, other calendars, SKIP=FORWARD, and what can never fire. BYWEEKNO has no other words, and with it
// in a post every client that knows the parts of today could not read the list any more.
//
// Text is canonical: parts in one order, values sorted and once, what changes nothing left out. So two rules
// that say the same in the same words are equal, and a rule may be compared and stored as its text.

/// On which days something comes again.
package struct RecurrenceRule: Equatable, Sendable, CustomStringConvertible {
  package enum Frequency: String, CaseIterable, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  package enum End: Equatable, Sendable {
    case never
    /// The last day on which it may fire.
    case until(Day)
    /// So many occurrences, the first one included.
    case count(Int)
  }

  /// Every such weekday of the period, or its nth: of the month, or of the year when a yearly rule names no months.
  package struct WeekdayOfPeriod: Hashable, Sendable {
    /// 0: every one; 1 the first, −1 the last.
    package let ordinal: Int
    package let weekday: Weekday
    package init(ordinal: Int = 0, _ weekday: Weekday) {
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  /// Longer text is refused before it is looked at; the longest rule that says something has some 250 bytes.
  package static let textBytesMax = 512
  /// In days, weeks, months or years: three years of days.
  package static let intervalMax = 1_000
  /// So many occurrences are counted one by one.
  package static let countMax = 1_000
  /// A rule that does not fire for so long never fires.
  package static let gapYearsMax = Limits.recurrenceMonthsMax / 12
  package static let gapDaysMax = 366 * gapYearsMax

  package let frequency: Frequency
  package let interval: Int
  /// 1–12, ascending.
  package let months: [Int]
  /// 1–31 and −31 – −1, ascending.
  package let monthDays: [Int]
  /// In the order of the week, without ordinals first.
  package let weekdays: [WeekdayOfPeriod]
  /// Which of the period's days count: 1 the first, −1 the last; none: all.
  package let positions: [Int]
  package let weekStart: Weekday
  /// In a month without the day, its last one is meant (RFC 7529 SKIP=BACKWARD); else the month is left out.
  package let keepsShortMonths: Bool
  package let end: End
  /// What it says of times of day until it is settled (`settled(for:)`); no post's rule has any.
  package let times: RuleTimes?

  package init(
    _ frequency: Frequency, interval: Int = 1, months: [Int] = [], monthDays: [Int] = [],
    weekdays: [WeekdayOfPeriod] = [], positions: [Int] = [], weekStart: Weekday = .monday,
    keepsShortMonths: Bool = false, end: End = .never, times: RuleTimes? = nil
  ) throws(RecurrenceProblem) {
    self.frequency = frequency
    self.interval = interval
    self.months = Set(months).sorted()
    self.monthDays = Set(monthDays).sorted()
    self.weekdays = Set(weekdays).sorted {
      ($0.ordinal, $0.weekday.index) < ($1.ordinal, $1.weekday.index)
    }
    self.positions = Set(positions).sorted()
    // The week's first day matters where weeks are counted or ranked.
    let weeksMatter = frequency == .weekly && (interval > 1 || !positions.isEmpty)
    self.weekStart = weeksMatter ? weekStart : .monday
    self.keepsShortMonths = keepsShortMonths
    self.end = end
    self.times = times
    try checkRanges()
    try checkParts()
    try checkItMayFire()
  }

  /// The canonical text.
  package var description: String {
    var parts = keepsShortMonths ? ["RSCALE=GREGORIAN"] : []
    parts.append("FREQ=\(frequency.rawValue)")
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    parts += [list("BYMONTH", months), list("BYMONTHDAY", monthDays)].compactMap(\.self)
    if !weekdays.isEmpty {
      let words = weekdays.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + $0.weekday.rawValue }
      parts.append("BYDAY=" + words.joined(separator: ","))
    }
    if let positions = list("BYSETPOS", positions) { parts.append(positions) }
    if weekStart != .monday { parts.append("WKST=\(weekStart.rawValue)") }
    if keepsShortMonths { parts.append("SKIP=BACKWARD") }
    parts += times?.words ?? []
    switch end {
    case .never: break
    case .until(let day): parts.append("UNTIL=" + day.basic)
    case .count(let count): parts.append("COUNT=\(count)")
    }
    return parts.joined(separator: ";")
  }

  /// The rule with what it leaves to its first day filled in: the weekday, the day of the month, the month.
  ///
  /// A day that not every month has is kept in mind: the 31st is the 30th in April and the 31st again in May, and
  /// who was born on 29 February gets the 28th. RFC 5545 would leave those months out; who wants that
  /// writes BYMONTHDAY.
  package func anchored(on first: Day) -> RecurrenceRule {
    let (_, month, day) = first.parts
    guard weekdays.isEmpty, monthDays.isEmpty else { return self }
    switch frequency {
    case .daily: return self
    case .weekly: return RecurrenceRule(self, weekdays: [WeekdayOfPeriod(first.weekday)])
    case .monthly: return RecurrenceRule(self, months: months, monthDay: day)
    case .yearly:
      return RecurrenceRule(self, months: months.isEmpty ? [month] : months, monthDay: day)
    }
  }

  private func list(_ name: String, _ values: [Int]) -> String? {
    values.isEmpty ? nil : "\(name)=" + values.map(String.init).joined(separator: ",")
  }

  /// The same of each day, week, month or year: what every interval counts a part of.
  package var everyPeriod: RecurrenceRule {
    RecurrenceRule(
      self, months: months, monthDays: monthDays, weekdays: weekdays,
      keepsShortMonths: keepsShortMonths, interval: 1)
  }

  /// With an end inside the same bounds as its own.
  func ending(_ end: End) -> RecurrenceRule {
    RecurrenceRule(
      self, months: months, monthDays: monthDays, weekdays: weekdays,
      keepsShortMonths: keepsShortMonths, end: end)
  }

  /// Of days alone.
  func settled(end: End) -> RecurrenceRule {
    RecurrenceRule(
      self, months: months, monthDays: monthDays, weekdays: weekdays,
      keepsShortMonths: keepsShortMonths, end: end, times: .some(nil))
  }

  private init(_ rule: RecurrenceRule, weekdays: [WeekdayOfPeriod]) {
    self.init(
      rule, months: rule.months, monthDays: [], weekdays: weekdays, keepsShortMonths: false)
  }

  private init(_ rule: RecurrenceRule, months: [Int], monthDay: Int) {
    self.init(
      rule, months: months, monthDays: [monthDay], weekdays: [], keepsShortMonths: monthDay > 28)
  }

  /// Only for what fits by construction: a day of the first occurrence added to a checked rule.
  private init(
    _ rule: RecurrenceRule, months: [Int], monthDays: [Int], weekdays: [WeekdayOfPeriod],
    keepsShortMonths: Bool, interval: Int? = nil, end: End? = nil, times: RuleTimes?? = nil
  ) {
    frequency = rule.frequency
    self.interval = interval ?? rule.interval
    self.months = months
    self.monthDays = monthDays
    self.weekdays = weekdays
    positions = rule.positions
    weekStart = rule.weekStart
    self.keepsShortMonths = keepsShortMonths
    self.end = end ?? rule.end
    self.times = times ?? rule.times
  }
}
