import Calendar
import Domain
import Screen

// The fields of a post behind its title, the most pressing first. Each says in a word or a sign what its color says,
// for terminals without colors and for people who do not see them (no-color.org).

extension Situation {
  /// Returns the status of a post by its dates now. The person's settings say how near "soon" is.
  func status(of post: Post, in list: Category) -> PostStatus {
    status(of: post, zone: list.zone)
  }

  /// Returns the status of a post in a list with the days of `zone`.
  func status(of post: Post, zone: String) -> PostStatus {
    post.status(
      now: clock.now, categoryZone: zone, almanac: .system, soonHours: settings.soonHours)
  }
}

enum PostChips {
  /// Returns `  ! due yesterday  !high  ● red  at Rossio`.
  static func line(_ post: Post, in list: Category, _ situation: Situation) -> Line {
    var line = Line()
    if let due = post.due {
      let when: Phrase = "due \(situation.clock.words(due))"
      switch situation.status(of: post, in: list) {
      case .overdue: line.add("  ! " + when, .bad)
      case .dueSoon: line.add("  ◷ " + when, .warn)
      case .upcoming, .none, .completed: line.add("  " + when, .dim)
      }
    }
    if let repeats = post.repeats { line.add("  ↻ \(RecurrenceWords.words(repeats))", .dim) }
    line = line.and(submission(post, in: list, situation)).and(parts(post, in: list, situation))
      .and(contest(post, in: list, situation))
    if let priority = post.priority {
      line.add("  !\(priority.rawValue)", priority == .high ? .strong : .dim)
    }
    if let color = post.color { line.add("  ● \(color.rawValue)", color.style) }
    if let location = post.location { line.add("  at \(location.words)", .dim) }
    return line
  }

  /// Returns words for the fields that an edit changes; none for fields that it leaves alone.
  static func words(_ edit: PostEdit, _ clock: Clock) -> [Phrase] {
    let fields: [Phrase?] = [
      words(edit.due, none: "due at no time") { "due \(clock.words($0))" },
      words(edit.repeats, none: "not again") { "↻ \(RecurrenceWords.words($0))" },
      // A race is for each, and a coop for all.
      edit.contest == .keep ? whom(edit) : nil,
      words(edit.priority, none: "no priority") { "\($0.rawValue) priority" },
      words(edit.color, none: "\(Color.standard.rawValue)") { "\($0.rawValue)" },
      words(edit.location, none: "nowhere") { "at \($0.words)" },
    ]
    return contestWords(edit) + fields.compactMap(\.self)
  }

  private static func words<Value>(
    _ change: FieldChange<Value>, none: Phrase, _ some: (Value) -> Phrase
  ) -> Phrase? {
    switch change {
    case .keep: nil
    case .clear: none
    case .set(let value): some(value)
    }
  }
}

extension Post {
  /// The title of the post, or words that say that somebody erased it.
  var shownTitle: String { title.isEmpty ? "(erased)" : title }
}

extension Location {
  var words: String {
    guard let point else { return text }
    return text.isEmpty ? point.link : "\(text) (\(point.link))"
  }
}

extension Color {
  /// The style that is nearest among a terminal's sixteen colors.
  var style: Style {
    switch self {
    case .red: .bad
    case .orange, .yellow, .brown: .warn
    case .green: .good
    case .teal: .accent
    case .blue: .blue
    case .purple, .pink: .magenta
    case .gray: .dim
    }
  }
}
