import Domain

/// A rule in the words that `RepeatWish` reads, and those words.
enum RecurrenceWords {
  static let adverbs: [(word: String, frequency: RecurrenceRule.Frequency)] = [
    ("daily", .daily), ("weekly", .weekly), ("monthly", .monthly), ("yearly", .yearly),
  ]

  static let ordinals: [(word: String, number: Int)] = [
    ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("last", -1),
  ]

  private static let units: [(word: String, frequency: RecurrenceRule.Frequency)] = [
    ("day", .daily), ("week", .weekly), ("month", .monthly), ("year", .yearly),
  ]

  private static let weekdays: [(word: String, name: String, weekday: Weekday)] = [
    ("mon", "monday", .monday), ("tue", "tuesday", .tuesday), ("wed", "wednesday", .wednesday),
    ("thu", "thursday", .thursday), ("fri", "friday", .friday), ("sat", "saturday", .saturday),
    ("sun", "sunday", .sunday),
  ]

  /// `week`, `weeks`
  static func frequency(_ word: String) -> RecurrenceRule.Frequency? {
    units.first { word == $0.word || word == $0.word + "s" }?.frequency
  }

  /// `mon`, `monday`, `mondays`
  static func weekday(_ word: String) -> Weekday? {
    weekdays.first { word.count >= 3 && ($0.name + "s").hasPrefix(word) }?.weekday
  }

  /// `15th`, `15`, `15.`
  static func dayOfMonth(_ word: String) -> Int? {
    let digits = word.prefix { $0.isNumber }
    guard let day = Int(digits), (1...31).contains(day),
      ["", ".", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count))
    else { return nil }
    return day
  }

  /// `weekly until 2026-12-31`, `every mon wed after done`
  static func words(_ repetition: Repetition) -> String {
    var words = [when(repetition.rule)]
    switch repetition.rule.end {
    case .never: break
    case .until(let day): words.append("until \(day)")
    case .count(1): words.append("1 time")
    case .count(let count): words.append("\(count) times")
    }
    if repetition.basis == .completion { words.append("after done") }
    if repetition.missed == .kept { words.append("one by one") }
    return words.joined(separator: " ")
  }

  private static func when(_ rule: RecurrenceRule) -> String {
    let isPlain =
      rule.months.isEmpty && rule.positions.isEmpty && rule.weekStart == .monday
      && !rule.keepsShortMonths
    guard isPlain, let unit = units.first(where: { $0.frequency == rule.frequency })?.word else {
      return text(rule)
    }
    let every = rule.interval == 1 ? "every \(unit)" : "every \(rule.interval) \(unit)s"
    switch (rule.frequency, rule.monthDays, rule.weekdays) {
    case (_, [], []):
      let adverb = adverbs.first { $0.frequency == rule.frequency }?.word
      return rule.interval == 1 ? adverb ?? every : every
    case (.weekly, [], let days):
      if rule.interval == 1, days.map(\.weekday) == Array(Weekday.allCases.prefix(5)) {
        return "every weekday"
      }
      let names = days.map { short($0.weekday) }.joined(separator: " ")
      return rule.interval == 1 ? "every \(names)" : "\(every) on \(names)"
    case (.monthly, [-1], []): return "\(every) on the last day"
    case (.monthly, let days, []) where days.count == 1 && days[0] > 0:
      return "\(every) on the \(days[0])\(ending(days[0]))"
    case (.monthly, [], let days) where days.count == 1:
      guard let ordinal = ordinals.first(where: { $0.number == days[0].ordinal })?.word else {
        return text(rule)
      }
      return "\(every) on the \(ordinal) \(short(days[0].weekday))"
    default: return text(rule)
    }
  }

  /// Without its end, which is said in words.
  private static func text(_ rule: RecurrenceRule) -> String {
    rule.description.split(separator: ";").filter {
      !$0.hasPrefix("UNTIL=") && !$0.hasPrefix("COUNT=")
    }.joined(separator: ";")
  }

  private static func short(_ weekday: Weekday) -> String {
    weekdays.first { $0.weekday == weekday }?.word ?? weekday.rawValue
  }

  private static func ending(_ day: Int) -> String {
    switch day {
    case 1, 21, 31: "st"
    case 2, 22: "nd"
    case 3, 23: "rd"
    default: "th"
    }
  }
}
