import Domain

// How a post shall come again, as a person types it. First when:
//   daily, weekly, monthly, yearly; every day, every 2 weeks, every other month
//   every weekday; every mon, every mon wed fri; every 2 weeks on mon wed
//   every month on the 15th; on the last day; on the first mon, on the last fri
//   the text of an RRULE (RFC 5545): FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1
// Then, in any order: `until 2026-12-31`, `5 times`, `after done` (counted from when it was done), `one by one` (missed
// ones are not left out). `RecurrenceWords` writes the same words.

/// A repetition that somebody typed.
struct RepeatWish: Equatable {
  /// Nil: not any more.
  let repetition: Repetition?

  init?(_ text: String) {
    let words = text.split { $0 == " " || $0 == "," }.map { $0.lowercased() }
    if words == ["off"] || words == ["never"] {
      repetition = nil
      return
    }
    var reading = RepeatReading(words[...])
    guard let found = reading.repetition() else { return nil }
    repetition = found
  }
}

private struct RepeatReading {
  private var words: ArraySlice<String>
  private var end = RecurrenceRule.End.never
  private var basis = Recurrence.Basis.due
  private var missed = Recurrence.Missed.dropped

  init(_ words: ArraySlice<String>) { self.words = words }

  mutating func repetition() -> Repetition? {
    while takeEnding() {}
    guard let rule = rule() else { return nil }
    return Repetition(rule, basis: basis, missed: missed)
  }

  /// What stands behind the rule, from its last word.
  private mutating func takeEnding() -> Bool {
    let last = Array(words.suffix(3))
    if last.suffix(2) == ["after", "done"] {
      basis = .completion
      words.removeLast(2)
    } else if last == ["one", "by", "one"] {
      missed = .kept
      words.removeLast(3)
    } else if last.count > 1, last[last.count - 2] == "until", let day = Day(last[last.count - 1]) {
      end = .until(day)
      words.removeLast(2)
    } else if last.count > 1, ["time", "times"].contains(last[last.count - 1]),
      let count = Int(last[last.count - 2])
    {
      end = .count(count)
      words.removeLast(2)
    } else {
      return false
    }
    return true
  }

  private mutating func rule() -> RecurrenceRule? {
    guard let word = words.popFirst() else { return nil }
    if let frequency = RecurrenceWords.adverbs.first(where: { $0.word == word })?.frequency {
      return words.isEmpty ? made(frequency) : nil
    }
    if word.hasPrefix("freq=") || word.hasPrefix("rscale=") {
      // The blank-free text as it was typed; commas parted its lists.
      return RepeatReading.parsed(([word] + words).joined(separator: ","), end)
    }
    guard word == "every" else { return nil }
    var interval = 1
    if let count = words.first.flatMap({ Int($0) }) {
      interval = count
      words.removeFirst()
    } else if words.first == "other" {
      interval = 2
      words.removeFirst()
    }
    return every(interval)
  }

  private mutating func every(_ interval: Int) -> RecurrenceRule? {
    if interval == 1, words == ["weekday"] {
      return made(.weekly, weekdays: Weekday.allCases.prefix(5).map { .init($0) })
    }
    guard let unit = words.first, let frequency = RecurrenceWords.frequency(unit) else {
      guard interval == 1, let days = weekdays() else { return nil }
      return made(.weekly, weekdays: days)
    }
    words.removeFirst()
    if words.isEmpty { return made(frequency, interval) }
    guard words.popFirst() == "on" else { return nil }
    if frequency == .weekly { return weekdays().flatMap { made(.weekly, interval, weekdays: $0) } }
    return frequency == .monthly ? dayOfMonth(interval) : nil
  }

  /// All that is left.
  private func weekdays() -> [RecurrenceRule.WeekdayOfPeriod]? {
    let days = words.filter { $0 != "and" }.map { RecurrenceWords.weekday($0) }
    guard !days.isEmpty, !days.contains(nil) else { return nil }
    return days.compactMap { $0 }.map { .init($0) }
  }

  /// `the 15th`, `the last day`, `the first mon`
  private mutating func dayOfMonth(_ interval: Int) -> RecurrenceRule? {
    if words.first == "the" { words.removeFirst() }
    guard let word = words.popFirst() else { return nil }
    if let day = RecurrenceWords.dayOfMonth(word) {
      return words.isEmpty ? made(.monthly, interval, monthDays: [day]) : nil
    }
    guard let ordinal = RecurrenceWords.ordinals.first(where: { $0.word == word })?.number,
      let what = words.popFirst(), words.isEmpty
    else { return nil }
    if what == "day" { return made(.monthly, interval, monthDays: [ordinal]) }
    return RecurrenceWords.weekday(what).flatMap {
      made(.monthly, interval, weekdays: [.init(ordinal: ordinal, $0)])
    }
  }

  private func made(
    _ frequency: RecurrenceRule.Frequency, _ interval: Int = 1, monthDays: [Int] = [],
    weekdays: [RecurrenceRule.WeekdayOfPeriod] = []
  ) -> RecurrenceRule? {
    do throws(RecurrenceProblem) {
      return try RecurrenceRule(
        frequency, interval: interval, monthDays: monthDays, weekdays: weekdays, end: end)
    } catch {
      return nil
    }
  }

  private static func parsed(_ text: String, _ end: RecurrenceRule.End) -> RecurrenceRule? {
    let ending =
      switch end {
      case .never: ""
      case .until(let day): ";UNTIL=" + day.description.filter { $0 != "-" }
      case .count(let count): ";COUNT=\(count)"
      }
    do throws(RecurrenceProblem) { return try RecurrenceRule(text + ending) } catch { return nil }
  }
}
