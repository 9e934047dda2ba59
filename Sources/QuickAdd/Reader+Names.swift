// Names of days, months and weeks of which no piece is made, beside a phrase that does not say its day by itself. The
// day that is meant is another one then: "in january at 9", "christmas eve at 6pm", "monday after easter", "week 50
// monday". A phrase with a day that is sure ("tomorrow", "24 dec") keeps it.

extension Reader {
  /// Answers whether such a name touches the phrase.
  func isNamed(beside phrase: Phrase) -> Bool {
    guard !phrase.day.isExact else { return false }
    let (start, end) = (phrase.words.lowerBound, phrase.words.upperBound)
    let hasDay = phrase.hasDay || phrase.rule != nil
    if isMonth(at: start - 1, besideDay: hasDay) || isWeekNumber(before: start) { return true }
    if isLedSeason(start - 1) || !hasDay && isLedUnit(start - 1) { return true }
    if endsMarked(before: start, among: tables.language.occasions) { return true }
    if isCompoundDay(start - 1) || isCompoundWeek(start - 1) { return true }
    // In "fri, january report" the month begins something else.
    if hasDay, words.all[end - 1].endsClause { return false }
    return isMonth(at: end, besideDay: hasDay) || isOccasion(at: end) || isWeekNumber(at: end)
      || isRelated(behind: phrase)
  }

  /// Answers whether the name of a day stands here: "christmas", "Ostermontag".
  func isOccasion(at place: Int) -> Bool {
    begins(at: place, among: tables.language.occasions) || isCompoundDay(place)
  }

  /// Answers whether a day or a week of that name stands here, as "der zweiten Januarwoche" behind a joiner.
  func isOccasionOrWeek(at place: Int) -> Bool {
    isOccasion(at: place) || isCompoundWeek(place)
  }

  /// Answers whether a length begins here that is counted from something unread: "the day before the exam".
  func isCountedFrom(at place: Int) -> Bool {
    begins(at: place) { tables.language.units[$0] != nil } && !words.all[place].endsClause
      && isRelation(at: place + 1)
  }

  /// Answers whether a relation stands here that may lead to another day. "After work" does not.
  private func isRelation(at place: Int) -> Bool {
    begins(at: place, among: tables.language.relations)
      && !begins(at: place, among: tables.language.habits)
  }

  private func isRelated(behind phrase: Phrase) -> Bool {
    phrase.endsWithDay && isRelation(at: phrase.words.upperBound)
  }

  // MARK: - months

  /// Answers whether a month without its day stands here. A weak name is a word of the title beside a weekday ("call
  /// may fri") and behind an article ("the march at 9"), unless a word or a number before it makes a month of it.
  private func isMonth(at place: Int, besideDay: Bool) -> Bool {
    guard let name = month(at: place) else { return false }
    guard tables.language.weakMonths.contains(name) else { return true }
    if isLedMonth(place) { return true }
    let isThing =
      ends(before: place, among: tables.language.the)
      || begins(at: place - 1) { tables.language.numbers[$0] == 1 }
    // French "sept" is a number, too: "table pour sept à 20h".
    let isPeople =
      tables.language.numbers[name] != nil
      && ends(before: place, among: tables.language.beforePerson)
    return !besideDay && !isThing && !isPeople
  }

  /// Returns the name of the month here. "Mid-may" has it at its end.
  private func month(at place: Int) -> String? {
    guard words.all.indices.contains(place), !words.all[place].isPlain else { return nil }
    return words.all[place].forms.lazy
      .compactMap { $0.split { "-/".contains($0) }.last.map(String.init) }
      .first { tables.language.months[$0] != nil }
  }

  private func isLedMonth(_ place: Int) -> Bool {
    let language = tables.language
    if words.all[place].lower.contains(where: { "-/".contains($0) }) { return true }
    if isSeveral(place - 1) || isSeveral(place + 1) || isNumeral(place - 1) { return true }
    let places = [language.inMonth, language.within, language.ofDate, language.spoilersBefore]
    return places.contains { ends(before: place, among: $0) }
      || [place - 1, place + 1].contains { isOrdinal(at: $0) }
  }

  func isOrdinal(at place: Int) -> Bool {
    begins(at: place) {
      tables.language.ordinals[$0] != nil || tables.language.laterOrdinals.contains($0)
    }
  }

  /// Answers whether a season stands here behind a word such as "in": "in spring at 9".
  private func isLedSeason(_ place: Int) -> Bool {
    begins(at: place, among: tables.language.cycles) && isLedMonth(place)
  }

  /// Answers whether a unit stands here behind "in", with up to two words between them: "im neuen Jahr um 9".
  private func isLedUnit(_ place: Int) -> Bool {
    guard begins(at: place, { tables.language.units[$0] != nil }) else { return false }
    let language = tables.language
    let leads = language.within.union(language.inMonth).subtracting(language.ofDate)
    return (0...2).contains { ends(before: place - $0, among: leads) }
  }

  // MARK: - weeks

  private func isWeekNumber(before start: Int) -> Bool {
    isNumeral(start - 1)
      && ends(before: start - 1) {
        tables.language.units[$0] != nil || tables.language.weekMarks.contains($0)
      } || isMarkedWeek(start - 1)
  }

  private func isWeekNumber(at place: Int) -> Bool {
    begins(at: place, among: tables.language.weekMarks) && isNumeral(place + 1)
      || isMarkedWeek(place)
  }

  /// Answers whether the word is the number of a week: "KW50", "w50".
  private func isMarkedWeek(_ place: Int) -> Bool {
    hasForm(place) { form in
      let mark = form.prefix { $0.isLetter }
      return tables.language.weekMarks.contains(String(mark))
        && number(form.dropFirst(mark.count), digits: 1...2) != nil
    }
  }

  // MARK: - compounds

  /// Answers whether the word ends with the name of a weekday: "Ostermontag".
  private func isCompoundDay(_ place: Int) -> Bool {
    guard tables.language.joinsDayParts else { return false }
    return hasForm(place) { form in
      tables.language.weekdays.keys.contains {
        $0.count > 4 && form.count > $0.count && form.hasSuffix($0)
      }
    }
  }

  /// Answers whether the word ends with the name of a week: "Januarwoche".
  private func isCompoundWeek(_ place: Int) -> Bool {
    guard tables.language.joinsDayParts else { return false }
    return hasForm(place) { form in
      tables.language.units.contains { name, unit in
        unit == .week && form.count > name.count && form.hasSuffix(name)
      }
    }
  }

  // MARK: - words

  /// Answers whether the word is a number from two on. "A" and "un" are articles.
  func isSeveral(_ place: Int) -> Bool {
    begins(at: place) { tables.language.numbers[$0].map { $0 > 1 } ?? false }
  }

  /// Answers whether the word is a time in a form that is not read here: "18.30", "24:00".
  func isClockLike(_ word: String) -> Bool {
    let parts = word.split(omittingEmptySubsequences: false) { ".:".contains($0) }
    guard parts.count == 2, let hour = number(parts[0], digits: 1...2),
      // A letter behind a point is a unit: "1.75l". Behind "6:30ish" it is none.
      let minute = number(
        word.contains(":") ? parts[1].prefix { $0.isNumber } : parts[1], digits: 2...2)
    else { return false }
    return hour <= 24 && minute < 60
  }

  /// Answers whether the word is a time in four digits: "1800".
  func isClockInFour(_ word: String) -> Bool {
    number(word[...], digits: 4...4).map { $0 <= 2_400 && $0 % 100 < 60 } ?? false
  }

  func hasForm(_ place: Int, where isSuch: (String) -> Bool) -> Bool {
    guard words.all.indices.contains(place), !words.all[place].isPlain else { return false }
    return words.all[place].forms.contains(where: isSuch)
  }

  /// Answers whether one of these phrases ends before this place, with or without a mark behind it.
  private func endsMarked(before place: Int, among set: Set<String>) -> Bool {
    (1...Words.phraseWordsMax).contains { length in
      let start = place - length
      guard start >= 0 else { return false }
      return tables.candidates[start].contains { $0.count == length && set.contains($0.text) }
    }
  }
}
