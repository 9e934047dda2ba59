// How a post comes again (DESIGN §3). One post stands for all its occurrences: when one is completed or left out, the
// same post is due the next time. What was worked out by a calendar is in the post, so that `apply` never asks one.
//
// An occurrence is known by its number in the post, which is never given again: a repetition that is set begins with
// the version that the post has then, and each occurrence has one more than the highest that was given
// (`Post.lastOccurrence`). So what somebody did to an occurrence can never hit another one, also not one of a later
// repetition, nor one that came after an undo had brought back an earlier one with its own number.

/// How a post comes again, and which of its occurrences it is now.
package struct Repetition: Equatable, Sendable {
  /// The rule as it was asked: what it leaves open, it takes from the day that intervals are counted from.
  package let rule: RecurrenceRule
  package let basis: Recurrence.Basis
  package let missed: Recurrence.Missed
  /// Nil: its assignees do it together, or whoever comes first.
  package let rotation: Rotation?
  /// Whether a completion by somebody who is no admin counts only when an admin says so (`Submitting`).
  package let confirms: Bool
  /// Nil while somebody asks for it; every post's has one.
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

/// One time that a post is to be done, of many.
package struct Occurrence: Equatable, Sendable {
  package let number: Int
  /// When the rule means it, though somebody may have moved the post's own due for this once.
  package let due: Due
  /// From which day intervals are counted.
  package let start: Day
  /// How many of the rule's count are used up, this one included; 1 for rules without a count.
  package let taken: Int
  /// Who completed the one before it, when it was completed.
  package let last: Stamp?
  /// The person whose turn it is now (`Post.whoseTurn`).
  package let turn: UserID?
  /// By user; of a rotation by who did it least.
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
    /// Left out: nobody has done it.
    case skipped(Stamp)

    var stamp: Stamp {
      switch self {
      case .completed(let stamp), .skipped(let stamp): stamp
      }
    }
  }

  /// The number of the one that this is about.
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
  /// The same of another occurrence.
  package func at(_ occurrence: Occurrence?) -> Repetition {
    Repetition(
      rule, basis: basis, missed: missed, rotation: rotation, confirms: confirms,
      occurrence: occurrence)
  }

  /// The same by another rule.
  package func asking(_ rule: RecurrenceRule) -> Repetition {
    Repetition(
      rule, basis: basis, missed: missed, rotation: rotation, confirms: confirms,
      occurrence: occurrence)
  }

  /// Whether the same is asked, whatever the occurrence.
  func asks(_ other: Repetition) -> Bool {
    rule == other.rule && basis == other.basis && missed == other.missed
      && rotation == other.rotation && confirms == other.confirms
  }

  /// Whether it comes on the same days, until whenever it ends, if both are counted from the same one.
  func hasDays(of other: Repetition) -> Bool {
    rule.ending(.never) == other.rule.ending(.never) && basis == other.basis
  }

  /// The days of the rule from here on.
  private var recurrence: Recurrence? {
    occurrence.map {
      Recurrence(rule, basis: basis, start: $0.start, day: $0.due.day, taken: $0.taken)
    }
  }

  /// The first occurrence of a post with this due, whether the rule would name that day or not.
  func begun(
    at due: Due, number: Int, last: Stamp?, almanac: Almanac
  ) throws(RecurrenceProblem) -> Repetition {
    let days = try Recurrence(rule, basis: basis, due: due.day, almanac: almanac)
    let first = Occurrence(number: number, due: due, start: days.start, last: last)
    return at(first)
  }

  /// Whether a wish says nothing new of it, the post having this due. Of one that was moved for once it does: the new
  /// due is the first then.
  func grants(_ wish: Repetition, at due: Due) -> Bool { asks(wish) && occurrence?.due == due }

  /// When it will come again after this occurrence, from one day to another, both included, if nobody changes or
  /// completes anything: so of what is counted from its completion nothing is known.
  func nextDues(from first: Day, through last: Day, almanac: Almanac) -> [Due] {
    guard basis == .due, let occurrence, let recurrence else { return [] }
    return recurrence.days(from: first, through: last, almanac: almanac)
      .map { occurrence.due.moved(to: $0) }
  }

  /// The occurrence after this one was completed; nil when it was the last. `due`: the post's own. `now`: when that
  /// counts, which is later than the stamp when somebody had to confirm it.
  fileprivate func next(
    completed stamp: Stamp, due: Day?, now: Timestamp, categoryZone: String, almanac: Almanac,
    number: Int
  ) -> Occurrence? {
    guard let occurrence, let days = recurrence else { return nil }
    let moment = basis == .completion ? stamp.at : now
    let today = almanac.day(moment, occurrence.due.zone ?? categoryZone) ?? occurrence.due.day
    var found = days.next(completedOn: today, due: due, missed: missed, almanac: almanac)
    // Of today, and the time has passed: missed as well.
    while missed == .dropped, basis == .due, let next = found, next.day <= today,
      let deadline = occurrence.due.moved(to: next.day)
        .deadline(categoryZone: categoryZone, almanac: almanac), deadline <= now
    {
      found = next.skipped(almanac: almanac)
    }
    return found.flatMap { occurrence.followed(by: $0, number, last: stamp) }
  }

  /// The same from another due on: it ends after as many more occurrences as it would now.
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
  /// Whether it came because that one, or one after it, was completed or left out; not because the same was set anew,
  /// which takes `last` along and begins on its own day, or stays on the day that it was on.
  func follows(_ earlier: Occurrence) -> Bool {
    guard number > earlier.number else { return false }
    return last != nil && last != earlier.last || due.day > earlier.due.day && start < due.day
  }

  /// The same, with intervals counted from another day.
  func counted(from start: Day) -> Occurrence {
    Occurrence(
      number: number, due: due, start: start, taken: taken, last: last, turn: turn, turns: turns)
  }

  /// At the same time of day, with the same turn until it is another's. Nil beyond the days that a due may have.
  fileprivate func followed(by next: Recurrence, _ number: Int, last: Stamp?) -> Occurrence? {
    guard Due.days.contains(next.day) else { return nil }
    return Occurrence(
      number: number, due: due.moved(to: next.day), start: next.start, taken: next.taken,
      last: last, turn: turn, turns: turns)
  }
}

extension Post {
  /// The occurrence that it is now; nil of a post that does not come again.
  package var occurrence: Occurrence? { repeats?.occurrence }

  /// The occurrence after this one was left out; nil when it was the last.
  package func skipped(almanac: Almanac) -> Occurrence? {
    repeats?.skipped(almanac: almanac, number: lastOccurrence + 1)
  }

  /// The occurrence after this one, when this is completed; nil when there is none.
  package func following(_ stamp: Stamp, in category: Category, _ almanac: Almanac) -> Occurrence? {
    guard completed == nil else { return nil }
    return repeats?.next(
      completed: submitted ?? stamp, due: due?.day, now: stamp.at, categoryZone: category.zone,
      almanac: almanac, number: lastOccurrence + 1)
  }

  /// Goes on to the next occurrence: another due, which has not passed as far as anybody was told, and its
  /// steps are open again.
  mutating func apply(_ news: NextOccurrence) {
    due = news.next.due
    overdue = nil
    claim = nil
    submitted = nil
    parts = []
    repeats = repeats?.at(news.next)
    for index in steps.indices { steps[index].finished = nil }
  }
}
