// What a calendar program shows of a category (protocol §5.14): its open posts that are due, each as one entry, and
// beside what comes again the next times it will. These are written out one by one and not as a rule: our rules
// keep the last day of a month and leave out what was missed, which few calendar programs understand.

/// A category for a calendar program.
package struct CalendarFeed: Sendable {
  package let name: String
  /// IANA name: whose days those of entries without a time are.
  package let zone: String
  /// In the order of their days; at most `Limits.calendarEntriesMax`.
  package let entries: [CalendarEntry]
  /// The names of its tags.
  package let tags: [TagID: String]

  /// `posts`: open ones with a due, the earliest first. What comes again is told from today on; where there is not
  /// room for all, the posts themselves come before their next times, and of these the earliest.
  package init(
    _ category: Category, _ posts: [Post], tags: [TagID: String], now: Timestamp,
    almanac: Almanac
  ) {
    name = category.name
    zone = category.zone
    self.tags = tags
    let shown = posts.prefix(Limits.calendarEntriesMax).compactMap(CalendarEntry.init)
    let today = almanac.day(now, category.zone) ?? Day(number: Int(now.utcDay))
    var later: [CalendarEntry] = []
    // Each is some 20 µs of a reader thread that others wait for.
    for entry in shown where later.count < Limits.calendarEntriesMax {
      later += entry.later(from: today, almanac)
    }
    let room = Limits.calendarEntriesMax - shown.count
    entries = (shown + later.inOrderOfDays.prefix(room)).inOrderOfDays
  }
}

/// A post on one day of a calendar.
package struct CalendarEntry: Sendable {
  package let post: Post
  package let due: Due
  /// A next time of the post, which it is not yet.
  package let isLater: Bool

  /// The post as it is; nil of one that is not due.
  init?(_ post: Post) {
    guard let due = post.due else { return nil }
    self.init(post, due, isLater: false)
  }

  private init(_ post: Post, _ due: Due, isLater: Bool) {
    self.post = post
    self.due = due
    self.isLater = isLater
  }

  /// The next times of what comes again, if nobody changes it; of one that is counted from its completion there are
  /// none before that.
  func later(from today: Day, _ almanac: Almanac) -> [CalendarEntry] {
    guard !isLater, let repeats = post.repeats else { return [] }
    let last = today.adding(days: Limits.calendarDaysAhead)
    return repeats.nextDues(from: today, through: last, almanac: almanac)
      .map { CalendarEntry(post, $0, isLater: true) }
  }
}

extension [CalendarEntry] {
  /// Those of one day stay as they were.
  fileprivate var inOrderOfDays: [CalendarEntry] {
    enumerated().sorted { ($0.element.due.day, $0.offset) < ($1.element.due.day, $1.offset) }
      .map(\.element)
  }
}
