/// The days that `/score`, `/stats` and `/who` cover; the last one is today.
enum StatsSpan: Equatable {
  case today
  case week
  case month

  var days: Int {
    switch self {
    case .today: 1
    case .week: 7
    case .month: 30
    }
  }

  /// The span as it is shown behind the name of the list.
  var words: String {
    switch self {
    case .today: "today"
    case .week, .month: "\(days) days"
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
      "score", usage: "[LIST] [week|month|today]", brief: "who completed how much",
      help: "who completed how much; days in a row", rare: true
    ) { words in
      let span = words.span()
      return .ask(.stats(words.rest().map { Reference($0) }, span, .score))
    },
    CommandEntry(
      "stats", usage: "[LIST] [week|month|today]", brief: "how much, and in time",
      help: "how much a day, and how much in time", rare: true
    ) { words in
      let span = words.span()
      return .ask(.stats(words.rest().map { Reference($0) }, span, .stats))
    },
  ]
}

extension Words {
  /// Takes the last word as the span; without one it is a week.
  mutating func span() -> StatsSpan {
    if skipLast("today") { return .today }
    if skipLast("month") { return .month }
    _ = skipLast("week")
    return .week
  }
}
