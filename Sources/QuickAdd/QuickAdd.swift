package import Domain

// One line that a person types, read as a post: protocol/quick-add.md has the grammar, and
// protocol/vectors/quick-add.json what it must answer. Everything understood is a guess with the place that it came
// from; a refused guess stays in the title as it was typed.

/// What was understood of a line.
package struct QuickAdd: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case due, time, recurrence, priority, tag, assignee, category, minutes
  }

  /// What was made of which part of the line, in Unicode scalars from its beginning.
  package struct Guess: Equatable, Sendable {
    package let kind: Kind
    package let range: Range<Int>
  }

  /// Comes again by this rule; without a due, first on its first day from today on.
  package struct Again: Equatable, Sendable {
    package let rule: RecurrenceRule
    package let basis: Recurrence.Basis
  }

  /// Longer lines are a title and nothing else: a title has at most 500.
  package static let scalarsMax = 2_000
  /// What one may plan for one post: a day.
  package static let minutesMax = 1_440

  /// The words that nothing was made of, with one space between them.
  package private(set) var title = ""
  package private(set) var due: Day?
  /// After midnight, 0–1 439. Without a due it is today's, or tomorrow's when it has passed: then `due` says which.
  package private(set) var minuteOfDay: Int?
  package private(set) var recurrence: Again?
  package private(set) var priority: Priority?
  package private(set) var tags: [String] = []
  package private(set) var assignees: [String] = []
  package private(set) var category: String?
  package private(set) var minutes: Int?
  /// In the order of the line; they do not overlap.
  package private(set) var guesses: [Guess] = []

  /// Reads a line on a day at a minute of it, both as the person's clock shows them.
  ///
  /// What touches a refused range is not guessed about. Of the tables the first that makes a guess of some words wins; a
  /// guess is never made of the words of two.
  package init(
    _ line: String, today: Day, minuteOfDay now: Int, languages: [Language] = [.english],
    refusing: [Range<Int>] = []
  ) {
    precondition(!languages.isEmpty, "a line is read with a table")
    let words = Words(line, refusing: refusing)
    var reader = Reader(words: words, language: languages[0], today: today)
    var plain: [String] = []
    while let word = reader.current {
      let start = reader.position
      reader.language = languages[0]
      let isFixed = word.isPlain || reader.skip(reader.language.fixed)
      if !isFixed, take(&reader, languages) {
        let range =
          words.all[start].range.lowerBound..<words.all[reader.position - 1].range.upperBound
        guesses[guesses.count - 1] = Guess(kind: guesses[guesses.count - 1].kind, range: range)
      } else {
        reader.position = max(reader.position, start + 1)
        plain += words.all[start..<reader.position].map(\.said)
      }
    }
    title = plain.joined(separator: " ")
    if let minute = minuteOfDay, due == nil, recurrence == nil {
      due = today.adding(days: minute > now ? 0 : 1)
    }
  }

  /// Makes one guess of the words at the reader, or none. What has one value takes the first; later ones stay words.
  private mutating func take(_ reader: inout Reader, _ languages: [Language]) -> Bool {
    for language in languages {
      reader.language = language
      if takeWords(&reader) { return true }
    }
    return takeMark(&reader)
  }

  private mutating func takeWords(_ reader: inout Reader) -> Bool {
    if recurrence == nil, let again = reader.try({ $0.recurrence() }) {
      recurrence = again
      return note(.recurrence)
    }
    if let again = recurrence, isBehindGuess(reader),
      let whole = reader.try({ $0.more(of: again) })
    {
      recurrence = whole
      return note(.recurrence)
    }
    if due == nil, let day = reader.try({ $0.due() }) {
      due = day
      return note(.due)
    }
    if minuteOfDay == nil, let minute = reader.try({ $0.time() }) {
      minuteOfDay = minute
      return note(.time)
    }
    if minutes == nil, let length = reader.try({ $0.minutes() }) {
      minutes = length
      return note(.minutes)
    }
    if priority == nil, let priority = reader.try({ $0.priority() }) {
      self.priority = priority
      return note(.priority)
    }
    return false
  }

  private mutating func takeMark(_ reader: inout Reader) -> Bool {
    if category == nil, let name = reader.try({ $0.category() }) {
      category = name
      return note(.category)
    }
    if let tag = reader.try({ $0.tag() }) {
      if !tags.contains(tag) { tags.append(tag) }
      return note(.tag)
    }
    if let person = reader.try({ $0.assignee() }) {
      if !assignees.contains(person) { assignees.append(person) }
      return note(.assignee)
    }
    return false
  }

  /// Whether something was made of the word before.
  private func isBehindGuess(_ reader: Reader) -> Bool {
    guard let last = guesses.last, reader.position > 0 else { return false }
    return reader.words.all[reader.position - 1].range.upperBound == last.range.upperBound
  }

  /// The range is known when the words have been taken.
  private mutating func note(_ kind: Kind) -> Bool {
    guesses.append(Guess(kind: kind, range: 0..<0))
    return true
  }
}
