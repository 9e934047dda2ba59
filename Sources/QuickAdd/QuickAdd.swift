package import Domain

// One line that a person types, read as a post. protocol/quick-add.md has the grammar, and
// protocol/vectors/quick-add.json the lines with their expected readings. Everything understood is a guess that names
// its place in the line. A refused guess stays in the title as it was typed.

/// The reading of a line: a title, and the guesses that were made of some words.
package struct QuickAdd: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case due, time, recurrence, priority, tag, assignee, category, minutes
  }

  /// A guess, with the part of the line that it was made of.
  package struct Guess: Equatable, Sendable {
    package let kind: Kind
    /// The range in Unicode scalars from the beginning of the line. Words that belong to the guess are in it: "for
    /// @editor", "by 6pm,".
    package let range: Range<Int>
    /// The name of a tag, a category or a person, without its mark, as it was typed; nil for the other kinds.
    package let name: String?
  }

  /// The rule by which the post comes again. Without a due it begins on the rule's first day from today on.
  package struct Again: Equatable, Sendable {
    package let rule: RecurrenceRule
    package let basis: Recurrence.Basis
  }

  /// The greatest length that is read. A longer line is a title and nothing else: a title has at most 500 scalars.
  package static let scalarsMax = 2_000
  /// The most that a person may plan for one post: a day.
  package static let minutesMax = 1_440

  /// The words of which nothing was made, with one space between them.
  package private(set) var title = ""
  package private(set) var due: Day?
  /// The minutes after midnight, 0–1 439. A line that names no day means today, or tomorrow when the time has passed:
  /// then `due` says which.
  package private(set) var minuteOfDay: Int?
  package private(set) var recurrence: Again?
  /// Whether the due is the day on which the rule begins, as the line says: "starting 7 dec".
  package private(set) var startsOnDue = false
  package private(set) var priority: Priority?
  package private(set) var tags: [String] = []
  package private(set) var assignees: [String] = []
  package private(set) var category: String?
  package private(set) var minutes: Int?
  /// The guesses in the order of the line; they do not overlap.
  package private(set) var guesses: [Guess] = []

  /// Reads a line on a day at a minute of it, both as the person's clock shows them.
  ///
  /// No guess is made of words that touch a refused range. The first table that reads some words wins. Everything that
  /// the line says of time is read, or none of it is.
  package init(
    _ line: String, today: Day, minuteOfDay now: Int, languages: [Language] = [.english],
    refusing: [Range<Int>] = []
  ) {
    precondition(!languages.isEmpty, "a line is read with a table")
    let words = Words(line, refusing: refusing)
    let read = Line(words: words, today: today, minuteOfDay: now, languages: languages)
    if let moment = read.moment {
      due = moment.due
      minuteOfDay = moment.minuteOfDay
      recurrence = moment.recurrence
    }
    var plain: [Int] = []
    for item in read.items where !take(item, words) { plain += item.words }
    let lastMark = dropMarks(of: &plain, words)
    title = plain.map {
      $0 == lastMark ? String(words.all[$0].said.dropLast()) : words.all[$0].said
    }
    .joined(separator: " ")
  }

  /// Answers whether everything in a line says when something is due, on whatever day it is read.
  package static func speaksOnlyOfDue(_ line: String, languages: [Language]) -> Bool {
    let words = Words(line, refusing: [])
    return Line(words: words, today: Day(number: 0), minuteOfDay: 0, languages: languages)
      .speaksOnlyOfDue
  }

  /// Takes a reading. Returns false when its words stay in the title. A property with one value takes the first
  /// reading.
  private mutating func take(_ item: Line.Item, _ words: Words) -> Bool {
    switch item.reading {
    case .plain: return false
    case .phrase(let phrase):
      if phrase.isPartAlone { return false }
      startsOnDue = startsOnDue || phrase.day.isStart
      for part in phrase.parts { note(part.kind, part.words, words) }
    case .length(let length):
      guard minutes == nil else { return false }
      minutes = length.minutes
      note(.minutes, item.words, words)
    case .priority(let said):
      guard priority == nil else { return false }
      priority = said
      note(.priority, item.words, words)
    case .category(let name):
      guard category == nil else { return false }
      category = name
      note(.category, item.words, words, name: name)
    case .tag(let name):
      if !tags.contains(name) { tags.append(name) }
      note(.tag, item.words, words, name: name)
    case .assignee(let name):
      let username = name.lowercased()
      if !assignees.contains(username) { assignees.append(username) }
      note(.assignee, item.words, words, name: name)
    }
    return true
  }

  private mutating func note(
    _ kind: Kind, _ place: Range<Int>, _ words: Words, name: String? = nil
  ) {
    let range =
      words.all[place.lowerBound].range
      .lowerBound..<words.all[place.upperBound - 1].range.upperBound
    guesses.append(Guess(kind: kind, range: range, name: name))
  }

  /// Removes marks between the title and the guesses at an end of the line, which belong to the guesses: "milk -
  /// tomorrow" and "milk, tomorrow" are "milk". Returns the word that loses a mark at its end.
  private mutating func dropMarks(of plain: inout [Int], _ words: Words) -> Int? {
    while plain.count > 1, isLoneMark(plain[0], words),
      let before = guesses.lastIndex(where: {
        $0.range.upperBound <= words.all[plain[0]].range.lowerBound
      })
    {
      widen(before, to: words.all[plain.removeFirst()].range)
    }
    while plain.count > 1, let last = plain.last, isLoneMark(last, words),
      let next = guesses.firstIndex(where: {
        $0.range.lowerBound >= words.all[last].range.upperBound
      })
    {
      widen(next, to: words.all[plain.removeLast()].range)
    }
    guard let last = plain.last, case let word = words.all[last], !word.isPlain,
      word.said.count > 1,
      word.said.last == "," || word.said.last == ";",
      let next = guesses.firstIndex(where: { $0.range.lowerBound >= word.range.upperBound })
    else { return nil }
    widen(next, to: (word.range.upperBound - 1)..<word.range.upperBound)
    return last
  }

  private func isLoneMark(_ place: Int, _ words: Words) -> Bool {
    !words.all[place].isPlain
      && ["-", "–", "—", ":", ",", ";", "|"].contains(words.all[place].said)
  }

  private mutating func widen(_ place: Int, to range: Range<Int>) {
    let guess = guesses[place]
    let lower = min(guess.range.lowerBound, range.lowerBound)
    guesses[place] = Guess(
      kind: guess.kind, range: lower..<max(guess.range.upperBound, range.upperBound),
      name: guess.name)
  }
}
