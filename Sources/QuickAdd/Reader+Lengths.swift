/// The time that something takes, as the line says it.
struct Length: Equatable {
  let minutes: Int
  /// Whether it may be something else, as "50m" and "24h" ("2m" of cable, a "24h" shop). Then it is a length only where
  /// no word follows.
  let isVague: Bool
  /// Whether it is hours and nothing else, so that minutes may follow.
  var isHours = false
}

extension Reader {
  /// Takes a length: `50m`, `90min`, `2h`, `1h30`, `1h30m`, `1h 30m`, `for 50m` or `for 2 hours`.
  mutating func length() -> Length? {
    let isLed = skip(tables.language.beforeLength)
    let length =
      word { $0.length($1, isLed: isLed) }
      ?? (isLed ? self.try { $0.saidLength() } : nil)
    guard let length, let whole = withMinutes(length) else { return nil }
    return (1...QuickAdd.minutesMax).contains(whole.minutes) ? whole : nil
  }

  /// Takes the minutes of "1h 30m". Nil for "1h 30", as nobody knows what it means.
  private mutating func withMinutes(_ hours: Length) -> Length? {
    guard hours.isHours, !endsClause(before: position) else { return hours }
    if let more = self.try({ $0.minutesBehindHours() }) {
      return Length(minutes: hours.minutes + more, isVague: false)
    }
    return isNumeral(position) ? nil : hours
  }

  private mutating func minutesBehindHours() -> Int? {
    let minutes =
      word { reader, word -> Int? in
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        let unit = String(word.dropFirst(digits.count))
        return reader.tables.language.minuteUnits.contains(unit)
          ? reader.number(digits, digits: 1...2) : nil
      }
      ?? self.try { reader in
        let count = reader.count()
        return reader.skip(reader.tables.language.minuteWords)
          || reader.skip(reader.tables.language.minuteUnits)
          ? count : nil
      }
    return minutes.flatMap { $0 < 60 ? $0 : nil }
  }

  private func endsClause(before place: Int) -> Bool {
    words.all.indices.contains(place - 1) && words.all[place - 1].endsClause
  }

  /// Answers whether the words say when, and not how long: "in 50m", "every 2h", "50m ago", "2h before".
  func isTimeRelated(_ place: Range<Int>, _ languages: [Tables]) -> Bool {
    languages.contains { tables in
      let before = [tables.language.within, tables.language.every, tables.language.relations]
      let behind = [tables.language.relations, tables.language.spoilers]
      return before.contains { ends(before: place.lowerBound, among: $0) }
        || behind.contains { begins(at: place.upperBound, among: $0) }
    }
  }

  /// Takes "2 hours" or "30 min".
  private mutating func saidLength() -> Length? {
    guard let count = count() else { return nil }
    if skip(tables.language.minuteWords) || skip(tables.language.minuteUnits) {
      return Length(minutes: count, isVague: false)
    }
    guard skip(tables.language.lengthHours) || skip(tables.language.hourUnits) else { return nil }
    return Length(minutes: 60 * count, isVague: false, isHours: true)
  }

  private func length(_ word: String, isLed: Bool) -> Length? {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard let count = number(digits, digits: 1...4) else { return nil }
    let rest = String(word.dropFirst(digits.count))
    if tables.language.minuteUnits.contains(rest) {
      // Nobody plans two minutes, and many need two metres.
      let isMetre = rest == "m" && !isLed
      return isMetre && count < 5 ? nil : Length(minutes: count, isVague: isMetre)
    }
    if tables.language.hourUnits.contains(rest) {
      return Length(minutes: 60 * count, isVague: count == 24 && !isLed, isHours: true)
    }
    return hoursAndMinutes(count, rest[...]).map { Length(minutes: $0, isVague: false) }
  }

  private func hoursAndMinutes(_ hours: Int, _ rest: Substring) -> Int? {
    let unit = rest.prefix { !$0.isNumber }
    let minutes = rest.dropFirst(unit.count)
    let minuteDigits = minutes.prefix { $0.isASCII && $0.isNumber }
    let end = String(minutes.dropFirst(minuteDigits.count))
    guard tables.language.hourUnits.contains(String(unit)),
      let more = number(minuteDigits, digits: 1...2),
      more < 60, end.isEmpty || tables.language.minuteUnits.contains(end)
    else { return nil }
    return 60 * hours + more
  }
}
