import Calendar
import Domain
import Screen

// Lines about what one has said of posts to oneself, behind the posts and alone.

extension Situation {
  func personal(_ post: PostID, in list: CategoryID) -> Personal? {
    let address = PostAddress(category: list, post: post)
    guard case .personal(let it) = ownStream?.objects[address.personalKey],
      it.address == address
    else { return nil }
    return it
  }

  var settings: PersonalSettings {
    let user = me ?? .system
    if case .settings(let it) = ownStream?.object(.settings, user.uuid) { return it }
    return PersonalSettings(user: user)
  }
}

enum PersonalLines {
  /// Returns `  ▷ tomorrow 14:00 for 50m  ☾ until 18:00`.
  static func chips(_ post: Post, in list: Category, _ situation: Situation) -> Line {
    guard let it = situation.personal(post.id, in: list.id) else { return Line() }
    var line = Line()
    if let plan = it.plan { line.add("  ▷ \(words(plan, situation.clock))", .accent) }
    if let day = it.day { line.add("  ▷ \(situation.clock.words(day.day))", .accent) }
    if !it.reminders.isEmpty {
      let all = it.reminders.map { words($0, situation.clock) }.joined(separator: ", ")
      line.add("  remind \(all)", .dim)
    }
    if let until = it.snooze, until > situation.clock.now {
      line.add("  quiet until \(situation.clock.moment(until))", .dim)
    }
    if it.watch { line.add("  watched", .dim) }
    return line
  }

  /// The lines of the private note, below the post.
  static func note(_ post: Post, in list: Category, _ situation: Situation) -> [Line] {
    let note = situation.personal(post.id, in: list.id)?.note ?? ""
    return note.split(separator: "\n").map {
      Line("        ", hang: 8).and("(only you) ", .accent).and("\(String($0))", .dim)
    }
  }

  /// The lines of `/settings`.
  static func settings(_ situation: Situation) -> [Line] {
    let it = situation.settings
    let reminders = it.reminderMinutes.map(Minutes.words).joined(separator: " ")
    let muted = ReminderKind.allCases.filter { it.mutes($0) }.map(\.rawValue)
    return [
      row("remind", it.reminderMinutes.isEmpty ? "none" : reminders, "before what is yours is due"),
      row("soon", "\(it.soonHours)h", "before its due a post is due soon"),
      row("due", it.dueOfNew.rawValue, "of what you add without saying when"),
      row("mute", muted.isEmpty ? "none" : muted.joined(separator: " "), "is not told"),
      row("digest", it.digest?.description ?? "off", "when you are told of the day"),
    ]
  }

  /// Returns the settings from now on: `your settings: not told: what is overdue`.
  static func settings(_ edit: SettingsEdit, _ situation: Situation) -> Phrase {
    var it = PersonalSettings(user: .system)
    it.apply(edit)
    var words: [Phrase] = []
    if edit.reminders != .keep { words.append(reminded(it.reminderMinutes)) }
    if edit.dueSoonHours != .keep {
      words.append("due soon means within \(Minutes.words(it.soonHours * 60))")
    }
    if edit.defaultDue != .keep {
      words.append(it.dueOfNew == .today ? "what you add is due today" : "what you add has no due")
    }
    if edit.muted != .keep { words.append(muted(it)) }
    if edit.digest != .keep {
      words.append(it.digest.map { "told of the day at \($0)" } ?? "not told of the day")
    }
    let levels = edit.levels.map { situation.words(of: $0) }
    return words.isEmpty ? levels.listed : "your settings: " + (words + levels).listed
  }

  private static func reminded(_ minutes: [Int]) -> Phrase {
    let before = minutes.filter { $0 > 0 }.map(Minutes.words).joined(separator: ", ")
    switch (before.isEmpty, minutes.contains(0)) {
    case (true, true): return "reminded when what is yours is due"
    case (true, false): return "not reminded before what is yours is due"
    case (false, let isToo):
      return "reminded \(before) before what is yours is due\(isToo ? ", and when it is" : "")"
    }
  }

  private static func muted(_ settings: PersonalSettings) -> Phrase {
    let kinds = ReminderKind.allCases.filter { settings.mutes($0) }.map { kind in
      switch kind {
      case .planned: "what was planned for now"
      case .dueSoon: "what is due soon"
      case .overdue: "what is overdue"
      case .reminder, .snoozed: kind.rawValue
      }
    }
    return kinds.isEmpty ? "nothing is muted" : "not told: \(kinds.joined(separator: ", "))"
  }

  private static func row(_ name: String, _ value: String, _ what: String) -> Line {
    Line("  \(ListLines.pad(name, 8))", .strong).and("\(ListLines.pad(value, 24))")
      .and("\(what)", .dim)
  }

  /// Returns the posts that are planned or taken on for a day, in the order of the day.
  static func plans(on day: Day, _ situation: Situation) -> [Line] {
    var rows: [(order: (Int, Int, String), line: Line)] = []
    for object in situation.ownStream?.objects.values.map(\.self) ?? [] {
      guard case .personal(let it) = object,
        let post = situation.streams[it.address.stream]?.post(it.address.post),
        post.completed == nil, let place = place(of: it, on: day, situation)
      else { continue }
      let label = situation.label(it.address.stream)
      let line = Line("▷ \(ListLines.pad(place.when, 18))", .accent, hang: 4)
        .and("\(label) #\(post.number)  ", .dim).and("\(post.shownTitle)")
      rows.append(((place.minute, place.order, "\(it.address.post)"), line))
    }
    return rows.sorted { $0.order < $1.order }.map(\.line)
  }

  private static func place(
    of it: Personal, on day: Day, _ situation: Situation
  ) -> (minute: Int, order: Int, when: String)? {
    if let moment = it.plan?.moment(.system), let local = situation.clock.local(moment),
      Day(year: local.year, month: local.month, day: local.day) == day
    {
      let minute = local.hour * 60 + local.minute
      let length = it.plan?.minutes.map { " for \(Minutes.words($0))" } ?? ""
      return (minute, 0, Due.clock(minute) + length)
    }
    guard let mine = it.day, mine.day == day else { return nil }
    return (Int.max, mine.order ?? Int.max, "")
  }

  // MARK: What is told by itself

  /// Returns `⏰ due soon: essay (#12 in #uni), 2h late`; nil when the post is in no copy.
  static func told(_ it: Reminded, at time: Timestamp, _ situation: Situation) -> Line? {
    guard let post = situation.streams[it.address.stream]?.post(it.address.post),
      let kind = Notification.Kind(rawValue: it.kind.rawValue)
    else { return nil }
    let place = situation.label(it.address.stream)
    let late = Int((time.milliseconds - it.at.milliseconds) / 60_000)
    let line = told(kind, "\(post.shownTitle) (#\(post.number) in \(place))")
    return late < 1 ? line : line.and(", \(Minutes.words(late)) late", .warn)
  }

  static func told(_ kind: Notification.Kind, _ what: Phrase) -> Line {
    Line("⏰ ", kind == .overdue ? .bad : .warn).and("\(word(kind)): ", .strong).and(what)
  }

  static func word(_ kind: Notification.Kind) -> String {
    switch kind {
    case .planned: "now planned"
    case .dueSoon: "due soon"
    case .overdue: "overdue"
    case .snoozed: "again"
    default: "reminder"
    }
  }

  // MARK: Words

  static func words(_ plan: Domain.Plan, _ clock: Clock) -> String {
    let length = plan.minutes.map { "for \(Minutes.words($0))" }
    guard let time = plan.time else { return length ?? "" }
    return clock.words(time) + (length.map { " " + $0 } ?? "")
  }

  static func words(_ reminder: Reminder, _ clock: Clock) -> String {
    switch reminder {
    case .at(let time): clock.moment(time)
    case .before(minutes: 0): "when it is due"
    case .before(let minutes): "\(Minutes.words(minutes)) before"
    }
  }
}
