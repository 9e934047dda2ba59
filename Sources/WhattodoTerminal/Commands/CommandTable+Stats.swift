/// Which days `/score` and `/stats` are asked for, up to today.
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

  /// Behind a colon, with the list in front.
  var words: String {
    switch self {
    case .today: "today"
    case .week, .month: "\(days) days"
    }
  }
}

/// What is shown of the same answer.
enum StatsView: Equatable {
  /// The people, who did most first.
  case score
  /// How much was done on which day, and how much of it in time.
  case stats
}

extension CommandTable {
  static let stats: [CommandEntry] = [
    CommandEntry(
      "score", usage: "[LIST] [week|month|today]", brief: "who completed how much",
      help: "who completed how much; days in a row", rare: true
    ) { words in
      let span = words.span()
      return .stats(words.rest().map { Reference($0) }, span, .score)
    },
    CommandEntry(
      "stats", usage: "[LIST] [week|month|today]", brief: "how much, and in time",
      help: "how much a day, and how much in time", rare: true
    ) { words in
      let span = words.span()
      return .stats(words.rest().map { Reference($0) }, span, .stats)
    },
  ]
}

extension Words {
  /// As the last word; a week without one.
  fileprivate mutating func span() -> StatsSpan {
    if skipLast("today") { return .today }
    if skipLast("month") { return .month }
    _ = skipLast("week")
    return .week
  }
}
