import Domain

/// The day that `/digest` is asked for.
enum DigestWish: Equatable {
  case today
  case yesterday
  case day(Day)

  /// Reads `today`, `yesterday` or `2026-11-21`; no text means today. Nil for any other text.
  init?(_ text: String?) {
    switch text {
    case nil, "today"?: self = .today
    case "yesterday"?: self = .yesterday
    case let text?:
      guard let day = Day(text) else { return nil }
      self = .day(day)
    }
  }

  func day(from today: Day) -> Day {
    switch self {
    case .today: today
    case .yesterday: today.adding(days: -1)
    case .day(let day): day
    }
  }
}

extension CommandTable {
  static let digest = CommandEntry(
    "digest", usage: "[yesterday | DAY]", brief: "what happened on a day",
    help: "who did how much; 2026-11-21", rare: true
  ) { words in
    DigestWish(words.rest()).map { .ask(.digest($0)) }
  }
}
