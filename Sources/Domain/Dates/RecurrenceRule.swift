// A recurrence rule of RFC 5545 §3.3.10 for days. The time of day belongs to the due, and every occurrence keeps it.
//
// Accepted are FREQ (DAILY, WEEKLY, MONTHLY, YEARLY), INTERVAL, BYMONTH, BYMONTHDAY, BYDAY (with ordinals), BYSETPOS,
// WKST, COUNT, UNTIL (a date, the last day on which the rule may fire), and from RFC 7529 RSCALE=GREGORIAN with
// SKIP=BACKWARD: a day that a month does not have becomes its last one. Two things are read and then written in these
// words: BYYEARDAY alone, and an UNTIL with a time, one BYHOUR and BYMINUTE (`RuleTimes`). Refused are rules that fire
// more than once a day (HOURLY, MINUTELY, SECONDLY, two hours), BYWEEKNO, other calendars, SKIP=FORWARD, and rules that
// can never fire. BYWEEKNO cannot be written in other words, and with it in a post every client that knows only today's
// parts could not read the list any more.
//
// The text is canonical: parts stand in one order, values are sorted and stand once, and parts that change nothing are
// left out. So two rules that say the same in the same words are equal, and a rule may be compared and stored as its
// text.

/// The days on which something comes again.
package struct RecurrenceRule: Equatable, Sendable, CustomStringConvertible {
  package enum Frequency: String, CaseIterable, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  package enum End: Equatable, Sendable {
    case never
    /// The last day on which the rule may fire.
    case until(Day)
    /// The number of occurrences, the first one included.
    case count(Int)
  }

  /// Every such weekday of the period, or its nth: of the month, or of the year when a yearly rule names no months.
  package struct WeekdayOfPeriod: Hashable, Sendable {
    /// The ordinal: 0 for every one, 1 for the first, −1 for the last.
    package let ordinal: Int
    package let weekday: Weekday
    package init(ordinal: Int = 0, _ weekday: Weekday) {
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  /// The bytes of a rule's text. A longer text is refused before it is read; the longest rule that says something has
  /// some 250 bytes.
  package static let textBytesMax = 512
  /// The longest interval, in days, weeks, months or years: three years of days.
  package static let intervalMax = 1_000
  /// The largest count. Occurrences are counted one by one.
  package static let countMax = 1_000
  /// The years after which a rule that has not fired never fires.
  package static let gapYearsMax = Limits.recurrenceMonthsMax / 12
  package static let gapDaysMax = 366 * gapYearsMax

  package let frequency: Frequency
  package let interval: Int
  /// The months, 1–12, ascending.
  package let months: [Int]
  /// The days of the month, 1–31 and −31 – −1, ascending.
  package let monthDays: [Int]
  /// The weekdays in the order of the week, those without ordinals first.
  package let weekdays: [WeekdayOfPeriod]
  /// The places of the period's days that count: 1 the first, −1 the last. Empty: all days.
  package let positions: [Int]
  package let weekStart: Weekday
  /// Whether in a month without the day its last one counts (RFC 7529 SKIP=BACKWARD). Otherwise such a month is left
  /// out.
  package let keepsShortMonths: Bool
  package let end: End
  /// The times of day that the rule names, until it is settled (`settled(for:)`). No post's rule has any.
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
    // The first day of the week matters where weeks are counted or ranked.
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

  /// Returns the rule with the parts filled in that it leaves to its first day: the weekday, the day of the month, the
  /// month.
  ///
  /// A day that not every month has is remembered: the 31st is the 30th in April and the 31st again in May, and a
  /// birthday on 29 February gets the 28th. RFC 5545 would leave those months out; a person who wants that writes
  /// BYMONTHDAY.
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

  /// Returns the rule with an interval of 1, for every day, week, month or year. This rule names some of its days.
  package var everyPeriod: RecurrenceRule {
    RecurrenceRule(
      self, months: months, monthDays: monthDays, weekdays: weekdays,
      keepsShortMonths: keepsShortMonths, interval: 1)
  }

  /// Returns the same rule with an end inside the same bounds as its own.
  func ending(_ end: End) -> RecurrenceRule {
    RecurrenceRule(
      self, months: months, monthDays: monthDays, weekdays: weekdays,
      keepsShortMonths: keepsShortMonths, end: end)
  }

  /// Returns the same rule without times of day.
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

  /// Makes a rule that fits by construction: a checked rule with a day of its first occurrence.
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
