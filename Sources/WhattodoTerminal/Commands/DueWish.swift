import Domain
import QuickAdd

/// A day or time that a person typed for a due: `fri`, `tomorrow 18:00`, `24.12.`, `in 3 days`, `2026-12-24 at 9:30`,
/// `18:00`. These are the days and times of `protocol/quick-add.md`. Their meaning depends on the day on which they are
/// typed and on the language of the person.
struct DueWish: Equatable {
  private let text: String

  /// Reads the text in all languages; nil when it names nothing but a day or time in none of them.
  init?(_ text: String) {
    self.text = text
    // The day on which they are typed decides which day words name, not whether they name one. And a line is cut into
    // its parts before it is known who types it.
    let isRead = Language.locales.map(Language.tables).contains { languages in
      [text, "by \(text)"].contains { QuickAdd.speaksOnlyOfDue($0, languages: languages) }
    }
    guard isRead else { return nil }
  }

  /// Returns the due that is meant on a day at a minute, both as the person's clock shows them. Nil when there is no
  /// such day.
  func due(today: Day, now: Int, zone: String, languages: [Language]) -> Due? {
    // Only a day stands behind "/due", so the short words of English are read too.
    (reading(today: today, now: now, languages) ?? reading(today: today, now: now, [.english]))?
      .due(in: zone)
  }

  /// Whether the text names only a time of day and no day.
  func isTimeAlone(_ languages: [Language]) -> Bool {
    let day = Day(number: 20_000)
    let read = reading(today: day, now: 0, languages) ?? reading(today: day, now: 0, [.english])
    return read?.guesses.allSatisfy { $0.kind == .time } ?? false
  }

  /// Reads the text, also in forms that are a day only where one is expected, such as `12-24`, as the screen shows it.
  private func reading(today: Day, now: Int, _ languages: [Language]) -> QuickAdd? {
    reading(of: text, today: today, now: now, languages)
      ?? reading(of: "by \(text)", today: today, now: now, languages)
  }

  private func reading(
    of text: String, today: Day, now: Int, _ languages: [Language]
  ) -> QuickAdd? {
    let reading = QuickAdd(text, today: today, minuteOfDay: now, languages: languages)
    let isTime = reading.guesses.allSatisfy { $0.kind == .due || $0.kind == .time }
    return reading.title.isEmpty && isTime && !reading.guesses.isEmpty ? reading : nil
  }
}

extension QuickAdd {
  /// Returns the due that the words name; nil without a day, and for days that no due may have.
  func due(in zone: String) -> Due? { due.flatMap { due(on: $0, in: zone) } }

  func due(on day: Day, in zone: String) -> Due? {
    guard Due.days.contains(day) else { return nil }
    return minuteOfDay.map { .time(day, minute: $0, zone: zone) } ?? .day(day)
  }

  var repetition: Repetition? { recurrence.map { Repetition($0.rule, basis: $0.basis) } }
}
