// Makes of completions what `stats.get` answers (protocol §8): a table of people with their streaks, how much was done
// each day, and how much of it in time. No score is stored.

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

/// One completion that counts: of a post, of an occurrence of a post that comes again, or of somebody's part.
package struct Achievement: Equatable, Sendable {
  package let user: UserID
  /// The time at which the log says it. A completion that an admin confirmed counts when it was confirmed.
  package let at: Timestamp
  /// The milliseconds from the deadline that the post had then to the moment at which it was done. Negative before the
  /// deadline, and nil without one. A post that had to be confirmed was done when it was submitted.
  package let lateness: Int64?

  package init(user: UserID, at: Timestamp, lateness: Int64? = nil) {
    self.user = user
    self.at = at
    self.lateness = lateness
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
  /// The number of posts that the person added. Nil when these are not counted.
  package let added: Int?
  package let completed: Int
  package let punctuality: Punctuality?
  /// The number of days in a row with a completion, up to the last day. While the last day goes on, it may lack one.
  package let streak: Int
  /// The most days in a row.
  package let best: Int
  /// The number of races in which the person came in first, second and third. Zeros at the end are left out.
  package let places: [Int]
  /// The number of steps of coops that the person finished.
  package let steps: Int
  /// The greatest amounts, the greatest first.
  package let amounts: [UnitAmount]
  /// The day on which the person completed most, the first among equals. Nil without a completion.
  package let record: DayScore?

  package init(
    user: UserID, added: Int?, completed: Int, punctuality: Punctuality? = nil, streak: Int = 0,
    best: Int = 0, places: [Int] = [], steps: Int = 0, amounts: [UnitAmount] = [],
    record: DayScore? = nil
  ) {
    self.places = places
    self.steps = steps
    self.amounts = amounts
    self.record = record
    self.user = user
    self.added = added
    self.completed = completed
    self.punctuality = punctuality
    self.streak = streak
    self.best = best
  }
}

/// An amount with its unit.
package struct UnitAmount: Equatable, Sendable {
  package let unit: String
  package let amount: Int64

  package init(unit: String, amount: Int64) {
    self.unit = unit
    self.amount = amount
  }
}

/// The things that a person did in contests.
package struct ContestScore: Equatable, Sendable {
  package private(set) var places: [Int] = []
  package private(set) var steps = 0
  private var sums: [String: Int64] = [:]

  package static let unitsMax = 5
  package static let placesMax = 3

  package init() {}

  /// Adds a finish at this place of a race.
  package mutating func addFinish(at place: Int64) {
    guard (1...Int64(ContestScore.placesMax)).contains(place) else { return }
    while places.count < place { places.append(0) }
    places[Int(place) - 1] += 1
  }

  package mutating func addSteps(_ count: Int64) { steps += Int(count) }

  package mutating func add(_ amount: Int64, unit: String) {
    // Sums of many posts are cut at the greatest number.
    let sum = sums[unit, default: 0].addingReportingOverflow(amount)
    sums[unit] = sum.overflow ? .max : sum.partialValue
  }

  /// The greatest amounts, the greatest first, then by unit; at most `unitsMax`.
  package var amounts: [UnitAmount] {
    let all = sums.filter { $0.value > 0 }.map { UnitAmount(unit: $0.key, amount: $0.value) }
    return Array(
      all.sorted { ($1.amount, $0.unit) < ($0.amount, $1.unit) }.prefix(ContestScore.unitsMax))
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
  /// added; nil when these are not counted.
  package init(
    _ achievements: [Achievement], added: [UserID: Int]?,
    contests: [UserID: ContestScore] = [:], in window: StatsWindow
  ) {
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
    let users = Set(theirs.keys).union((added ?? [:]).keys).union(contests.keys)
    people = users.map { user in
      Standing(
        user, theirs[user] ?? [], added: added.map { $0[user] ?? 0 },
        contests: contests[user] ?? ContestScore(), in: window)
    }.sorted().map(\.score)
  }
}

/// A row on its way to its place.
private struct Standing: Comparable {
  let score: PersonScore
  /// The time of the person's last completion, with which they had reached their number.
  let since: Timestamp

  init(
    _ user: UserID, _ achievements: [Achievement], added: Int?, contests: ContestScore,
    in window: StatsWindow
  ) {
    var counts = [Int: Int]()
    for it in achievements { counts[window.index(of: it.at), default: 0] += 1 }
    let record = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
    var days = [Bool](repeating: false, count: window.count)
    for day in counts.keys { days[day] = true }
    since = achievements.map(\.at).max() ?? Timestamp(milliseconds: .max)
    score = PersonScore(
      user: user, added: added, completed: achievements.count,
      punctuality: Punctuality(achievements), streak: Standing.streak(days, in: window),
      best: days.split(separator: false).map(\.count).max() ?? 0, places: contests.places,
      steps: contests.steps, amounts: contests.amounts,
      record: record.map {
        DayScore(day: window.from.adding(days: $0.key), completed: $0.value)
      })
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
    let (more, less) = (a.added ?? 0, b.added ?? 0)
    return more == less ? a.user < b.user : more > less
  }
}
