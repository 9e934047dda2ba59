// The entries that a calendar program shows of a category (protocol §5.14): its open posts that have a due, each as one
// entry, and the next times of posts that come again. Next times are written out one by one and not as a rule: our
// rules keep the last day of a month and leave out what was missed, which few calendar programs understand.

/// A category for a calendar program.
package struct CalendarFeed: Sendable {
  package let name: String
  /// The IANA name of the category's zone. Days of entries without a time are days of this zone.
  package let zone: String
  /// The entries in the order of their days, at most `Limits.calendarEntriesMax`.
  package let entries: [CalendarEntry]
  /// The names of the category's tags.
  package let tags: [TagID: String]

  /// Makes the entries. `posts` are open ones with a due, the earliest first. Next times are told from today on. Where
  /// there is not room for all, the posts themselves come before the next times, and of these the earliest come first.
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
    // Each post costs some 20 µs of a reader thread that others wait for.
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
  /// Whether this is a next time of the post and not its present due.
  package let isLater: Bool

  /// Makes the entry of a post as it is. Nil when it has no due.
  init?(_ post: Post) {
    guard let due = post.due else { return nil }
    self.init(post, due, isLater: false)
  }

  private init(_ post: Post, _ due: Due, isLater: Bool) {
    self.post = post
    self.due = due
    self.isLater = isLater
  }

  /// Returns the next times of a post that comes again, if nobody changes it. A post that is counted from its
  /// completion has none before it is completed.
  func later(from today: Day, _ almanac: Almanac) -> [CalendarEntry] {
    guard !isLater, let repeats = post.repeats else { return [] }
    let last = today.adding(days: Limits.calendarDaysAhead)
    return repeats.nextDues(from: today, through: last, almanac: almanac)
      .map { CalendarEntry(post, $0, isLater: true) }
  }
}

extension [CalendarEntry] {
  /// The entries in the order of their days. Those of one day keep their order.
  fileprivate var inOrderOfDays: [CalendarEntry] {
    enumerated().sorted { ($0.element.due.day, $0.offset) < ($1.element.due.day, $1.offset) }
      .map(\.element)
  }
}
