import Domain

/// When something shall be due, as a person types it: `fri`, `tomorrow 18:00`, `24.12.`, `2026-12-24 at 9:30`, `18:00`.
/// What it means depends on the day on which it is said.
struct DueWish: Equatable {
  enum Words: Equatable {
    case day(Day)
    /// The next such day from today on.
    case date(month: Int, day: Int)
    case inDays(Int)
    /// The next one, never today.
    case weekday(Weekday)
  }

  /// Nil: today, or tomorrow when that time has passed.
  private let words: Words?
  private let minute: Int?

  /// Nil for anything else.
  init?(_ text: String) {
    var words: Words?
    var minute: Int?
    for word in text.lowercased().split(separator: " ") where !["on", "by", "at"].contains(word) {
      if words == nil, minute == nil, let found = Words(String(word)) {
        words = found
      } else if minute == nil, let found = DueWish.minute(word) {
        minute = found
      } else {
        return nil
      }
    }
    guard words != nil || minute != nil else { return nil }
    self.words = words
    self.minute = minute
  }

  /// What is meant when it is said on a day at a minute, both as the person's clock shows them. Nil when there is
  /// no such day.
  func due(today: Day, now: Int, zone: String) -> Due? {
    guard let day = day(today: today, now: now), Due.days.contains(day) else { return nil }
    return minute.map { .time(day, minute: $0, zone: zone) } ?? .day(day)
  }

  private func day(today: Day, now: Int) -> Day? {
    switch words {
    case nil: today.adding(days: (minute ?? 0) > now ? 0 : 1)
    case .day(let day)?: day
    case .inDays(let days)?: today.adding(days: days)
    case .weekday(let weekday)?:
      today.adding(days: (weekday.index - today.weekday.index + 6) % 7 + 1)
    case .date(let month, let day)?:
      // A 29 February may be seven years away.
      (0...8).lazy.compactMap { Day(year: today.parts.year + $0, month: month, day: day) }
        .first { $0 >= today }
    }
  }

  /// `18:00`, `9:30`
  private static func minute(_ word: Substring) -> Int? {
    Due.minute(word.utf8.count == 4 ? "0" + word : word)
  }
}

extension DueWish.Words {
  private static let weekdays: [(name: String, weekday: Weekday)] = [
    ("monday", .monday), ("tuesday", .tuesday), ("wednesday", .wednesday), ("thursday", .thursday),
    ("friday", .friday), ("saturday", .saturday), ("sunday", .sunday),
  ]

  init?(_ word: String) {
    if let day = Day(word) {
      self = .day(day)
    } else if word == "today" {
      self = .inDays(0)
    } else if word == "tomorrow" {
      self = .inDays(1)
    } else if word.count >= 3, let found = Self.weekdays.first(where: { $0.name.hasPrefix(word) }) {
      self = .weekday(found.weekday)
    } else {
      self.init(dots: word)
    }
  }

  /// `24.12.`, `24.12.2026`
  private init?(dots word: String) {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let day = Self.number(parts[0], 1...2),
      let month = Self.number(parts[1], 1...2)
    else { return nil }
    if parts[2].isEmpty {
      self = .date(month: month, day: day)
    } else if let year = Self.number(parts[2], 4...4),
      let found = Day(year: year, month: month, day: day)
    {
      self = .day(found)
    } else {
      return nil
    }
  }

  private static func number(_ digits: Substring, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(digits)
  }
}
