import Domain

extension Reader {
  /// A date, after "on", "by" or "due" or without.
  mutating func due() -> Day? {
    skip(language.beforeDate)
    return date()
  }

  mutating func date() -> Day? {
    self.try { $0.writtenDate() } ?? self.try { $0.nearDay() } ?? self.try { $0.countedDay() }
      ?? self.try { $0.namedDate() }
  }

  /// `2026-12-24`, `24.12.2026`, `24.12.26`, `24.12.`: without a year, the next one.
  private mutating func writtenDate() -> Day? {
    word { reader, word in
      if let day = Day(word) { return day }
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let day = reader.number(parts[0], digits: 1...2),
        let month = reader.number(parts[1], digits: 1...2)
      else { return nil }
      if parts[2].isEmpty { return reader.next(month: month, day: day) }
      if let year = reader.number(parts[2], digits: 4...4) {
        return Day(year: year, month: month, day: day)
      }
      return reader.number(parts[2], digits: 2...2)
        .flatMap { Day(year: 2_000 + $0, month: month, day: day) }
    }
  }

  /// "tomorrow", "fri" (the next one, never today), "next week" (its Monday), "next fri" (next week's), "next month".
  private mutating func nearDay() -> Day? {
    if let days = word({ $0.language.days[$1] }) { return today.adding(days: days) }
    if let weekday = word({ $0.language.weekdays[$1] }) {
      return today.adding(days: (weekday.index - today.weekday.index + 6) % 7 + 1)
    }
    guard skip(language.next) else { return nil }
    let monday = today.adding(days: 7 - today.weekday.index)
    if let weekday = word({ $0.language.weekdays[$1] }) {
      return monday.adding(days: weekday.index)
    }
    switch word({ $0.language.units[$1] }) {
    case .day: return today.adding(days: 1)
    case .week: return monday
    case .month: return adding(months: 1, day: 1)
    case .year: return Day(year: today.parts.year + 1, month: 1, day: 1)
    case nil: return nil
    }
  }

  /// "in 3 days", "in a week", "in two months": the same day of that month, or its last one.
  private mutating func countedDay() -> Day? {
    guard skip(language.within), let count = count(), let unit = word({ $0.language.units[$1] })
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

  /// "24 dec", "dec 24th", "24 december 2027".
  private mutating func namedDate() -> Day? {
    guard let (month, day) = dayAndMonth() else { return nil }
    if let year = word({ $0.number($1[...], digits: 4...4) }) {
      return Day(year: year, month: month, day: day)
    }
    return next(month: month, day: day)
  }

  mutating func dayAndMonth() -> (month: Int, day: Int)? {
    let first = self.try { reader in
      reader.word { $0.dayOfMonth($1, bare: true) }
    }
    if let day = first {
      return word { $0.language.months[$1] }.map { ($0, day) }
    }
    guard let month = word({ $0.language.months[$1] }) else { return nil }
    return word { $0.dayOfMonth($1, bare: true) }.map { (month, $0) }
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
