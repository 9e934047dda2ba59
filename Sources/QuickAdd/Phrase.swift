import Domain

// A phrase is everything about time that stands together in a line: days, a time, a part of the day, a rule. It is read
// whole or not at all. When its pieces contradict each other, or when an unread word about time touches it, every word
// of it stays a word.

/// One reading of the next words.
enum Piece {
  case rule(RuleParts)
  case end(RecurrenceRule.End)
  case afterDone
  case start
  case day(DayPiece, isUntil: Bool)
  /// "tonight": this part of today.
  case todayPart(DayPart)
  /// A weekday and a part of it in one word: "Freitagabend".
  case weekdayPart(Weekday, DayPart)
  case time(Clock)
  case part(DayPart)
}

struct Phrase {
  struct Part {
    let kind: QuickAdd.Kind
    var words: Range<Int>
  }

  private(set) var words: Range<Int>
  private(set) var day = DayGroup()
  private(set) var clock: Clock?
  private(set) var part: DayPart?
  private(set) var rule: RuleParts?
  /// Whether something in the phrase contradicts itself, or an unread word about time touches it.
  var isBroken = false
  /// The languages of the pieces, as places in the list of tables.
  private(set) var languages: Set<Int> = []
  private var kinds: [(kind: QuickAdd.Kind?, words: Range<Int>)] = []

  init(at position: Int) { words = position..<position }

  var isEmpty: Bool { words.isEmpty }
  var hasDay: Bool { !day.pieces.isEmpty }
  /// Whether the phrase is "in the evening" and nothing else. Such words stay words, but they forbid a time that is not
  /// then.
  var isPartAlone: Bool { part != nil && !hasDay && clock == nil && rule == nil }
  var endsWithDay: Bool { hasDay && kinds.last?.kind == .due }
  /// Whether a time stands next, even in a form that is a price or a version elsewhere: "Freitag 18.00".
  var expectsTime: Bool {
    guard clock == nil else { return false }
    return endsWithDay || kinds.last?.kind == .recurrence
  }
  /// Whether "evening" directly behind the phrase belongs to it.
  var takesDayPart: Bool {
    switch kinds.last?.kind {
    case .due: hasDay
    case .time: part == nil
    case .recurrence: rule?.weekdays.isEmpty == false && rule?.end == .never
    case .priority, .tag, .assignee, .category, .minutes, nil: false
    }
  }
  /// Whether "in the evening" stands at the beginning.
  var beginsWithDayPart: Bool { kinds.first.map { $0.kind == nil } ?? false }

  mutating func add(_ piece: Piece, words range: Range<Int>, language: Int) {
    languages.insert(language)
    words = words.lowerBound..<range.upperBound
    var kind: QuickAdd.Kind?
    switch piece {
    case .rule(let parts):
      kind = .recurrence
      isBroken = isBroken || rule != nil
      rule = parts
      part = part ?? parts.part
    case .end(let end):
      kind = .recurrence
      isBroken = isBroken || rule?.end != .never
      rule?.end = end
    case .afterDone:
      kind = .recurrence
      rule?.basis = .completion
    case .start:
      kind = .due
      isBroken = isBroken || hasDay
      day.isStart = true
    case .day(let piece, let isUntil):
      kind = .due
      // "morgen bis Freitag"
      isBroken = isBroken || isUntil && !kinds.isEmpty
      day.isUntil = day.isUntil || isUntil
      day.add(piece)
    case .todayPart(let said):
      kind = .due
      day.add(.relative(0))
      add(said)
    case .weekdayPart(let weekday, let said):
      kind = .due
      day.add(.weekday(weekday, .coming))
      add(said)
    case .time(let said):
      kind = .time
      isBroken = isBroken || clock != nil
      clock = said
    case .part(let said):
      kind = kinds.last?.kind == .recurrence ? nil : kinds.last?.kind
      add(said)
    }
    kinds.append((kind, range))
  }

  /// Adds words behind the phrase: "at the latest", or a mark that stands alone.
  mutating func take(wordsTo end: Int) {
    words = words.lowerBound..<end
    guard let last = kinds.last else { return }
    kinds[kinds.count - 1].words = last.words.lowerBound..<words.upperBound
  }

  private mutating func add(_ said: DayPart) {
    isBroken = isBroken || part != nil && part != said
    part = said
  }

  /// The words by what they say, in the order of the line.
  var parts: [Part] {
    var parts: [Part] = []
    for (place, (kind, words)) in kinds.enumerated() {
      let later = kinds[place...].lazy.compactMap(\.kind).first
      guard let kind = kind ?? later ?? parts.last?.kind else { continue }
      if parts.last?.kind == kind, parts.last?.words.upperBound == words.lowerBound {
        parts[parts.count - 1].words = parts[parts.count - 1].words.lowerBound..<words.upperBound
      } else {
        parts.append(Part(kind: kind, words: words))
      }
    }
    return parts
  }
}

extension Reader {
  /// Takes everything about time from here on, in any of the languages; nil when the word here says nothing of it.
  mutating func phrase(_ languages: [Tables]) -> Phrase? {
    var phrase = Phrase(at: position)
    while true {
      let start = position
      guard let (piece, language) = piece(behind: phrase, languages) else { break }
      phrase.add(piece, words: start..<position, language: language)
    }
    guard !phrase.isEmpty else { return nil }
    if firstOf(languages, { $0.skip($0.tables.language.latest) ? true : nil }) == true {
      phrase.take(wordsTo: position)
    }
    let used = phrase.languages.union([0]).sorted().map { languages[$0] }
    phrase.isBroken = phrase.isBroken || isSpoiled(phrase, used)
    tables = languages[0]
    position = phrase.words.upperBound
    while let current, [":", ",", ";"].contains(current.lower), !current.isPlain {
      position += 1
      phrase.take(wordsTo: position)
    }
    return phrase
  }

  private mutating func piece(
    behind phrase: Phrase, _ languages: [Tables]
  ) -> (Piece, language: Int)? {
    for (place, language) in languages.enumerated() {
      self.tables = language
      if let piece = self.try({ $0.piece(behind: phrase) }) { return (piece, place) }
    }
    return nil
  }

  private mutating func piece(behind phrase: Phrase) -> Piece? {
    guard mayBeginPiece, !begins(at: position, among: tables.language.fixed) else { return nil }
    if let rule = phrase.rule {
      if rule.basis == .due, skip(tables.language.afterDone) { return .afterDone }
      if rule.end == .never, let end = self.try({ $0.end() }) { return .end(end) }
    }
    if let rule = self.try({ $0.recurrence() }) { return .rule(rule) }
    if startsRule() { return .start }
    if let part = self.try({ $0.bareDayPart(behind: phrase) }) { return .part(part) }
    if let (weekday, part) = self.try({ $0.compoundWeekday() }) {
      return .weekdayPart(weekday, part)
    }
    if let part = entry(tables.language.todayParts) { return .todayPart(part) }
    let (isExpected, mayBePointed) = (phrase.part != nil, phrase.expectsTime)
    if phrase.clock == nil,
      let time = self.try({ $0.time(isExpected: isExpected, mayBePointed: mayBePointed) })
    {
      return .time(time)
    }
    if let part = entry(tables.language.dayParts) { return .part(part) }
    if let (piece, isUntil) = self.try({ $0.ledDayPiece(behind: phrase.day) }) {
      return .day(piece, isUntil: isUntil)
    }
    return self.try { $0.time(isExpected: isExpected) }.map { .time($0) }
  }

  /// Whether a piece may begin here. Words of the title are mostly in no table.
  private var mayBeginPiece: Bool {
    guard let current, !current.isPlain else { return false }
    return !tables.candidates[position].isEmpty
      || current.forms.contains { form in
        form.first?.isNumber == true || form.contains(",")
          || tables.language.joinsDayParts && form.count > 6
      }
  }

  /// Takes the "evening" of "tomorrow evening". "Morgen" is also the next day, and is that behind a time, a date or a
  /// comma.
  private mutating func bareDayPart(behind phrase: Phrase) -> DayPart? {
    guard phrase.takesDayPart, !words.all[position - 1].endsClause else { return nil }
    if begins(at: position, { tables.language.days[$0] != nil }) {
      guard tables.language.joinsDayParts, phrase.day.isToday || phrase.day.endsWithWeekday,
        phrase.endsWithDay
      else { return nil }
    }
    return entry(tables.language.bareDayParts)
  }

  /// Takes "Freitagabend".
  private mutating func compoundWeekday() -> (Weekday, DayPart)? {
    guard tables.language.joinsDayParts else { return nil }
    if !skip(tables.language.sureOfDay) { skip(tables.language.beforeDate) }
    return word { reader, word in
      for (name, weekday) in reader.tables.language.weekdays
      where name.count > 3 && word.hasPrefix(name) {
        let part = reader.tables.language.bareDayParts[String(word.dropFirst(name.count))]
        if let part { return (weekday, part) }
      }
      return nil
    }
  }

  /// Takes "starting", when a day follows.
  private mutating func startsRule() -> Bool {
    self.try { reader -> Bool? in
      guard reader.skip(reader.tables.language.starting) else { return nil }
      var group = DayGroup()
      group.isStart = true
      return reader.peek { $0.ledDayPiece(behind: group) } == nil ? nil : true
    } ?? false
  }
}
