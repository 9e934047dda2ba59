import Domain

extension Reader {
  /// What stands before a date, and what it says of the word behind it.
  enum Lead {
    case none
    /// "by": a date, or something else.
    case date
    /// "am", "bis": so a weak name is a day.
    case day
  }

  /// A date, after "on", "by" or "due" or without.
  mutating func due() -> Day? {
    self.try { reader in
      if reader.skip(reader.language.sureOfDay) { return reader.date(.day) }
      return reader.skip(reader.language.beforeDate) ? reader.date(.date) : nil
    } ?? date(.none)
  }

  mutating func date(_ lead: Lead) -> Day? {
    self.try { $0.fullDate() } ?? self.try { $0.writtenDate(lead) } ?? self.try { $0.nearDay(lead) }
      ?? self.try { $0.countedDay() } ?? self.try { $0.namedDate() }
  }

  /// A date with its weekday before it: "thu 24 dec", "Donnerstag, den 24.12."; with another one it is two dates.
  private mutating func fullDate() -> Day? {
    let weekday = word { reader, word -> Weekday? in
      let name = word.last == "," ? String(word.dropLast()) : word
      return reader.language.weekdays[name] ?? reader.language.weakWeekdays[name]
    }
    guard let weekday else { return nil }
    if !skip(language.the) { skip(language.beforeDate) }
    let day = self.try { $0.writtenDate(.date) } ?? self.try { $0.namedDate() }
    return day.flatMap { $0.weekday == weekday ? $0 : nil }
  }

  /// `2026-12-24`, `24.12.2026`, `24.12.26`, `24.12.`: without a year, the next one; behind a word for it also `12-24`.
  private mutating func writtenDate(_ lead: Lead) -> Day? {
    word { reader, word in
      if let day = Day(word) { return day }
      if lead != .none, word.utf8.count == 5, let day = reader.monthAndDay(word) { return day }
      for separator in ["."] + reader.language.dateSeparators {
        let parts = word.split(separator: separator, omittingEmptySubsequences: false)
        // "1/2" is a half.
        let isShort = parts.count == 2 && separator == "/" && lead != .none
        guard parts.count == 3 || isShort, let day = reader.number(parts[0], digits: 1...2),
          let month = reader.number(parts[1], digits: 1...2)
        else { continue }
        if isShort || separator == "." && parts[2].isEmpty {
          return reader.next(month: month, day: day)
        }
        return reader.year(parts[2]).flatMap { Day(year: $0, month: month, day: day) }
      }
      return nil
    }
  }

  /// `12-24`: the next one.
  private func monthAndDay(_ word: String) -> Day? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let month = number(parts[0], digits: 2...2),
      let day = number(parts[1], digits: 2...2)
    else { return nil }
    return next(month: month, day: day)
  }

  private func year(_ text: Substring) -> Int? {
    number(text, digits: 4...4) ?? number(text, digits: 2...2).map { 2_000 + $0 }
  }

  /// "tomorrow", "fri" (the next one, never today), "next week" (its Monday), "next fri" (next week's), "next month".
  private mutating func nearDay(_ lead: Lead) -> Day? {
    if let days = entry(language.days) { return today.adding(days: days) }
    if let weekday = self.try({ $0.comingWeekday(lead) }) {
      return today.adding(days: (weekday.index - today.weekday.index + 6) % 7 + 1)
    }
    let nextWeekday = self.try { reader in
      reader.skip(reader.language.nextOfDay) ? reader.weekday(.day) : nil
    }
    let monday = today.adding(days: 7 - today.weekday.index)
    if let nextWeekday { return monday.adding(days: nextWeekday.index) }
    switch nextUnit() {
    case .day: return today.adding(days: 1)
    case .week: return monday
    case .month: return adding(months: 1, day: 1)
    case .year: return Day(year: today.parts.year + 1, month: 1, day: 1)
    case nil: return nil
    }
  }

  /// "fri", "kommenden Freitag", "el viernes que viene".
  private mutating func comingWeekday(_ lead: Lead) -> Weekday? {
    let isComing = skip(language.coming)
    guard let weekday = weekday(isComing ? .day : lead) else { return nil }
    skip(language.comingBehind)
    return weekday
  }

  /// A weekday; a weak name only where nothing else can be meant.
  private mutating func weekday(_ lead: Lead) -> Weekday? {
    if let weekday = entry(language.weekdays) { return weekday }
    return self.try { reader in
      guard let weekday = reader.entry(reader.language.weakWeekdays) else { return nil }
      var after = reader
      return lead == .day || after.time() != nil ? weekday : nil
    }
  }

  /// "next week", "la semaine prochaine".
  private mutating func nextUnit() -> Language.Unit? {
    if skip(language.next) { return entry(language.units) }
    guard let unit = entry(language.units) else { return nil }
    return skip(language.nextBehind) ? unit : nil
  }

  /// "in 3 days", "in a week", "in two months": the same day of that month, or its last one.
  private mutating func countedDay() -> Day? {
    guard skip(language.within), let count = count(), let unit = entry(language.units)
    else {
      return nil
    }
    switch unit {
    case .day: return today.adding(days: count)
    case .week: return today.adding(days: 7 * count)
    case .month: return adding(months: count, day: today.parts.day)
    case .year: return adding(months: 12 * count, day: today.parts.day)
    }
  }

  /// "24 dec", "dec 24th", "24 december 2027", "24 de diciembre de 2027".
  private mutating func namedDate() -> Day? {
    guard let (month, day) = dayAndMonth() else { return nil }
    let year = self.try { reader in
      reader.skip(reader.language.ofDate)
      return reader.word { $0.number($1[...], digits: 4...4) }
    }
    if let year { return Day(year: year, month: month, day: day) }
    return next(month: month, day: day)
  }

  mutating func dayAndMonth() -> (month: Int, day: Int)? {
    let first = self.try { reader in
      reader.word { $0.dayOfMonth($1, bare: true) }
    }
    if let day = first {
      skip(language.ofDate)
      return month().map { ($0, day) }
    }
    guard language.isMonthFirst, let month = month() else { return nil }
    return word { $0.dayOfMonth($1, bare: true) }.map { (month, $0) }
  }

  /// "dec" or "dec."
  private mutating func month() -> Int? {
    word { $0.language.months[$1.last == "." ? String($1.dropLast()) : $1] }
  }

  /// The first such day from today on; a 29 February may be seven years away.
  private func next(month: Int, day: Int) -> Day? {
    let year = today.parts.year
    for year in year...(year + 8) {
      if let found = Day(year: year, month: month, day: day), found >= today { return found }
    }
    return nil
  }

  private func adding(months: Int, day: Int) -> Day? {
    let count = 12 * today.parts.year + today.parts.month - 1 + months
    let (year, month) = (count / 12, count % 12 + 1)
    return Day(year: year, month: month, day: min(day, Day.lengthOfMonth(month, year: year)))
  }
}
