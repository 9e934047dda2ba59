import Domain

extension Reader {
  /// "every …", "every! …" (from completion), "daily", "montags", "the last fri of every month", and how it ends.
  mutating func recurrence() -> QuickAdd.Again? {
    var basis = Recurrence.Basis.due
    var parts = self.try { $0.adverb() } ?? self.try { $0.daysOfEveryMonth() }
    if parts == nil {
      guard let every = every() else { return nil }
      basis = every
      parts =
        self.try { $0.workdays() } ?? self.try { $0.interval() } ?? self.try { $0.dayOfYear() }
        ?? self.try { $0.days(bareNumbers: false) }
    }
    guard var parts else { return nil }
    if skip(language.afterDone) { basis = .completion }
    parts.end = self.try { $0.end() } ?? .never
    if skip(language.afterDone) { basis = .completion }
    // Rules that never fire, such as every 31 April, are no guess.
    guard let rule = parts.rule() else { return nil }
    return QuickAdd.Again(rule: rule, basis: basis)
  }

  /// "until 24.12.", "5 times", "after done", where a time stands between it and its rule.
  mutating func more(of again: QuickAdd.Again) -> QuickAdd.Again? {
    if again.basis == .due, skip(language.afterDone) {
      return QuickAdd.Again(rule: again.rule, basis: .completion)
    }
    guard again.rule.end == .never, let end = end() else { return nil }
    do throws(RecurrenceProblem) {
      let rule = again.rule
      return QuickAdd.Again(
        rule: try RecurrenceRule(
          rule.frequency, interval: rule.interval, months: rule.months, monthDays: rule.monthDays,
          weekdays: rule.weekdays, keepsShortMonths: rule.keepsShortMonths, end: end),
        basis: again.basis)
    } catch {
      return nil
    }
  }

  private mutating func every() -> Recurrence.Basis? {
    let every = language.every
    return phrase { words in
      if every.contains(words) { return .due }
      return words.last == "!" && every.contains(String(words.dropLast())) ? .completion : nil
    }
  }

  /// "daily", "monthly on the last day", "werktags", "montags und freitags", "los lunes".
  private mutating func adverb() -> RuleParts? {
    if let unit = entry(language.adverbs) { return onDays(RuleParts(unit: unit)) }
    if skip(language.eachWorkday) { return .workdays }
    let isLed = skip(language.beforeEachWeekday)
    let days = list(adjacent: true) {
      $0.language.eachWeekday[$1] ?? (isLed ? $0.language.weekdays[$1] : nil)
    }
    return days.map { RuleParts(weekdays: $0) }
  }

  /// "the last fri of every month", "le 15 de chaque mois".
  private mutating func daysOfEveryMonth() -> RuleParts? {
    if !skip(language.sureOfDay) { skip(language.beforeDate) }
    guard let days = days(bareNumbers: true), days.frequency == .monthly,
      skip(language.ofEveryMonth)
    else { return nil }
    return days
  }

  /// "day", "2 weeks", "other month", "other tue", "month on the 15th", "2 weeks on mon and fri".
  private mutating func interval() -> RuleParts? {
    let said = self.try { $0.saidInterval() }
    if let said, let days = self.try({ $0.weekdaysOfWeeks() }) {
      var parts = RuleParts(weekdays: days)
      parts.interval = said
      return parts
    }
    let count = said ?? self.try { $0.count() } ?? 1
    guard let unit = entry(language.units) else { return nil }
    var parts = RuleParts(unit: unit)
    parts.interval = count
    return onDays(parts)
  }

  /// With "on the 15th", "on mon and fri" behind it. "Every week on the 3rd" says nothing: these words are left; and "on 24
  /// dec" is when it begins.
  private mutating func onDays(_ parts: RuleParts) -> RuleParts {
    let days = self.try { reader -> RuleParts? in
      guard reader.skip(reader.language.on) || reader.isAtEachWeekday,
        reader.peek({ $0.dayAndMonth() }) == nil,
        let days = reader.days(bareNumbers: true), days.frequency == parts.frequency
      else { return nil }
      return days
    }
    guard let days else { return parts }
    var parts = parts
    parts.take(days)
    return parts
  }

  /// "other", "zweiten", "2."
  private mutating func saidInterval() -> Int? {
    if let count = entry(language.intervals) { return count }
    return word { reader, word in
      let ending = reader.language.intervalEndings.first { word.hasSuffix($0) }
      let count = ending.flatMap { reader.number(word.dropLast($0.count), digits: 1...3) }
      // "jeden 1. Montag" is the month's first.
      return count.flatMap { $0 > 1 ? $0 : nil }
    }
  }

  /// Weekdays that are not those of a month: "jeden zweiten Dienstag" is every other week's, "im Monat" makes it the
  /// month's second.
  private mutating func weekdaysOfWeeks() -> [Weekday]? {
    guard let days = list(adjacent: true, { $0.weekday($1) }) else { return nil }
    return peek { $0.skip($0.language.ofMonth) || $0.skip($0.language.ofEveryMonth) } ? nil : days
  }

  /// "alle 2 Wochen montags" needs no "on".
  private var isAtEachWeekday: Bool {
    current.map { !$0.isPlain && language.eachWeekday[$0.lower] != nil } ?? false
  }

  /// In a rule: also the names of each such day.
  private func weekday(_ name: String) -> Weekday? {
    language.weekdays[name] ?? language.eachWeekday[name]
      ?? (language.isWeakReadInRules ? language.weakWeekdays[name] : nil)
  }

  /// "weekday", "weekend".
  private mutating func workdays() -> RuleParts? {
    if skip(language.workday) { return .workdays }
    return skip(language.weekend) ? RuleParts(weekdays: Array(Weekday.allCases.suffix(2))) : nil
  }

  /// "mon, wed and fri", "weekday", "1st and 15th", "last fri", "last day", "15. des Monats".
  private mutating func days(bareNumbers: Bool) -> RuleParts? {
    let isPlainWord = !skip(language.the)
    if isPlainWord, let found = self.try({ $0.workdays() }) { return found }
    if let found = self.try({ $0.list(adjacent: true) { $0.weekday($1) } }) {
      return RuleParts(weekdays: found)
    }
    let ranked = self.try { $0.rankedDay() }
    let days =
      ranked
      ?? self.try { reader in
        reader.list { $0.dayOfMonth($1, bare: bareNumbers) }.map { RuleParts(monthDays: $0) }
      }
    if let days {
      skip(language.ofMonth)
      return days
    }
    guard let days = list({ $0.dayOfMonth($1, bare: true) }), skip(language.ofMonth) else {
      return nil
    }
    return RuleParts(monthDays: days)
  }

  /// "first mon", "2nd tue", "last fri" of the month; "last day".
  private mutating func rankedDay() -> RuleParts? {
    let ordinal =
      entry(language.ordinals)
      ?? word { $0.dayOfMonth($1, bare: false).flatMap { $0 <= 5 ? $0 : nil } }
    guard let ordinal else { return nil }
    if let weekday = word({ $0.weekday($1) }) {
      return RuleParts(ordinal: ordinal, weekday: weekday)
    }
    return ordinal == -1 && entry(language.units) == .day ? RuleParts(monthDays: [-1]) : nil
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
    if skip(language.until) { return date(.day).map { .until($0) } }
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
    let joined = self.try { reader -> Bool? in
      guard reader.skip(reader.language.and), let after = reader.current, !after.isPlain else {
        return nil
      }
      let first = String(after.lower.split(separator: ",").first ?? "")
      return read(reader, first) == nil ? nil : true
    }
    return joined == true
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

  static let workdays = RuleParts(weekdays: Array(Weekday.allCases.prefix(5)))

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
