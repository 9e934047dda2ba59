/// How a post comes again, and where it stands.
///
/// Remembers the day that was meant (`day`) beside the due, which a person may have moved for this once, and the day
/// from which intervals are counted (`start`): so "every 2 weeks" stays in its weeks whatever happens to one of them.
package struct Recurrence: Equatable, Sendable {
  package enum Basis: String, CaseIterable, Sendable {
    /// The rule's own days, whenever the post is completed.
    case due
    /// Counted anew from the day on which the post was completed: "3 days after the last watering".
    case completion
  }

  /// What becomes of occurrences whose day passed while the post was open.
  package enum Missed: String, CaseIterable, Sendable {
    /// Each is due, one after the other.
    case kept
    /// The next one is not before the day of completion.
    case dropped
  }

  package let rule: RecurrenceRule
  package let basis: Basis
  /// The day, or in the week, month or year, from which the rule's interval is counted.
  package let start: Day
  /// The day of this occurrence as the rule means it. With the post it names the occurrence.
  package let day: Day
  /// How many occurrences of the rule's count are used up, this one included; 1 for rules without a count.
  package let taken: Int

  /// Of a post that is due on this day: its first occurrence, whether the rule would name that day or not.
  ///
  /// What the rule leaves open is taken from the day. Refused when the rule has no occurrence from that day on.
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

  /// One that has begun already.
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

  /// After this occurrence was completed on a day (in the due's or the category's zone); nil when it was the last.
  ///
  /// `due`: the day on which it was due, though somebody had moved it for this once. The next one that is counted from
  /// completion is later than that as well.
  package func next(
    completedOn today: Day, due: Day? = nil, missed: Missed, almanac: Almanac
  ) -> Recurrence? {
    switch basis {
    case .completion: counted(from: today, after: max(day, due ?? day), almanac)
    case .due where missed == .kept || today <= day: following(from: start, after: day, almanac)
    case .due: nextNotBefore(today, almanac)
    }
  }

  /// After this occurrence was left out; nil when it was the last.
  package func skipped(almanac: Almanac) -> Recurrence? {
    switch basis {
    case .due: following(from: start, after: day, almanac)
    case .completion: counted(from: day, after: day, almanac)
    }
  }

  /// The days after this occurrence that are in these bounds, both included, by the rule alone. In one walk over the
  /// rule's days: a calendar asks it of a thousand posts.
  func days(from first: Day, through last: Day, almanac: Almanac) -> [Day] {
    var (days, taken) = ([Day](), taken)
    // Without a count nobody asks how many there were before.
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

  /// What was missed uses up the count as well (RFC 5545: COUNT bounds the set, whoever looks at it).
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

  /// From completion (protocol §3.6): later than the due that was completed, and with an interval above 1 in none of
  /// the period of completion. Of the days that the interval counts from there, or, where it never meets a named day
  /// again (every 14 days on Mondays, completed on a Tuesday), the first named one after the interval.
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

  /// Nil when it ends before that day.
  private func followed(by next: Day, start: Day) -> Recurrence? {
    guard rule.allows(next) else { return nil }
    guard case .count(let count) = rule.end else {
      return Recurrence(self, start: start, day: next, taken: 1)
    }
    return taken < count ? Recurrence(self, start: start, day: next, taken: taken + 1) : nil
  }
}

extension RecurrenceRule {
  /// Whether its end is not before that day.
  package func allows(_ day: Day) -> Bool {
    guard case .until(let last) = end else { return true }
    return day <= last
  }
}
