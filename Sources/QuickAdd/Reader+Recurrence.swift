import Domain

extension Reader {
  /// "every …", "every! …" (from completion), "daily", and how it ends.
  mutating func recurrence() -> QuickAdd.Again? {
    var basis = Recurrence.Basis.due
    let parts: RuleParts?
    if let unit = word({ $0.language.adverbs[$1] }) {
      parts = RuleParts(unit: unit)
    } else {
      let every = word { reader, word -> Recurrence.Basis? in
        if reader.language.every.contains(word) { return .due }
        return word.last == "!" && reader.language.every.contains(String(word.dropLast()))
          ? .completion : nil
      }
      guard let every else { return nil }
      basis = every
      parts =
        self.try { $0.interval() } ?? self.try { $0.days(bareNumbers: false) }
        ?? self.try { $0.dayOfYear() }
    }
    guard var parts else { return nil }
    parts.end = self.try { $0.end() } ?? .never
    // Rules that never fire, such as every 31 April, are no guess.
    guard let rule = parts.rule() else { return nil }
    return QuickAdd.Again(rule: rule, basis: basis)
  }

  /// "day", "2 weeks", "other month", "month on the 15th", "2 weeks on mon and fri".
  private mutating func interval() -> RuleParts? {
    let count = skip(language.other) ? 2 : self.try { $0.count() } ?? 1
    guard let unit = word({ $0.language.units[$1] }) else { return nil }
    var parts = RuleParts(unit: unit)
    parts.interval = count
    // "every week on the 3rd" says nothing: the words after the unit are left.
    let days = self.try { reader -> RuleParts? in
      guard reader.skip(reader.language.on), let days = reader.days(bareNumbers: true),
        days.frequency == parts.frequency
      else { return nil }
      return days
    }
    guard let days else { return parts }
    parts.take(days)
    return parts
  }

  /// "mon, wed and fri", "weekday", "1st and 15th", "last fri", "last day".
  private mutating func days(bareNumbers: Bool) -> RuleParts? {
    let isPlainWord = !skip(language.the)
    if isPlainWord, skip(language.workday) {
      return RuleParts(weekdays: Array(Weekday.allCases.prefix(5)))
    }
    if isPlainWord, skip(language.weekend) {
      return RuleParts(weekdays: Array(Weekday.allCases.suffix(2)))
    }
    if let found = self.try({ $0.list(adjacent: true) { $0.language.weekdays[$1] } }) {
      return RuleParts(weekdays: found)
    }
    if let found = self.try({ $0.rankedDay() }) { return found }
    return list { $0.dayOfMonth($1, bare: bareNumbers) }.map { RuleParts(monthDays: $0) }
  }

  /// "first mon", "2nd tue", "last fri" of the month; "last day".
  private mutating func rankedDay() -> RuleParts? {
    let ordinal = word { reader, word -> Int? in
      reader.language.ordinals[word]
        ?? reader.dayOfMonth(word, bare: false).flatMap { $0 <= 5 ? $0 : nil }
    }
    guard let ordinal else { return nil }
    if let weekday = word({ $0.language.weekdays[$1] }) {
      return RuleParts(ordinal: ordinal, weekday: weekday)
    }
    let isDay = word { $0.language.units[$1] == .day ? true : nil }
    return ordinal == -1 && isDay == true ? RuleParts(monthDays: [-1]) : nil
  }

  /// "24 dec": every year.
  private mutating func dayOfYear() -> RuleParts? {
    dayAndMonth().map { month, day in
      var parts = RuleParts(monthDays: [day])
      parts.frequency = .yearly
      parts.months = [month]
      return parts
    }
  }

  /// "until 24.12.2026", "5 times".
  private mutating func end() -> RecurrenceRule.End? {
    if skip(language.until) { return date().map { .until($0) } }
    guard let count = count(), skip(language.times) else { return nil }
    return .count(count)
  }

  /// One or more, between them a comma or "and": "mon,wed", "mon, wed and fri"; `adjacent`: or nothing: "mon wed".
  private mutating func list<Value>(
    adjacent: Bool = false, _ read: (Reader, String) -> Value?
  ) -> [Value]? {
    var values: [Value] = []
    while true {
      let more = word { reader, word -> (values: [Value], open: Bool)? in
        var parts = word.split(separator: ",", omittingEmptySubsequences: false)
        let open = parts.count > 1 && parts.last?.isEmpty == true
        if open { parts.removeLast() }
        let read = parts.compactMap { read(reader, String($0)) }
        return read.count == parts.count ? (read, open) : nil
      }
      guard let more else { break }
      values += more.values
      guard more.open || joins(read) || adjacent && current != nil else { break }
    }
    return values.isEmpty ? nil : values
  }

  /// Takes an "and" only when such a value follows: "every mon and call" has one day.
  private mutating func joins<Value>(_ read: (Reader, String) -> Value?) -> Bool {
    guard position + 1 < words.all.count else { return false }
    let after = words.all[position + 1]
    let first = String(after.lower.split(separator: ",").first ?? "")
    guard !after.isPlain, read(self, first) != nil else { return false }
    return skip(language.and)
  }
}

/// A rule that is being read.
private struct RuleParts {
  var frequency: RecurrenceRule.Frequency
  var interval = 1
  var months: [Int] = []
  var monthDays: [Int] = []
  var weekdays: [RecurrenceRule.WeekdayOfPeriod] = []
  var end = RecurrenceRule.End.never

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

  mutating func take(_ days: RuleParts) {
    monthDays = days.monthDays
    weekdays = days.weekdays
  }

  /// Nil when there is no such rule. Who says "the 31st" means the last day of shorter months.
  func rule() -> RecurrenceRule? {
    do {
      let keepsShortMonths = monthDays.contains { $0 > 28 } && !impossible
      return try RecurrenceRule(
        frequency, interval: interval, months: months, monthDays: monthDays, weekdays: weekdays,
        keepsShortMonths: keepsShortMonths, end: end)
    } catch {
      return nil
    }
  }

  /// 31 April: of a named month that never has the day, its last one is not meant.
  private var impossible: Bool {
    months.contains { month in monthDays.contains { $0 > Day.lengthOfMonth(month, year: 2_000) } }
  }
}
