import Domain
import QuickAdd

/// When something shall be due, as a person types it: `fri`, `tomorrow 18:00`, `24.12.`, `in 3 days`,
/// `2026-12-24 at 9:30`, `18:00`: the days and times of `protocol/quick-add.md`. What it means depends on the day on
/// which it is said, and on the language of who says it.
struct DueWish: Equatable {
  private let text: String

  /// Nil for anything else.
  init?(_ text: String) {
    self.text = text
    // Whether words speak of a day or a time does not depend on when they are said, only which one they name; and a
    // line is cut into its parts before it is known who types it.
    let isRead = Language.locales.map(Language.tables).contains { languages in
      [text, "by \(text)"].contains { QuickAdd.speaksOnlyOfDue($0, languages: languages) }
    }
    guard isRead else { return nil }
  }

  /// What is meant when it is said on a day at a minute, both as the person's clock shows them. Nil when there is
  /// no such day.
  func due(today: Day, now: Int, zone: String, languages: [Language]) -> Due? {
    // What stands behind "/due" is nothing but a day, so English is read with its short words, too.
    (reading(today: today, now: now, languages) ?? reading(today: today, now: now, [.english]))?
      .due(in: zone)
  }

  /// Nothing but a time of day: on which day is not said.
  func isTimeAlone(_ languages: [Language]) -> Bool {
    let day = Day(number: 20_000)
    let read = reading(today: day, now: 0, languages) ?? reading(today: day, now: 0, [.english])
    return read?.guesses.allSatisfy { $0.kind == .time } ?? false
  }

  /// Also of what is a day only where one is expected, such as `12-24`, which is how the screen shows it.
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
  /// Nil without a day, and for days that no due may have.
  func due(in zone: String) -> Due? { due.flatMap { due(on: $0, in: zone) } }

  func due(on day: Day, in zone: String) -> Due? {
    guard Due.days.contains(day) else { return nil }
    return minuteOfDay.map { .time(day, minute: $0, zone: zone) } ?? .day(day)
  }

  var repetition: Repetition? { recurrence.map { Repetition($0.rule, basis: $0.basis) } }
}
