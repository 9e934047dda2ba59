// Words about time of which no piece is made. When they touch a phrase, it means something else than the reading of its
// own words: "the day after tomorrow", "vom 7. bis 9. Dezember", "fri or sat", "lundi dernier".

extension Reader {
  /// Answers whether unread words about time touch the phrase, or its own marks say that it is not meant so.
  mutating func isSpoiled(_ phrase: Phrase, _ languages: [Tables]) -> Bool {
    let own = words.all[phrase.words]
    if own.contains(where: \.isAsked) || own.reduce(0, { $0 + $1.parentheses }) != 0 { return true }
    if phrase.isPartAlone { return false }
    for language in languages {
      self.tables = language
      if isSpoiled(before: phrase) || isSpoiled(behind: phrase, languages) { return true }
      if isNamed(beside: phrase) { return true }
    }
    return false
  }

  // MARK: - before

  private func spoilsBefore(_ words: String) -> Bool {
    tables.language.spoilersBefore.contains(words) || tables.language.relations.contains(words)
      || tables.language.starting.contains(words) || tables.language.until.contains(words)
      || tables.language.times.contains(words) || tables.language.ordinals[words] != nil
      || tables.language.bareDayParts[words] != nil || tables.language.halfWords[words] != nil
      || tables.language.clockWords.contains(words)
      || tables.language.laterOrdinals.contains(words) || spoils(words)
  }

  /// Answers whether such words spoil a phrase on either side.
  private func spoils(_ words: String) -> Bool {
    tables.language.spoilers.contains(words) || tables.language.fixed.contains(words)
      || tables.language.every.contains(words) || tables.language.exceptions.contains(words)
      || tables.language.workday.contains(words) || tables.language.weekend.contains(words)
  }

  private func isSpoiled(before phrase: Phrase) -> Bool {
    let start = phrase.words.lowerBound
    guard start > 0, !words.all[start - 1].isPlain else { return false }
    if ends(before: start, spoilsBefore) { return true }
    if isWeakDay(at: start - 1) || isCountedUnit(before: start) { return true }
    if isDayOrHour(start - 1, before: phrase) { return true }
    let before = words.all[start - 1]
    if before.forms.contains(where: { isRange($0) || isDateLike($0) || isCountOfTimes($0) }) {
      return true
    }
    if phrase.clock == nil, isClockLeft(start - 1) { return true }
    if before.lower.last == ".", isNumeral(start - 1), phrase.hasDay || phrase.clock != nil {
      return true
    }
    // In "5, 6 dec" the 5 is a day, too.
    if before.lower.last == ",", isNumeral(start - 1), isNumeral(start) { return true }
    return isHourLeft(before: start) || isJoinedToNumber(start)
  }

  /// Answers whether a number before the phrase should be part of it: "7 friday evening", "on the 24th at 6pm", "le 24,
  /// 20h".
  private func isDayOrHour(_ place: Int, before phrase: Phrase) -> Bool {
    if phrase.clock == nil {
      // With "the 3rd every week" the rule is another one than what was read of it.
      if phrase.rule != nil,
        words.all[place].forms.contains(where: { dayOfMonth($0, bare: false) != nil })
      {
        return true
      }
      return phrase.part != nil && isNumeral(place)
    }
    guard !phrase.hasDay else { return false }
    if words.all[place].forms.contains(where: { dayOfMonth($0, bare: false) != nil }) {
      return true
    }
    guard isNumeral(place) || isSeveral(place) else { return false }
    return isNumeral(place) && (words.all[place].endsClause || phrase.beginsWithDayPart)
      || ends(before: place) {
        tables.language.the.contains($0) || tables.language.beforeDate.contains($0)
          || tables.language.sureOfDay.contains($0)
      } && !ends(before: place, among: tables.language.beforePerson)
  }

  /// Answers whether an unread time ends before the phrase: "half past 8 tomorrow", "Viertel vor 9 am Freitag".
  private func isHourLeft(before start: Int) -> Bool {
    guard isNumeral(start - 1) || isNumberWord(start - 1) else { return false }
    // In "8 bis 10 morgen" both numbers are hours.
    if isNumeral(start - 3) || isSeveral(start - 3), ends(before: start - 1, joinsNumbers) {
      return true
    }
    return ends(before: start - 1) {
      tables.language.spoilersBefore.contains($0) || tables.language.relations.contains($0)
        || tables.language.spoilers.contains($0) || tables.language.beforeTime.contains($0)
        || tables.language.beforeClock.contains($0)
    }
  }

  /// Answers whether a joiner connects a number with the phrase: "14 bis 16 Uhr", "9 and 18 Uhr", "5 or 6 dec". It
  /// stands before the phrase, or begins it.
  private func isJoinedToNumber(_ start: Int) -> Bool {
    if isNumeral(start - 2) || isNamedDay(start - 2), ends(before: start, joinsNumbers) {
      return true
    }
    guard isNumeral(start - 1) || isSeveral(start - 1), begins(at: start, joinsNumbers),
      // In "table pour 4 à 20h" the 4 belongs to people.
      !ends(before: start - 1, among: tables.language.beforePerson)
    else { return false }
    return words.all[start...].prefix(3).contains { $0.lower.contains(where: \.isNumber) }
  }

  private func joinsNumbers(_ words: String) -> Bool {
    tables.language.joiners.contains(words) || tables.language.until.contains(words)
      || tables.language.and.contains(words)
  }

  /// Answers whether an unread time stands here: "18.30 tomorrow", "at 24:00 fri", "at 1800 fri".
  private func isClockLeft(_ place: Int) -> Bool {
    if hasForm(place, where: isClockLike) { return true }
    return ends(before: place, among: tables.language.beforeTime)
      && hasForm(place, where: isClockInFour)
  }

  // MARK: - behind

  private func spoilsBehind(_ words: String) -> Bool {
    tables.language.starting.contains(words) || tables.language.units[words] != nil
      || tables.language.weeksBehind[words] != nil
      || tables.language.halfWords[words] != nil || spoils(words)
  }

  private mutating func isSpoiled(behind phrase: Phrase, _ languages: [Tables]) -> Bool {
    let end = phrase.words.upperBound
    guard end < words.all.count, !words.all[end].isPlain else { return false }
    if begins(at: end, spoilsBehind) { return true }
    // In "in 2 days time" the last word would be left over.
    if begins(at: end, among: tables.language.times),
      ends(before: end, { tables.language.units[$0] != nil })
    {
      return true
    }
    if phrase.rule != nil, begins(at: end, among: tables.language.until) { return true }
    let isNumber = isNumeral(end - 1) || phrase.clock?.form == .point
    if isNumber, begins(at: end, among: tables.language.measures) { return true }
    // In "August 20 Uhr" the 20 is no day.
    if phrase.clock == nil, isNumber, begins(at: end, among: tables.language.clockWords) {
      return true
    }
    if phrase.expectsTime, hasForm(end, where: { isClockLike($0) || isClockInFour($0) }) {
      return true
    }
    if isWeakDay(at: end) || isHouse(behind: phrase, languages) { return true }
    if words.all[end].forms.contains(where: { isRange($0) || isDateLike($0) || isCountOfTimes($0) })
    {
      return true
    }
    return isNumberLeft(behind: phrase) || isJoined(at: end, languages)
  }

  /// Answers whether the phrase is part of an address: "at 8 Mile Road". Nothing else says that the number is an hour,
  /// and a name stands behind it.
  private func isHouse(behind phrase: Phrase, _ languages: [Tables]) -> Bool {
    let end = phrase.words.upperBound
    guard phrase.clock?.form == .bare, phrase.clock?.half == nil, isNumeral(end - 1),
      !phrase.hasDay, phrase.part == nil, phrase.rule == nil,
      languages.first?.language.hasCapitalNouns == false
    else { return false }
    return words.all[end].said.first?.isUppercase == true
  }

  /// Answers whether an unread number stands behind the phrase: "fri 13", "tomorrow 5", "mon the 7th", "tomorrow at
  /// 25", "tomorrow 30 minutes".
  private mutating func isNumberLeft(behind phrase: Phrase) -> Bool {
    let before = position
    defer { position = before }
    position = phrase.words.upperBound
    // In "tomorrow at 10 for 2 hours" the number is a length.
    if peek({ $0.length() }) != nil { return false }
    if skip(tables.language.beforeTime) || skip(tables.language.beforeClock) {
      let isClock =
        current?.forms.contains { isRange($0) || isDateLike($0) || isClockLike($0) } ?? false
      return isNumeral(position) || isClock || count() != nil || isVagueHour(position)
        || begins(at: position, among: tables.language.spoilers)
    }
    if skip(tables.language.sureOfDay), isNumeral(position) { return true }
    if !skip(tables.language.beforeLength) { skip(tables.language.beforeDate) }
    skip(tables.language.the)
    if word({ $0.dayOfMonth($1, bare: false) }) != nil { return true }
    if begins(at: position, among: tables.language.laterOrdinals) { return true }
    let isDirect = position == phrase.words.upperBound
    let isBehindWeekday = phrase.day.endsWithWeekday && phrase.endsWithDay
    let isBehindArticle = ends(before: position, among: tables.language.the)
    if isBehindArticle, isBehindWeekday, isOrdinal(at: position) { return true }
    // In "lundi le sept" and "friday seven" the word is a day or an hour. "A" is an article.
    if isSeveral(position) {
      if isDirect || isBehindArticle, isBehindWeekday { return true }
      if isDirect, isNumberOfTime(position) { return true }
    }
    guard isNumeral(position), isDirect else { return count() != nil && isUnit(position) }
    // In "24. Dezember 27" the number is a year.
    let isYear = phrase.day.endsWithYearless && phrase.endsWithDay
    return isBehindWeekday || isYear || isNumberOfTime(position)
  }

  /// Answers whether the number here could be a time: nothing follows that it counts ("tomorrow 5"), or a word about
  /// time does ("tomorrow seven pm"), or another number ("tomorrow 8 to 10").
  private func isNumberOfTime(_ place: Int) -> Bool {
    let next = place + 1
    if next == words.all.count || "!#@+".contains(words.all[next].lower.first ?? " ") {
      return true
    }
    // In "tomorrow eight thirty" the second number is its minutes.
    if isUnit(next) || isWordOfHour(next) || isSeveral(next) { return true }
    guard begins(at: next, joinsNumbers) else { return false }
    return isNumeral(next + 1) || isSeveral(next + 1)
  }

  private func isWordOfHour(_ place: Int) -> Bool {
    begins(at: place) {
      tables.language.halfWords[$0] != nil || tables.language.clockWords.contains($0)
        || tables.language.hourWords.contains($0) || tables.language.dayParts[$0] != nil
        || tables.language.bareDayParts[$0] != nil
    }
  }

  /// Answers whether "half eight" stands here, behind "at".
  private func isVagueHour(_ place: Int) -> Bool {
    begins(at: place, among: tables.language.spoilersBefore)
      && (isNumeral(place + 1) || isSeveral(place + 1))
  }

  private func isUnit(_ place: Int) -> Bool {
    begins(at: place) { tables.language.spoilers.contains($0) || tables.language.units[$0] != nil }
  }

  /// Answers whether something about time stands behind a joiner: "fri or sat", "tomorrow but not at 9", "tomorrow
  /// after 5".
  private mutating func isJoined(at end: Int, _ languages: [Tables]) -> Bool {
    let before = position
    defer { position = before }
    position = end
    let joiners = [
      tables.language.joiners, tables.language.relations, tables.language.spoilersBefore,
      tables.language.until, tables.language.and,
    ]
    let articles = [tables.language.the, tables.language.ofWeek, tables.language.beforeDate]
    var count = 0
    while count < 3, joiners.contains(where: { skip($0) }) { count += 1 }
    if count == 0, skip(tables.language.ofWeek) { count = 1 }
    if count > 0 { for article in articles { skip(article) } }
    guard count > 0, position < words.all.count, !words.all[position].isPlain else { return false }
    if isNumeral(position) || isSeveral(position) || isUnit(position) { return true }
    if isOccasionOrWeek(at: position) || isRankedWeek(at: position) { return true }
    if words.all[position].forms.contains(where: {
      isRange($0) || isDateLike($0) || isClockLike($0)
    }) {
      return true
    }
    if peek({ $0.month() }) != nil { return true }
    let kept = tables
    defer { tables = kept }
    for other in languages {
      tables = other
      if peek({ $0.ledDayPiece(behind: DayGroup()) }) != nil { return true }
      if peek({ $0.time(isExpected: false) }) != nil { return true }
      if peek({ $0.recurrence() }) != nil { return true }
      let isPart = begins(at: position) {
        tables.language.dayParts[$0] != nil || tables.language.bareDayParts[$0] != nil
      }
      if isPart { return true }
    }
    return false
  }

  /// Answers whether "der zweiten Woche" stands here.
  private func isRankedWeek(at place: Int) -> Bool {
    isOrdinal(at: place) && (isUnit(place + 1) || isOccasionOrWeek(at: place + 1))
  }

  // MARK: - in the line

  /// Answers whether an "every" of which no rule was made has a word about time behind it: "every 2nd day", "jede
  /// Stunde".
  mutating func isUnreadRule(at place: Int) -> Bool {
    position = place
    guard skip(tables.language.every) else { return false }
    if isOrdinal(at: position) { return true }
    for next in position..<min(position + 3, words.all.count) {
      let isAboutTime =
        begins(at: next) {
          tables.language.spoilers.contains($0) || tables.language.units[$0] != nil
            || tables.language.bareDayParts[$0] != nil || tables.language.weekdays[$0] != nil
            || tables.language.eachWeekday[$0] != nil || tables.language.workday.contains($0)
            || tables.language.weekend.contains($0) || tables.language.adverbs[$0] != nil
            || tables.language.cycles.contains($0) || tables.language.ofMonth.contains($0)
            || tables.language.months[$0] != nil && !tables.language.weakMonths.contains($0)
        } || isOccasion(at: next)
      if isAboutTime { return true }
    }
    return false
  }

  // MARK: - words

  /// Answers whether one of these phrases begins here.
  func begins(at place: Int, among set: Set<String>) -> Bool {
    !set.isEmpty && begins(at: place, set.contains)
  }

  func begins(at place: Int, _ isKnown: (String) -> Bool) -> Bool {
    guard words.all.indices.contains(place) else { return false }
    return tables.candidates[place].contains { isKnown($0.text) }
  }

  /// Answers whether one of these phrases ends before this place, without a mark behind it.
  func ends(before place: Int, among set: Set<String>) -> Bool {
    !set.isEmpty && ends(before: place, set.contains)
  }

  func ends(before place: Int, _ isKnown: (String) -> Bool) -> Bool {
    (1...Words.phraseWordsMax).contains { length in
      let start = place - length
      guard start >= 0, words.phrases[start].count >= length else { return false }
      return isKnown(words.phrases[start][length - 1])
    }
  }

  /// Answers whether the word is a weak name of a weekday, or begins with the name of one: "Montagsrunde".
  private func isWeakDay(at place: Int) -> Bool {
    let word = words.all[place]
    return tables.language.isWeakReadAtEnd
      && word.forms.contains { tables.language.weakWeekdays[$0] != nil }
      || tables.language.weekdays.keys.contains { $0.count > 4 && word.lower.hasPrefix($0) }
  }

  /// Answers whether a counted unit ends before the phrase: "two weeks fri", "last week on friday".
  private func isCountedUnit(before start: Int) -> Bool {
    guard ends(before: start, { tables.language.units[$0] != nil }) else { return false }
    return isNumeral(start - 2) || isNumberWord(start - 2)
      || ends(before: start - 1, among: tables.language.spoilersBefore)
      || ends(before: start - 1, among: tables.language.every)
      || ends(before: start - 2, among: tables.language.times)
  }

  /// Answers whether the word is a weak name of a weekday: the "sat" of "sat & sun 10:00", which is read nowhere else.
  private func isNamedDay(_ place: Int) -> Bool {
    guard words.all.indices.contains(place), !words.all[place].isPlain else { return false }
    return words.all[place].forms.contains { tables.language.weakWeekdays[$0] != nil }
  }

  private func isNumberWord(_ place: Int) -> Bool {
    begins(at: place) { tables.language.numbers[$0] != nil }
  }

  /// Answers whether the word is a number of one or two digits; "7." is one, too.
  func isNumeral(_ place: Int) -> Bool {
    guard words.all.indices.contains(place), !words.all[place].isPlain else { return false }
    return words.all[place].forms.contains { number($0[...], digits: 1...2) != nil }
  }

  /// Answers whether the word is a count or a vague number: "2x", "8ish".
  private func isCountOfTimes(_ word: String) -> Bool {
    let digits = word.prefix { $0.isNumber }
    return ["x", "ish"].contains(word.dropFirst(digits.count))
      && number(digits, digits: 1...2) != nil
  }

  /// Answers whether the word is a range: "9-5", "10-12h", "mon-fri", "mon/wed/fri", "7.-9.", "18:00–20:00", "24/7".
  private func isRange(_ word: String) -> Bool {
    let sides = word.split(omittingEmptySubsequences: false) { "-–—/+&".contains($0) }
    return sides.count >= 2 && sides.allSatisfy { isSide(String($0)) }
  }

  private func isSide(_ side: String) -> Bool {
    let language = tables.language
    if language.weekdays[side] != nil || language.weakWeekdays[side] != nil { return true }
    if language.months[side] != nil || language.days[side] != nil { return true }
    let digits = side.prefix { $0.isNumber || ".:".contains($0) }
    let unit = String(side.dropFirst(digits.count))
    let isUnit =
      unit.isEmpty || tables.language.halves[unit] != nil
      || tables.language.hourMarks.contains(unit)
      || tables.language.clockWords.contains(unit)
      || ["am", "pm", "h", "st", "nd", "rd", "th"].contains(unit)
    return isUnit && digits.first?.isNumber == true
      && digits.split { ".:".contains($0) }.allSatisfy { $0.count <= 2 }
  }

  /// Answers whether the word is a date in a form that is not read: "24/12", "12/24/2026", "2026/12/24", "24.12".
  func isDateLike(_ word: String) -> Bool {
    for separator in [".", "/", "-"] as [Character] {
      let parts = word.split(separator: separator, omittingEmptySubsequences: false)
      var numbers = parts.compactMap { number($0, digits: 1...4) }
      guard numbers.count == parts.count, (2...3).contains(parts.count) else { continue }
      if parts.count == 3 {
        let year = parts[0].count == 4 ? numbers.removeFirst() : numbers.removeLast()
        guard year > 31 || parts[2].count == 2 else { return false }
      }
      return (1...12).contains(numbers.min() ?? 0) && (1...31).contains(numbers.max() ?? 0)
    }
    return false
  }
}
