import Domain

extension Reader {
  /// The words before a date, by what they say of the word behind them.
  enum Lead {
    case none
    /// "by": a date follows, or something else.
    case date
    /// "am", "bis": a day follows, so a weak name is a day.
    case day
  }

  /// Takes everything here about one day. Nil when there is nothing.
  mutating func dayGroup(lead: Lead) -> DayGroup? {
    var group = DayGroup()
    var lead = lead
    while let piece = self.try({ $0.dayPiece(lead, behind: group) }) {
      group.add(piece)
      lead = .none
    }
    return group.pieces.isEmpty ? nil : group
  }

  /// Takes one piece, with the words before it that belong to it: "on", "by the".
  mutating func ledDayPiece(behind group: DayGroup) -> (piece: DayPiece, isUntil: Bool)? {
    let start = position
    var lead = group.isStart && group.pieces.isEmpty ? Lead.date : .none
    for _ in 0..<2 {
      if skip(tables.language.sureOfDay) || skip(tables.language.latest) {
        lead = .day
      } else if skip(tables.language.beforeDate) {
        lead = lead == .day ? .day : .date
      }
    }
    let isUntil =
      lead != .none
      && peek {
        $0.position = start; return $0.skip($0.tables.language.until)
      }
    if let piece = self.try({ $0.dayPiece(lead, behind: group) }) { return (piece, isUntil) }
    position = start
    return dayPiece(group.isStart && group.pieces.isEmpty ? .date : .none, behind: group).map {
      ($0, false)
    }
  }

  private mutating func dayPiece(_ lead: Lead, behind group: DayGroup) -> DayPiece? {
    if let piece = self.try({ $0.articledPiece(lead, behind: group) }) { return piece }
    return self.try { $0.nearPiece(lead, behind: group) } ?? self.try { $0.countedPiece() }
      ?? self.try { $0.nextPiece(behind: group) }
  }

  /// Takes a piece that may have an article before it: "the 24th of dec", "the first monday of january", "mon the 7th".
  private mutating func articledPiece(_ lead: Lead, behind group: DayGroup) -> DayPiece? {
    let hasArticle = skip(tables.language.the)
    if let day = self.try({ $0.rankedPiece() }) { return day }
    if let day = self.try({ $0.writtenDate(lead, behind: group) }) { return day }
    if let day = self.try({ $0.namedDate() }) { return day }
    guard group.endsWithWeekday || group.pieces.last == .next(.month),
      peek({ $0.time(isExpected: false) }) == nil
    else { return nil }
    let isBare = tables.language.isDayOfMonthBare || hasArticle
    return self.try { reader in
      let day = reader.word { $0.dayOfMonth($1, bare: isBare) }
      reader.skip(reader.tables.language.ofMonth)
      return day.map { .dayOfMonth($0) }
    }
  }

  /// Takes `2026-12-24`, `24.12.2026`, `24.12.26` or `24.12.`; behind a word for a date also `12-24`.
  private mutating func writtenDate(_ lead: Lead, behind group: DayGroup) -> DayPiece? {
    if let spaced = self.try({ $0.spacedDate(isSure: lead != .none || group.endsWithWeekday) }) {
      return spaced
    }
    let piece = word { reader, word -> DayPiece? in
      if let day = Day(word) { return .date(day) }
      if lead != .none, word.utf8.count == 5, let day = reader.monthAndDay(word) { return day }
      return reader.separated(word, isLed: lead != .none || group.endsWithWeekday)
    }
    guard case .yearless(let month, let day) = piece else { return piece }
    guard let year = self.try({ $0.year() }) else { return piece }
    return Day(year: year, month: month, day: day).map { .date($0) }
  }

  private func separated(_ word: String, isLed: Bool) -> DayPiece? {
    for separator in ["."] + tables.language.dateSeparators {
      let parts = word.split(separator: separator, omittingEmptySubsequences: false)
      // "1/2" without such a word is a half.
      let isShort = parts.count == 2 && separator == "/" && isLed
      guard parts.count == 3 || isShort, let day = number(parts[0], digits: 1...2),
        let month = number(parts[1], digits: 1...2)
      else { continue }
      if isShort || separator == "." && parts[2].isEmpty { return yearless(month, day) }
      return year(parts[2]).flatMap { Day(year: $0, month: month, day: day) }.map { .date($0) }
    }
    return nil
  }

  /// Takes `24. 12. 2026`; without a year only where a date must be.
  private mutating func spacedDate(isSure: Bool) -> DayPiece? {
    func pointed(_ reader: Reader, _ word: String) -> Int? {
      word.last == "." ? reader.number(word.dropLast(), digits: 1...2) : nil
    }
    guard let day = word(pointed), let month = word(pointed) else { return nil }
    if let year = self.try({ $0.year() }) {
      return Day(year: year, month: month, day: day).map { .date($0) }
    }
    return isSure ? yearless(month, day) : nil
  }

  /// Reads a date `12-24`, which means the next such day.
  private func monthAndDay(_ word: String) -> DayPiece? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let month = number(parts[0], digits: 2...2),
      let day = number(parts[1], digits: 2...2)
    else { return nil }
    return yearless(month, day)
  }

  private func yearless(_ month: Int, _ day: Int) -> DayPiece? {
    today.next(month: month, day: day) == nil ? nil : .yearless(month: month, day: day)
  }

  private func year(_ text: Substring) -> Int? {
    number(text, digits: 4...4)
      ?? number(text.first == "'" ? text.dropFirst() : text, digits: 2...2).map { 2_000 + $0 }
  }

  /// Takes `2027` or `'27` behind a day and its month.
  private mutating func year() -> Int? {
    word { reader, word in
      if word.first == "'" {
        return reader.number(word.dropFirst(), digits: 2...2).map { 2_000 + $0 }
      }
      return reader.number(word[...], digits: 4...4).flatMap {
        (1_900...2_199).contains($0) ? $0 : nil
      }
    }
  }

  /// Takes "tomorrow", "fri", "this fri" or "next fri".
  private mutating func nearPiece(_ lead: Lead, behind group: DayGroup) -> DayPiece? {
    let isName =
      current?.said.first?.isUppercase == true
      && begins(at: position, among: tables.language.daysInSmallLetters)
    if !isName, let days = entry(tables.language.days) { return .relative(days) }
    if group.endsWithWeekday, let weeks = entry(tables.language.weeksBehind) {
      return .weeksBehind(weeks)
    }
    let sure = group.pieces.isEmpty ? lead : .day
    if skip(tables.language.this) { return weekday(.day).map { .weekday($0, .this) } }
    if let weekday = self.try({ $0.comingWeekday(sure) }) { return .weekday(weekday, .coming) }
    return self.try { reader in
      reader.skip(reader.tables.language.nextOfDay)
        ? reader.weekday(.day).map { .weekday($0, .nextWeek) } : nil
    }
  }

  /// Takes "fri", "kommenden Freitag" or "el viernes que viene".
  private mutating func comingWeekday(_ lead: Lead) -> Weekday? {
    let isComing = skip(tables.language.coming)
    guard let weekday = weekday(isComing ? .day : lead) else { return nil }
    skip(tables.language.comingBehind)
    return weekday
  }

  /// Takes a weekday. A weak name, and a short one with a point, is taken only where nothing else can be meant: "Fr.
  /// Maier" is no Friday.
  private mutating func weekday(_ lead: Lead) -> Weekday? {
    let start = position
    let names = tables.language.weekdays
    let weakNames = tables.language.weakWeekdays
    if let weekday = word({ names[$1] }) {
      let isShort = words.all[start].said.contains(".") && weekdayNameIsShort(at: start)
      let isSure = lead == .day || current == nil || isBesideDate
      return !isShort || isSure ? weekday : nil
    }
    guard let weekday = word({ weakNames[$1] }) else { return nil }
    if lead == .day || isBesideDate { return weekday }
    // "In the sun" is no day.
    let isThing = ends(before: start, among: tables.language.the)
    return tables.language.isWeakReadAtEnd && !isThing && isAtEnd(behind: start) ? weekday : nil
  }

  private func weekdayNameIsShort(at place: Int) -> Bool {
    words.all[place].lower.filter(\.isLetter).count <= 4
  }

  /// Whether a time or a date follows, so that the name before it is a day's.
  private var isBesideDate: Bool {
    peek { reader in
      if reader.time(isExpected: false) != nil { return true }
      let language = reader.tables.language
      if language.isWeakReadAtEnd,
        reader.entry(language.dayParts) != nil || reader.entry(language.bareDayParts) != nil
          || reader.try({ $0.countedPiece() ?? $0.nextPiece(behind: DayGroup()) }) != nil
      {
        return true
      }
      if !reader.skip(reader.tables.language.the) { reader.skip(reader.tables.language.beforeDate) }
      if tables.language.isWeakReadAtEnd, reader.word({ $0.dayOfMonth($1, bare: false) }) != nil {
        return true
      }
      return reader.try { $0.writtenDate(.date, behind: DayGroup()) } != nil
        || reader.try { $0.namedDate() } != nil
    }
  }

  /// Answers whether nothing but marks follows, or the clause ends.
  private func isAtEnd(behind place: Int) -> Bool {
    if words.all[place].endsClause { return true }
    return words.all[(place + 1)...].allSatisfy { "!#@+".contains($0.lower.first ?? " ") }
  }

  /// Takes "in 3 days", "in a week" or "in two months".
  private mutating func countedPiece() -> DayPiece? {
    guard skip(tables.language.within), let count = count(), let unit = entry(tables.language.units)
    else {
      return nil
    }
    return .later(count, unit)
  }

  /// Takes "next week" or "la semaine prochaine"; behind a weekday also "of next week".
  private mutating func nextPiece(behind group: DayGroup) -> DayPiece? {
    if group.endsWithWeekday { skip(tables.language.ofWeek) }
    if skip(tables.language.next) { return entry(tables.language.units).map { .next($0) } }
    guard let unit = entry(tables.language.units) else { return nil }
    return skip(tables.language.nextBehind) ? .next(unit) : nil
  }

  /// Takes "first monday of january" or "le premier lundi de janvier 2027".
  private mutating func rankedPiece() -> DayPiece? {
    guard let ordinal = ordinal(), let weekday = weekday(.day), skip(tables.language.inMonth),
      let month = month()
    else { return nil }
    let year = self.try { reader in
      reader.skip(reader.tables.language.ofDate)
      return reader.year()
    }
    return .ranked(ordinal: ordinal, weekday, month: month, year: year)
  }

  /// Takes "24 dec", "dec 24th", "24 december 2027" or "24 de diciembre de 2027".
  private mutating func namedDate() -> DayPiece? {
    guard let (month, day) = dayAndMonth() else { return nil }
    let year = self.try { reader in
      reader.skip(reader.tables.language.ofDate)
      return reader.year()
    }
    if let year { return Day(year: year, month: month, day: day).map { .date($0) } }
    return yearless(month, day)
  }

  mutating func dayAndMonth() -> (month: Int, day: Int)? {
    let first = self.try { reader in
      reader.word { $0.dayOfMonth($1, bare: true) }
    }
    if let day = first {
      skip(tables.language.ofDate)
      return month().map { ($0, day) }
    }
    guard tables.language.isMonthFirst, let month = month() else { return nil }
    return word { $0.dayOfMonth($1, bare: true) }.map { (month, $0) }
  }

  /// Takes "dec" or "dec."
  mutating func month() -> Int? { word { $0.tables.language.months[$1] } }
}
