import Domain

/// The days that `/score`, `/stats` and `/who` cover; the last one is today. The raw value is the word for them.
enum StatsSpan: String, CaseIterable {
  case today
  case week
  case month
  case year
  /// The most days that one question may cover.
  case all

  var days: Int {
    switch self {
    case .today: 1
    case .week: 7
    case .month: 30
    case .year: 365
    case .all: Limits.statsDaysMax
    }
  }

  /// The words as they stand in a usage.
  static let usage = "[" + allCases.map(\.rawValue).joined(separator: "|") + "]"

  /// The span as it is shown behind the name of the list.
  var words: String {
    switch self {
    case .today: "today"
    case .week, .month, .year: "\(days) days"
    case .all: "ten years"
    }
  }
}

/// The part of the statistics that is shown.
enum StatsView: Equatable {
  /// Shows the people, those who did most first.
  case score
  /// Shows how much was done on each day, and how much of it in time.
  case stats
}

extension CommandTable {
  static let stats: [CommandEntry] = [
    CommandEntry(
      "score", usage: "[LIST|me] \(StatsSpan.usage)", brief: "who completed how much",
      help: "who completed how much; races won", rare: true, hint: statsHint
    ) {
      .ask($0.stats(.score))
    },
    CommandEntry(
      "stats", usage: "[LIST|me] \(StatsSpan.usage)", brief: "how much, and in time",
      help: "how much a day, and how much in time", rare: true, hint: statsHint
    ) {
      .ask($0.stats(.stats))
    },
  ]

  private static let statsHint = "me: you in all lists (#me is a list); all: ten years"
}

extension Words {
  /// Takes the last word as the span; without one it is a week.
  mutating func span() -> StatsSpan {
    StatsSpan.allCases.first { skipLast($0.rawValue) } ?? .week
  }

  /// Reads `[LIST|me]` and a span.
  fileprivate mutating func stats(_ view: StatsView) -> AskAction {
    let span = span()
    let place = rest()
    guard place != "me" else { return .ownStats(span, view) }
    return .stats(place.map { Reference($0) }, span, view)
  }
}
