import Domain

/// A line cut into readings of its words, in their order.
struct Line {
  enum Reading {
    /// A word, or several that belong together. Nothing is made of a fixed phrase, whatever stands beside it.
    case plain
    case phrase(Phrase)
    case length(Length)
    case priority(Priority)
    case tag(String)
    case assignee(String)
    case category(String)
  }

  struct Item {
    var reading: Reading
    let words: Range<Int>
  }

  let words: Words
  private(set) var items: [Item] = []
  /// The meaning of everything that the line says of time; nil when it says nothing, or when a phrase of it could not
  /// be read whole.
  private(set) var moment: Moment?
  /// Whether the line is nothing but phrases of days and times that could be read, whether or not they name a day.
  private(set) var speaksOnlyOfDue = false

  init(words: Words, today: Day, minuteOfDay now: Int, languages named: [Language]) {
    let languages = named.map { Tables($0, words) }
    self.words = words
    var reader = Reader(words: words, tables: languages[0], today: today)
    while reader.current != nil {
      let start = reader.position
      let reading = reading(&reader, languages)
      reader.position = max(reader.position, start + 1)
      items.append(Item(reading: reading, words: start..<reader.position))
    }
    let phrases = phrases
    if !phrases.contains(where: \.isBroken), !hasUnreadTime(&reader, languages) {
      moment = Moment(phrases, today: today, minuteOfDay: now)
    }
    speaksOnlyOfDue =
      !items.isEmpty
      && items.allSatisfy {
        guard case .phrase(let phrase) = $0.reading else { return false }
        return !phrase.isBroken && !phrase.isPartAlone && phrase.rule == nil
      }
    dropLengths()
    if moment == nil { dropPhrases() }
  }

  private var phrases: [Phrase] {
    items.compactMap { if case .phrase(let phrase) = $0.reading { phrase } else { nil } }
  }

  private func reading(_ reader: inout Reader, _ languages: [Tables]) -> Reading {
    let start = reader.position
    reader.tables = languages[0]
    guard !words.all[start].isPlain, !reader.skip(reader.tables.language.fixed) else {
      return .plain
    }
    if let length = reader.firstOf(languages, { $0.length() }),
      !reader.isTimeRelated(start..<reader.position, languages),
      !isPhrase(reader, languages, start)
    {
      return .length(length)
    }
    reader.position = start
    if let phrase = reader.phrase(languages) { return .phrase(phrase) }
    for language in languages {
      reader.tables = language
      if let mark = mark(&reader) { return mark }
    }
    return .plain
  }

  /// Answers whether a phrase begins here. "18h" alone is a length in some languages, and a time behind "demain soir".
  private func isPhrase(_ reader: Reader, _ languages: [Tables], _ start: Int) -> Bool {
    var other = reader
    other.position = start
    return other.phrase(languages) != nil
  }

  private func mark(_ reader: inout Reader) -> Reading? {
    if let priority = reader.try({ $0.priority() }) { return .priority(priority) }
    if let name = reader.try({ $0.category() }) { return .category(name) }
    if let tag = reader.try({ $0.tag() }) { return .tag(tag) }
    let isBehindOther = items.last.map { if case .assignee = $0.reading { true } else { false } }
    if let person = reader.try({ $0.assignee(isBehindOther: isBehindOther ?? false) }) {
      return .assignee(person)
    }
    return nil
  }

  // MARK: - things that are not meant

  /// Answers whether the title would keep a rule, or a day of which the line says the time: "christmas dinner at 6pm".
  private func hasUnreadTime(_ reader: inout Reader, _ languages: [Tables]) -> Bool {
    let hasDay = phrases.contains { $0.hasDay || $0.rule != nil }
    for item in items {
      let place = item.words.lowerBound
      guard case .plain = item.reading, !words.all[place].isPlain else { continue }
      for language in languages {
        reader.tables = language
        if reader.isUnreadRule(at: place) || reader.isCountedFrom(at: place) { return true }
        if !hasDay, reader.isOccasion(at: place) { return true }
      }
    }
    return false
  }

  /// Makes words again of a vague length before words, and of a length beside a phrase that was not read.
  private mutating func dropLengths() {
    var isLast = true
    for place in items.indices.reversed() {
      switch items[place].reading {
      case .plain: isLast = false
      case .length(let length):
        let isBesidePhrase = [place - 1, place + 1].contains { isPhrase(at: $0) }
        if length.isVague && !isLast || moment == nil && isBesidePhrase {
          items[place].reading = .plain
          isLast = false
        }
      case .phrase(let phrase): if moment == nil || phrase.isPartAlone { isLast = false }
      case .priority, .tag, .assignee, .category: break
      }
    }
  }

  private func isPhrase(at place: Int) -> Bool {
    guard items.indices.contains(place), case .phrase(let phrase) = items[place].reading else {
      return false
    }
    return !phrase.isPartAlone
  }

  private mutating func dropPhrases() {
    for place in items.indices where isPhrase(at: place) { items[place].reading = .plain }
  }
}
