import Domain
import QuickAdd
import Screen

/// A line for a new post as it was understood: where the post went, and what was made of which words.
struct UnderstoodLine: Equatable {
  let line: String
  let list: Category
  let post: PostID
  /// The reading, with only those guesses that could be used.
  let reading: QuickAdd
  /// The due in the person's zone; for a post that comes again, that of its first time.
  let due: Due?
  let repeats: Repetition?
  let assignees: [Member]
  /// Words such as `#chores` and `@editor` that name no list and nobody here. They are in the title.
  let unknown: [String]

  /// Returns what was made of the words, for a person who may not have meant it.
  func phrases(_ clock: Clock) -> [Phrase] {
    var phrases: [Phrase] = []
    if let due { phrases.append("due \(clock.words(due))") }
    if let repeats { phrases.append("comes \(RecurrenceWords.words(repeats))") }
    if let priority = reading.priority { phrases.append("\(priority.rawValue) priority") }
    phrases += reading.tags.map { "+\($0)" }
    phrases += assignees.map { "for @\($0.username)" }
    if let minutes = reading.minutes { phrases.append("for \(Minutes.words(minutes))") }
    if reading.category != nil { phrases.append("in \(list.tag)") }
    return phrases
  }

  /// Returns the guesses that were made of any of these words; all guesses when there are none.
  func guesses(about words: [String]) -> [QuickAdd.Guess] {
    let wanted = Set(words.map(UnderstoodLine.bare))
    return reading.guesses.filter { guess in
      wanted.isEmpty
        || guess.words(in: line).split(whereSeparator: \.isWhitespace).contains {
          wanted.contains(UnderstoodLine.bare(String($0)))
        }
    }
  }

  /// Returns a word without the marks around it, as one types it again: "tomorrow" for "(tomorrow),".
  private static func bare(_ word: String) -> String {
    let marks: Set<Character> = [",", ";", ":", ".", "(", ")"]
    let trimmed = word.drop { marks.contains($0) }
    let end = trimmed.lastIndex { !marks.contains($0) }
    return end.map { String(trimmed[...$0]).lowercased() } ?? word.lowercased()
  }
}

extension QuickAdd.Guess {
  /// The words `#chores` or `@editor` as they were typed; nil for a guess that is no name of a list or person.
  var marked: String? {
    switch kind {
    case .category: name.map { "#\($0)" }
    case .assignee: name.map { "@\($0)" }
    case .due, .time, .recurrence, .priority, .tag, .minutes: nil
    }
  }

  /// Returns the words of the guess as they were typed.
  func words(in line: String) -> String {
    let scalars = line.unicodeScalars
    let start = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
    let end = scalars.index(start, offsetBy: range.count)
    return String(scalars[start..<end])
  }
}
