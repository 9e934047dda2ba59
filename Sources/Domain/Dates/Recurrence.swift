/// The way in which a post comes again, and the occurrence where it stands.
///
/// It keeps the day by the rule (`day`) beside the due, which a person may have moved for this once, and the day from
/// which intervals are counted (`start`). So "every 2 weeks" stays in its weeks whatever happens to one of them.
package struct Recurrence: Equatable, Sendable {
  package enum Basis: String, CaseIterable, Sendable {
    /// The days are the rule's own, whenever the post is completed.
    case due
    /// The days are counted anew from the day on which the post was completed: "3 days after the last watering".
    case completion
  }

  /// The treatment of occurrences whose day passed while the post was open.
  package enum Missed: String, CaseIterable, Sendable {
    /// Each one is due, one after the other.
    case kept
    /// They are dropped: the next one is not before the day of completion.
    case dropped
  }

  package let rule: RecurrenceRule
  package let basis: Basis
  /// A day in the day, week, month or year from which the rule's interval is counted.
  package let start: Day
  /// The day of this occurrence by the rule. Together with the post it names the occurrence.
  package let day: Day
  /// The number of occurrences of the rule's count that are used up, this one included. 1 for rules without a count.
  package let taken: Int

  /// Begins at the first occurrence of a post that is due on this day, whether the rule would name that day or not.
  ///
  /// Parts that the rule leaves open are taken from the day. Throws when the rule has no occurrence from that day on.
  package init(
    _ rule: RecurrenceRule, basis: Basis, due: Day, almanac: Almanac
  ) throws(RecurrenceProblem) {
    self.rule = basis == .due ? rule.anchored(on: due) : rule
    self.basis = basis
    start = due
    day = due
    taken = 1
    guard let first = almanac.firstDay(self.rule, due, due.adding(days: -1)),
      self.rule.allows(first)
    else { throw .neverFires }
  }

  /// Makes a recurrence that has begun already.
  init(_ rule: RecurrenceRule, basis: Basis, start: Day, day: Day, taken: Int) {
    self.rule = rule
    self.basis = basis
    self.start = start
    self.day = day
    self.taken = taken
  }

  private init(_ last: Recurrence, start: Day, day: Day, taken: Int) {
    rule = last.rule
    basis = last.basis
    self.start = start
    self.day = day
    self.taken = taken
  }

  /// Returns the occurrence after this one, completed on a day (in the due's or the category's zone). Nil when this was
  /// the last.
  ///
  /// `due` is the day on which this one was due, also when somebody had moved it for this once. A next one that is
  /// counted from completion is later than that day too.
  package func next(
    completedOn today: Day, due: Day? = nil, missed: Missed, almanac: Almanac
  ) -> Recurrence? {
    switch basis {
    case .completion: counted(from: today, after: max(day, due ?? day), almanac)
    case .due where missed == .kept || today <= day: following(from: start, after: day, almanac)
    case .due: nextNotBefore(today, almanac)
    }
  }

  /// Returns the occurrence after this one, which was left out. Nil when this was the last.
  package func skipped(almanac: Almanac) -> Recurrence? {
    switch basis {
    case .due: following(from: start, after: day, almanac)
    case .completion: counted(from: day, after: day, almanac)
    }
  }

  /// Returns the days after this occurrence within these bounds, both included, by the rule alone. It walks over the
  /// rule's days once, because a calendar asks this of a thousand posts.
  func days(from first: Day, through last: Day, almanac: Almanac) -> [Day] {
    var (days, taken) = ([Day](), taken)
    // Without a count the number of earlier occurrences does not matter.
    var after = day
    var count = Int.max
    if case .count(let all) = rule.end {
      count = all
    } else {
      after = max(day, first.adding(days: -1))
    }
    guard taken < count else { return [] }
    almanac.visitDays(rule.anchored(on: start), start, after) { next in
      guard next <= last, rule.allows(next) else { return false }
      taken += 1
      if next >= first { days.append(next) }
      return taken < count
    }
    return days
  }

  /// Finds the first occurrence that is not before today. Missed ones use up the count too (RFC 5545: COUNT bounds the
  /// set, whoever looks at it).
  private func nextNotBefore(_ today: Day, _ almanac: Almanac) -> Recurrence? {
    guard case .count(let count) = rule.end else {
      return following(from: start, after: max(day, today.adding(days: -1)), almanac)
    }
    var taken = taken
    var found: Day?
    almanac.visitDays(rule.anchored(on: start), start, day) { next in
      taken += 1
      if next >= today { found = next }
      return found == nil && taken < count
    }
    guard let found, taken <= count else { return nil }
    return Recurrence(self, start: start, day: found, taken: taken)
  }

  private func following(from start: Day, after: Day, _ almanac: Almanac) -> Recurrence? {
    almanac.firstDay(rule.anchored(on: start), start, after)
      .flatMap { followed(by: $0, start: start) }
  }

  /// Counts from completion (protocol §3.6). The next occurrence is later than the due that was completed, and with an
  /// interval above 1 it is not in the period of completion. It is the first of the days that the interval counts from
  /// there. Where the interval never meets a named day again (every 14 days on Mondays, completed on a Tuesday), it is
  /// the first named day after the interval.
  private func counted(from today: Day, after due: Day, _ almanac: Almanac) -> Recurrence? {
    let rule = rule.anchored(on: today)
    let period = RulePeriod(rule)
    let number = period.number(of: today)
    let periodOver = rule.interval == 1 ? today : period.lastDay(of: number) ?? today
    let counted = almanac.firstDay(rule, today, max(due, periodOver))
    let next =
      counted
      ?? period.lastDay(of: number + rule.interval - 1).flatMap { intervalOver in
        almanac.firstDay(rule.everyPeriod, today, max(due, intervalOver))
      }
    return next.flatMap { followed(by: $0, start: today) }
  }

  /// Returns the recurrence at the next day. Nil when the rule ends before that day.
  private func followed(by next: Day, start: Day) -> Recurrence? {
    guard rule.allows(next) else { return nil }
    guard case .count(let count) = rule.end else {
      return Recurrence(self, start: start, day: next, taken: 1)
    }
    return taken < count ? Recurrence(self, start: start, day: next, taken: taken + 1) : nil
  }
}

extension RecurrenceRule {
  /// Answers whether the rule's end is not before that day.
  package func allows(_ day: Day) -> Bool {
    guard case .until(let last) = end else { return true }
    return day <= last
  }
}
