// Makes of completions what `stats.get` answers (protocol §8): a table of people with their streaks, how much was done
// each day, and how much of it in time. Nothing of this is stored.

/// The days that are asked about, with the midnights between them.
package struct StatsWindow: Equatable, Sendable {
  package let from: Day
  /// The beginning of each day in ascending order, and the end of the last one.
  private let midnights: [Timestamp]
  /// The index of the last day that has begun. Nil when none has.
  let last: Int?
  /// Whether that day is still going on.
  let isLastToday: Bool

  /// Makes a window. `midnight` answers where a day begins for the person who asks.
  package init(
    from: Day, to: Day, now: Timestamp, midnight: (Day) -> Timestamp
  ) {
    self.from = from
    let count = max(1, to.number - from.number + 1)
    let starts = (0...count).map { midnight(from.adding(days: $0)) }
    midnights = starts
    last = (0..<count).last { starts[$0] <= now }
    isLastToday = now < starts[count]
  }

  package var start: Timestamp { midnights[0] }
  /// The end of the last day.
  package var end: Timestamp { midnights[midnights.count - 1] }
  var count: Int { midnights.count - 1 }

  /// Returns the index of the day with this time. For a time outside the window it is the nearest day.
  func index(of time: Timestamp) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if midnights[middle] <= time { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// The counts of completions that had a deadline. A completion is late from the deadline on, as a post is overdue from
/// then on.
package struct Punctuality: Equatable, Sendable {
  package let onTime: Int
  package let late: Int

  package init(onTime: Int, late: Int) {
    self.onTime = onTime
    self.late = late
  }

  /// Counts completions. Nil where none had a deadline.
  init?(_ achievements: [Achievement]) {
    let latenesses = achievements.compactMap(\.lateness)
    guard !latenesses.isEmpty else { return nil }
    late = latenesses.count { $0 >= 0 }
    onTime = latenesses.count - late
  }
}

/// A row of the table.
package struct PersonScore: Equatable, Sendable {
  package let user: UserID
  package let added: Int
  package let completed: Int
  package let punctuality: Punctuality?
  /// The number of days in a row with a completion, up to the last day. While the last day goes on, it may lack one.
  package let streak: Int
  /// The most days in a row.
  package let best: Int

  package init(
    user: UserID, added: Int, completed: Int, punctuality: Punctuality? = nil, streak: Int = 0,
    best: Int = 0
  ) {
    self.user = user
    self.added = added
    self.completed = completed
    self.punctuality = punctuality
    self.streak = streak
    self.best = best
  }
}

/// The number of completions on a day.
package struct DayScore: Equatable, Sendable {
  package let day: Day
  package let completed: Int

  package init(day: Day, completed: Int) {
    self.day = day
    self.completed = completed
  }
}

package struct Statistics: Equatable, Sendable {
  package let completed: Int
  package let punctuality: Punctuality?
  /// The median lateness in milliseconds: half of the completions with a deadline were no later than this after it.
  /// Negative before the deadline, and nil where none had one.
  package let lateMedian: Int64?
  /// The rows: the person who completed most comes first, and among equals the one who had done so first.
  package let people: [PersonScore]
  /// The days with a completion, in order.
  package let days: [DayScore]

  /// Counts. `achievements` are in any order, all within the window. `added` is the number of posts that each person
  /// added.
  package init(_ achievements: [Achievement], added: [UserID: Int], in window: StatsWindow) {
    completed = achievements.count
    punctuality = Punctuality(achievements)
    let latenesses = achievements.compactMap(\.lateness).sorted()
    lateMedian = latenesses.isEmpty ? nil : latenesses[(latenesses.count - 1) / 2]
    var counts = [Int](repeating: 0, count: window.count)
    for it in achievements { counts[window.index(of: it.at)] += 1 }
    days = counts.indices.filter { counts[$0] > 0 }.map {
      DayScore(day: window.from.adding(days: $0), completed: counts[$0])
    }
    let theirs = Dictionary(grouping: achievements, by: \.user)
    people = Set(theirs.keys).union(added.keys).map { user in
      Standing(user, theirs[user] ?? [], added: added[user] ?? 0, in: window)
    }.sorted().map(\.score)
  }
}

/// A row on its way to its place.
private struct Standing: Comparable {
  let score: PersonScore
  /// The time of the person's last completion, with which they had reached their number.
  let since: Timestamp

  init(_ user: UserID, _ achievements: [Achievement], added: Int, in window: StatsWindow) {
    var days = [Bool](repeating: false, count: window.count)
    for it in achievements { days[window.index(of: it.at)] = true }
    since = achievements.map(\.at).max() ?? Timestamp(milliseconds: .max)
    score = PersonScore(
      user: user, added: added, completed: achievements.count,
      punctuality: Punctuality(achievements), streak: Standing.streak(days, in: window),
      best: days.split(separator: false).map(\.count).max() ?? 0)
  }

  private static func streak(_ days: [Bool], in window: StatsWindow) -> Int {
    guard let last = window.last else { return 0 }
    // A streak is not lost by the morning of a day without a completion yet.
    let isOpen = window.isLastToday && !days[last]
    return days.prefix(isOpen ? last : last + 1).reversed().prefix { $0 }.count
  }

  static func < (left: Standing, right: Standing) -> Bool {
    let (a, b) = (left.score, right.score)
    guard a.completed == b.completed else { return a.completed > b.completed }
    guard left.since == right.since else { return left.since < right.since }
    return a.added == b.added ? a.user < b.user : a.added > b.added
  }
}
