/// The questions about calendars that the rules do not answer themselves: functions, handed in as values.
///
/// `Calendar` has those that read the system's time zones. Their answers are written into events, so that a replay
/// never asks them again and another version of the time zones changes no past.
package struct Almanac: Sendable {
  /// Visits, in their order, the days after `after` and not before `start` on which the rule fires, until `visit`
  /// answers false. Intervals are counted from the day, week, month or year that holds `start`. It ends where the rule
  /// does not fire for `RecurrenceRule.gapYearsMax` years. It does not look at the rule's end.
  package let visitDays:
    @Sendable (
      _ rule: RecurrenceRule, _ start: Day, _ after: Day, _ visit: (Day) -> Bool
    ) -> Void
  /// Returns the first moment of a day in a zone. Nil for an unknown zone.
  package let startOfDay: @Sendable (_ day: Day, _ zone: String) -> Timestamp?
  /// Returns the moment at which a wall clock in the zone shows this number of minutes after midnight. When the clock
  /// shows it twice, the first time counts. When it never does, the moment is counted with the offset before the gap:
  /// 02:30 is then 03:30 (RFC 5545 §3.3.5).
  package let moment: @Sendable (_ day: Day, _ minute: Int, _ zone: String) -> Timestamp?
  /// Returns the day that a calendar in the zone shows at a moment.
  package let day: @Sendable (_ moment: Timestamp, _ zone: String) -> Day?

  package init(
    visitDays: @escaping @Sendable (RecurrenceRule, Day, Day, (Day) -> Bool) -> Void,
    startOfDay: @escaping @Sendable (Day, String) -> Timestamp?,
    moment: @escaping @Sendable (Day, Int, String) -> Timestamp?,
    day: @escaping @Sendable (Timestamp, String) -> Day?
  ) {
    self.visitDays = visitDays
    self.startOfDay = startOfDay
    self.moment = moment
    self.day = day
  }

  /// An almanac for decisions that need none. It knows no zone, and no rule fires.
  package static let none = Almanac(
    visitDays: { _, _, _, _ in }, startOfDay: { _, _ in nil }, moment: { _, _, _ in nil },
    day: { _, _ in nil })

  /// Returns the first of the days that `visitDays` visits.
  package func firstDay(_ rule: RecurrenceRule, _ start: Day, _ after: Day) -> Day? {
    var first: Day?
    visitDays(rule, start, after) { day in
      first = day
      return false
    }
    return first
  }
}
