import Domain

/// Words for a rule that `RepeatWish` and a plain line can read; the text of its RRULE where there are no such words.
enum RecurrenceWords {
  /// Returns words such as `weekly until 2026-12-31` or `every mon, wed after done`.
  static func words(_ repetition: Repetition) -> String {
    var words = [repetition.rule.text]
    if repetition.basis == .completion { words.append("after done") }
    if repetition.missed == .kept { words.append("one by one") }
    switch repetition.rotation {
    case nil: break
    case .turn?: words.append("rotate")
    case .least?: words.append("rotate least")
    }
    if repetition.confirms { words.append("confirmed") }
    return words.joined(separator: " ")
  }
}

extension RecurrenceRule {
  fileprivate var text: String {
    guard positions.isEmpty, weekStart == .monday, let days else { return description }
    switch end {
    case .never: return days
    case .until(let day): return "\(days) until \(day)"
    case .count(1): return "\(days) 1 time"
    case .count(let count): return "\(days) \(count) times"
    }
  }

  /// The words for the days of the rule; nil when there are none.
  private var days: String? {
    if !months.isEmpty || frequency == .yearly { return dayOfYear }
    switch (monthDays, weekdays) {
    case ([], []): return keepsShortMonths ? nil : interval == 1 ? adverb : every
    case ([], let days) where frequency == .weekly: return "every \(named(days))"
    case (let days, []) where frequency == .monthly:
      return ranked(days).map { "\(every) on the \($0)" }
    case ([], let days) where frequency == .monthly && days.count == 1:
      return RecurrenceRule.ordinals[days[0].ordinal].map {
        "\(every) on the \($0) \(short(days[0].weekday))"
      }
    default: return nil
    }
  }

  /// The words `every 24 dec`, `yearly` or `every 2 years`; nil when there are none.
  private var dayOfYear: String? {
    guard frequency == .yearly, weekdays.isEmpty else { return nil }
    guard !months.isEmpty || !monthDays.isEmpty else { return interval == 1 ? adverb : every }
    guard interval == 1, months.count == 1, monthDays.count == 1, monthDays[0] > 0,
      keepsShortMonths == (monthDays[0] > 28)
    else { return nil }
    return "every \(monthDays[0]) \(RecurrenceRule.names[months[0] - 1])"
  }

  /// Returns `mon, wed`, `weekday` or `2 weeks on mon`.
  private func named(_ days: [WeekdayOfPeriod]) -> String {
    let names = days.map { short($0.weekday) }.joined(separator: ", ")
    if interval > 1 { return "\(interval) \(unit)s on \(names)" }
    return days.map(\.weekday) == Array(Weekday.allCases.prefix(5)) ? "weekday" : names
  }

  /// Returns `15th`, `1st and 15th` or `last day`. "The 31st" means the last day in shorter months. Nil when there are
  /// no words.
  private func ranked(_ days: [Int]) -> String? {
    if days == [-1] { return keepsShortMonths ? nil : "last day" }
    guard days.allSatisfy({ $0 > 0 }), keepsShortMonths == days.contains(where: { $0 > 28 }) else {
      return nil
    }
    return days.map { "\($0)\(ending($0))" }.joined(separator: " and ")
  }

  private var every: String { interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s" }

  private var unit: String {
    switch frequency {
    case .daily: "day"
    case .weekly: "week"
    case .monthly: "month"
    case .yearly: "year"
    }
  }

  private var adverb: String { frequency == .daily ? "daily" : "\(unit)ly" }

  private func short(_ weekday: Weekday) -> String {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][weekday.index]
  }

  private func ending(_ day: Int) -> String {
    switch day {
    case 1, 21, 31: "st"
    case 2, 22: "nd"
    case 3, 23: "rd"
    default: "th"
    }
  }

  private static let ordinals = [
    1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last",
  ]

  private static let names = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}
