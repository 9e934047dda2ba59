// Says how a post comes again (DESIGN §3). One post stands for all its occurrences: when one is completed or left out,
// the same post is due the next time. Everything that was worked out by a calendar is in the post, so that `apply`
// never needs one.
//
// An occurrence is known by its number in the post, which is never given again. A new repetition begins with the
// version that the post has then, and each occurrence gets one more than the highest number given so far
// (`Post.lastOccurrence`). So a change that somebody made to an occurrence can never hit another one: not one of a
// later repetition, and not one that came after an undo had brought back an earlier one with its own number.

/// The rule by which a post comes again, and the occurrence that it is at now.
package struct Repetition: Equatable, Sendable {
  /// The rule as it was asked for. Parts that it leaves open are taken from the day that intervals are counted from.
  package let rule: RecurrenceRule
  package let basis: Recurrence.Basis
  package let missed: Recurrence.Missed
  /// The way in which people take turns. Nil: the assignees do it together, or whoever comes first does it.
  package let rotation: Rotation?
  /// Whether a completion by a member who is no admin counts only when an admin confirms it (`Submissions`).
  package let confirms: Bool
  /// The present occurrence. Nil in a request; every post's repetition has one.
  package let occurrence: Occurrence?

  package init(
    _ rule: RecurrenceRule, basis: Recurrence.Basis = .due,
    missed: Recurrence.Missed = .dropped, rotation: Rotation? = nil, confirms: Bool = false,
    occurrence: Occurrence? = nil
  ) {
    self.rule = rule
    self.basis = basis
    self.missed = missed
    self.rotation = rotation
    self.confirms = confirms
    self.occurrence = occurrence
  }
}

/// One of the many times that a post is to be done.
package struct Occurrence: Equatable, Sendable {
  package let number: Int
  /// The due by the rule. Somebody may have moved the post's own due for this once.
  package let due: Due
  /// The day from which intervals are counted.
  package let start: Day
  /// The number of occurrences of the rule's count that are used up, this one included. 1 for rules without a count.
  package let taken: Int
  /// The stamp of the completion of the occurrence before. Nil when that was not completed.
  package let last: Stamp?
  /// The person whose turn it is now (`Post.whoseTurn`).
  package let turn: UserID?
  /// The counts by user, in a rotation by who did it least.
  package let turns: [TurnCount]

  package init(
    number: Int, due: Due, start: Day, taken: Int = 1, last: Stamp? = nil, turn: UserID? = nil,
    turns: [TurnCount] = []
  ) {
    self.number = number
    self.due = due
    self.start = start
    self.taken = taken
    self.last = last
    self.turn = turn
    self.turns = turns
  }
}

/// The outcome of an occurrence, and the next one.
package struct NextOccurrence: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case completed(Stamp)
    /// The occurrence was left out: nobody has done it.
    case skipped(Stamp)

    var stamp: Stamp {
      switch self {
      case .completed(let stamp), .skipped(let stamp): stamp
      }
    }
  }

  /// The number of the occurrence that is over.
  package let over: Int
  package let reason: Reason
  package let next: Occurrence

  package init(_ over: Int, _ reason: Reason, _ next: Occurrence) {
    self.over = over
    self.reason = reason
    self.next = next
  }
}

extension Repetition {
  /// Returns the same repetition at another occurrence.
  package func at(_ occurrence: Occurrence?) -> Repetition {
    Repetition(
      rule, basis: basis, missed: missed, rotation: rotation, confirms: confirms,
      occurrence: occurrence)
  }

  /// Returns the same repetition with another rule.
  package func asking(_ rule: RecurrenceRule) -> Repetition {
    Repetition(
      rule, basis: basis, missed: missed, rotation: rotation, confirms: confirms,
      occurrence: occurrence)
  }

  /// Answers whether both ask for the same, whatever the occurrence.
  func asks(_ other: Repetition) -> Bool {
    rule == other.rule && basis == other.basis && missed == other.missed
      && rotation == other.rotation && confirms == other.confirms
  }

  /// Answers whether both come on the same days when they are counted from the same one, whatever their ends.
  func hasDays(of other: Repetition) -> Bool {
    rule.ending(.never) == other.rule.ending(.never) && basis == other.basis
  }

  /// The days of the rule from here on.
  private var recurrence: Recurrence? {
    occurrence.map {
      Recurrence(rule, basis: basis, start: $0.start, day: $0.due.day, taken: $0.taken)
    }
  }

  /// Returns the repetition at the first occurrence of a post with this due, whether the rule would name that day or
  /// not.
  func begun(
    at due: Due, number: Int, last: Stamp?, almanac: Almanac
  ) throws(RecurrenceProblem) -> Repetition {
    let days = try Recurrence(rule, basis: basis, due: due.day, almanac: almanac)
    let first = Occurrence(number: number, due: due, start: days.start, last: last)
    return at(first)
  }

  /// Answers whether a wish asks for nothing new when the post has this due. When the post's due was moved for once, it
  /// does ask for something new: the new due becomes the first.
  func grants(_ wish: Repetition, at due: Due) -> Bool { asks(wish) && occurrence?.due == due }

  /// Returns the dues after this occurrence between two days, both included, if nobody changes or completes anything.
  /// Empty when days are counted from the completion, because nothing is known then.
  func nextDues(from first: Day, through last: Day, almanac: Almanac) -> [Due] {
    guard basis == .due, let occurrence, let recurrence else { return [] }
    return recurrence.days(from: first, through: last, almanac: almanac)
      .map { occurrence.due.moved(to: $0) }
  }

  /// Returns the occurrence after this one was completed. Nil when it was the last. `due` is the post's own due. `now`
  /// is the moment at which the completion counts, which is later than the stamp when somebody had to confirm it.
  fileprivate func next(
    completed stamp: Stamp, due: Day?, now: Timestamp, categoryZone: String, almanac: Almanac,
    number: Int
  ) -> Occurrence? {
    guard let occurrence, let days = recurrence else { return nil }
    let moment = basis == .completion ? stamp.at : now
    let today = almanac.day(moment, occurrence.due.zone ?? categoryZone) ?? occurrence.due.day
    var found = days.next(completedOn: today, due: due, missed: missed, almanac: almanac)
    // An occurrence of today whose time has passed is missed as well.
    while missed == .dropped, basis == .due, let next = found, next.day <= today,
      let deadline = occurrence.due.moved(to: next.day)
        .deadline(categoryZone: categoryZone, almanac: almanac), deadline <= now
    {
      found = next.skipped(almanac: almanac)
    }
    return found.flatMap { occurrence.followed(by: $0, number, last: stamp) }
  }

  /// Returns the wish that repeats in this way from another due on. It ends after as many more occurrences as this
  /// repetition has left.
  package var wishFromHere: Repetition {
    guard case .count(let count) = rule.end, let occurrence else { return at(nil) }
    return Repetition(
      rule.ending(.count(max(1, count - occurrence.taken + 1))), basis: basis, missed: missed,
      rotation: rotation, confirms: confirms)
  }

  fileprivate func skipped(almanac: Almanac, number: Int) -> Occurrence? {
    guard let occurrence, let next = recurrence?.skipped(almanac: almanac) else { return nil }
    return occurrence.followed(by: next, number, last: nil)
  }
}

extension Occurrence {
  /// Answers whether this occurrence came because that one, or a later one, was completed or left out. False when the
  /// same repetition was set anew: that keeps `last`, and begins on its own day or stays on the same day.
  func follows(_ earlier: Occurrence) -> Bool {
    guard number > earlier.number else { return false }
    return last != nil && last != earlier.last || due.day > earlier.due.day && start < due.day
  }

  /// Returns the same occurrence with intervals counted from another day.
  func counted(from start: Day) -> Occurrence {
    Occurrence(
      number: number, due: due, start: start, taken: taken, last: last, turn: turn, turns: turns)
  }

  /// Returns the next occurrence, at the same time of day, with the same turn until it is given to another. Nil beyond
  /// the days that a due may have.
  fileprivate func followed(by next: Recurrence, _ number: Int, last: Stamp?) -> Occurrence? {
    guard Due.days.contains(next.day) else { return nil }
    return Occurrence(
      number: number, due: due.moved(to: next.day), start: next.start, taken: next.taken,
      last: last, turn: turn, turns: turns)
  }
}

extension Post {
  /// The present occurrence. Nil for a post that does not come again.
  package var occurrence: Occurrence? { repeats?.occurrence }

  /// Returns the occurrence after this one, when this one is left out. Nil when it was the last.
  package func skipped(almanac: Almanac) -> Occurrence? {
    repeats?.skipped(almanac: almanac, number: lastOccurrence + 1)
  }

  /// Returns the occurrence after this one, when this one is completed. Nil when there is none.
  package func following(_ stamp: Stamp, in category: Category, _ almanac: Almanac) -> Occurrence? {
    guard completed == nil else { return nil }
    return repeats?.next(
      completed: submitted ?? stamp, due: due?.day, now: stamp.at, categoryZone: category.zone,
      almanac: almanac, number: lastOccurrence + 1)
  }

  /// Goes on to the next occurrence. The post has another due, nobody has been told that it has passed, and its steps
  /// are open again.
  mutating func apply(_ news: NextOccurrence) {
    due = news.next.due
    overdue = nil
    endWork()
    submitted = nil
    parts = []
    clearContest()
    repeats = repeats?.at(news.next)
    for index in steps.indices { steps[index].finished = nil }
  }
}
