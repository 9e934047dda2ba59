import Domain

extension Reader {
  /// Takes a rule and its end: "every …", "every! …" (from completion), "daily", "montags", "the last fri of every
  /// month".
  mutating func recurrence() -> RuleParts? {
    if var parts = self.try({ $0.adverb() }) ?? self.try({ $0.daysOfEveryMonth() }) {
      readEnds(of: &parts)
      return parts.rule() == nil ? nil : parts
    }
    guard let basis = every() else { return nil }
    let read =
      self.try { $0.workdays() } ?? self.try { $0.interval() } ?? self.try { $0.dayOfYear() }
      ?? self.try { $0.days(bareNumbers: false) }
      ?? entry(tables.language.bareDayParts).map { RuleParts(everyDayIn: $0) }
    guard var parts = read else { return nil }
    parts.basis = basis
    readEnds(of: &parts)
    // Rules that never fire, such as every 31 April, are no guess.
    return parts.rule() == nil ? nil : parts
  }

  private mutating func readEnds(of parts: inout RuleParts) {
    if skip(tables.language.afterDone) { parts.basis = .completion }
    parts.end = self.try { $0.end() } ?? .never
    if skip(tables.language.afterDone) { parts.basis = .completion }
  }

  private mutating func every() -> Recurrence.Basis? {
    let every = tables.language.every
    return phrase { words in
      if every.contains(words) { return .due }
      return words.last == "!" && every.contains(String(words.dropLast())) ? .completion : nil
    }
  }

  /// Takes "daily", "monthly on the last day", "werktags", "montags und freitags" or "los lunes".
  private mutating func adverb() -> RuleParts? {
    if let unit = entry(tables.language.adverbs) { return onDays(RuleParts(unit: unit)) }
    if !skip(tables.language.sureOfDay) { skip(tables.language.beforeDate) }
    if skip(tables.language.eachWorkday) { return .workdays }
    if skip(tables.language.eachWeekend) { return .weekend }
    let isLed = skip(tables.language.beforeEachWeekday)
    let days = list(adjacent: true) {
      $0.tables.language.eachWeekday[$1] ?? (isLed ? $0.tables.language.weekdays[$1] : nil)
    }
    return days.map { RuleParts(weekdays: $0) }
  }

  /// Takes "the last fri of every month", "le 15 de chaque mois", "on the 1st every 3 months" or "am 15. monatlich".
  private mutating func daysOfEveryMonth() -> RuleParts? {
    let isLed = skip(tables.language.sureOfDay) || skip(tables.language.beforeDate)
    let isPlainNumber =
      !isLed && isNumeral(position) && !begins(at: position, among: tables.language.the)
    guard var days = days(bareNumbers: true), days.frequency == .monthly else { return nil }
    if skip(tables.language.ofEveryMonth) { return days }
    // In "buy 10 every month" the number is no day.
    guard !isPlainNumber || words.all[position - 1].lower.last == "." else { return nil }
    if entry(tables.language.adverbs) == .month { return days }
    guard let basis = every() else { return nil }
    days.interval = self.try { $0.saidInterval() } ?? self.try { $0.count() } ?? 1
    guard entry(tables.language.units) == .month else { return nil }
    days.basis = basis
    return days
  }

  /// Takes "day", "2 weeks", "other month", "other tue", "month on the 15th" or "2 weeks on mon and fri".
  private mutating func interval() -> RuleParts? {
    let said = self.try { $0.saidInterval() }
    if let said, let days = self.try({ $0.weekdaysOfWeeks() }) {
      var parts = RuleParts(weekdays: days)
      parts.interval = said
      return parts
    }
    let count = said ?? self.try { $0.count() } ?? 1
    guard let unit = entry(tables.language.units) else { return nil }
    var parts = RuleParts(unit: unit)
    parts.interval = count
    return onDays(parts)
  }

  /// Takes an "on the 15th" or "on mon and fri" behind the rule. "On 24 dec" is left, as it says when the rule begins.
  private mutating func onDays(_ parts: RuleParts) -> RuleParts {
    let days = self.try { reader -> RuleParts? in
      guard reader.skip(reader.tables.language.on) || reader.isAtEachWeekday,
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

  /// Takes "other", "zweiten" or "2."
  private mutating func saidInterval() -> Int? {
    if let count = entry(tables.language.intervals) { return count }
    return word { reader, word in
      let ending = reader.tables.language.intervalEndings.first { word.hasSuffix($0) }
      let count = ending.flatMap { reader.number(word.dropLast($0.count), digits: 1...3) }
      // "Jeden 1. Montag" means the first of the month.
      return count.flatMap { $0 > 1 ? $0 : nil }
    }
  }

  /// Takes weekdays that are not those of a month. "Jeden zweiten Dienstag" is the one of every other week; with "im
  /// Monat" behind it, it is the second one of the month.
  private mutating func weekdaysOfWeeks() -> [Weekday]? {
    guard let days = list(adjacent: true, { $0.weekday($1) }) else { return nil }
    return peek { $0.skip($0.tables.language.ofMonth) || $0.skip($0.tables.language.ofEveryMonth) }
      ? nil : days
  }

  /// Whether the name of each such day follows: "alle 2 Wochen montags" needs no "on".
  private var isAtEachWeekday: Bool {
    current.map { word in
      !word.isPlain && word.forms.contains { tables.language.eachWeekday[$0] != nil }
    } ?? false
  }

  /// Returns the weekday of a name in a rule, where the names of each such day count, too.
  private func weekday(_ name: String) -> Weekday? {
    tables.language.weekdays[name] ?? tables.language.eachWeekday[name]
      ?? (tables.language.isWeakReadInRules ? tables.language.weakWeekdays[name] : nil)
  }

  /// Takes "weekday" or "weekend".
  private mutating func workdays() -> RuleParts? {
    if skip(tables.language.workday) { return .workdays }
    return skip(tables.language.weekend) ? .weekend : nil
  }

  /// Takes "mon, wed and fri", "weekday", "1st and 15th", "last fri", "last day" or "15. des Monats".
  private mutating func days(bareNumbers: Bool) -> RuleParts? {
    let isPlainWord = !skip(tables.language.the)
    if isPlainWord, let found = self.try({ $0.workdays() }) { return found }
    if let found = self.try({ $0.list(adjacent: true) { $0.weekday($1) } }) {
      return RuleParts(weekdays: found)
    }
    let days =
      self.try { $0.rankedDays() }
      ?? self.try { reader in
        reader.list { $0.dayOfMonth($1, bare: bareNumbers) }.map { RuleParts(monthDays: $0) }
      }
    if let days {
      skip(tables.language.ofMonth)
      return days
    }
    guard let days = list({ $0.dayOfMonth($1, bare: true) }), skip(tables.language.ofMonth) else {
      return nil
    }
    return RuleParts(monthDays: days)
  }

  /// Takes "first mon", "2nd tue" or "last fri" of the month, or "last day".
  private mutating func rankedDays() -> RuleParts? {
    guard let ordinal = ordinal() else { return nil }
    if let weekday = word({ $0.weekday($1) }) {
      return RuleParts(ordinal: ordinal, weekday: weekday)
    }
    return ordinal == -1 && entry(tables.language.units) == .day ? RuleParts(monthDays: [-1]) : nil
  }

  /// Takes "first", "2nd" or "last".
  mutating func ordinal() -> Int? {
    entry(tables.language.ordinals)
      ?? word { $0.dayOfMonth($1, bare: false).flatMap { $0 <= 5 ? $0 : nil } }
  }

  /// Takes "24 dec", which means every year.
  private mutating func dayOfYear() -> RuleParts? {
    dayAndMonth().map { month, day in
      var parts = RuleParts(monthDays: [day])
      parts.frequency = .yearly
      parts.months = [month]
      return parts
    }
  }

  /// Takes "until 24.12.2026" or "5 times".
  mutating func end() -> RecurrenceRule.End? {
    if skip(tables.language.until) {
      return dayGroup(lead: .day).flatMap { $0.day(from: today) }.map { .until($0) }
    }
    guard let count = count(), skip(tables.language.times) else { return nil }
    return .count(count)
  }

  /// Takes one or more values, with a comma or "and" between them: "mon,wed", "mon, wed and fri". With `adjacent` there
  /// may be nothing between them: "mon wed".
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
      if more.open { _ = joins(read) }
    }
    return values.isEmpty ? nil : values
  }

  /// Takes an "and" only when such a value follows: "every mon and call" has one day.
  private mutating func joins<Value>(_ read: (Reader, String) -> Value?) -> Bool {
    let joined = self.try { reader -> Bool? in
      guard reader.skip(reader.tables.language.and), let after = reader.current, !after.isPlain
      else {
        return nil
      }
      let values = after.forms.compactMap { $0.split(separator: ",").first.map(String.init) }
      return values.contains { read(reader, $0) != nil } ? true : nil
    }
    return joined == true
  }
}
