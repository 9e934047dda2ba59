// A rule of a calendar program may name times of day: UNTIL with a time, BYHOUR, BYMINUTE. A rule here is for days, so
// its times are settled once, when the rule is set, with the due that it is set for (protocol §3.6):
// - BYHOUR and BYMINUTE are the due's time: a due that is a day gets it, in the list's zone, and a due with a time must
//   show the same one;
// - UNTIL with a time becomes the last day on which the rule may fire: the day that a calendar in the due's zone shows
//   then, or the day before when on that day the due's time comes only after UNTIL.
// No rule of a post has any of these times.

/// The times of day that a rule names, until a due is known.
package struct RuleTimes: Equatable, Sendable {
  /// The UNTIL, when it has a time.
  package let until: RuleUntil?
  /// BYHOUR, and with `minute` BYMINUTE.
  package let hour: Int?
  package let minute: Int?

  /// Makes the times. Nil when the rule names none.
  init?(until: RuleUntil?, hour: Int?, minute: Int?) {
    guard until != nil || hour != nil else { return nil }
    self.until = until
    self.hour = hour
    self.minute = minute
  }

  /// The times as parts of the rule's text.
  var words: [String] {
    [
      hour.map { "BYHOUR=\($0)" }, minute.map { "BYMINUTE=\($0)" },
      until.map { "UNTIL=\($0.description)" },
    ].compactMap(\.self)
  }
}

/// A moment, or the time that clocks of the due's zone show then.
package struct RuleUntil: Equatable, Sendable, CustomStringConvertible {
  let day: Day
  /// The second of the day, 0 to 86 399.
  let second: Int
  let isUTC: Bool

  /// Reads exactly `20261231T235959` or `20261231T235959Z`. Nil for anything else.
  init?(_ bytes: [UInt8]) {
    isUTC = bytes.last == UInt8(ascii: "Z")
    guard bytes.count == (isUTC ? 16 : 15), bytes[8] == UInt8(ascii: "T"),
      let day = Day(basic: bytes[0..<8]), let hour = Day.digits(bytes[9..<11]), hour < 24,
      let minute = Day.digits(bytes[11..<13]), minute < 60,
      let second = Day.digits(bytes[13..<15]), second <= 60
    else { return nil }
    self.day = day
    // A leap second does not make another minute.
    self.second = 3_600 * hour + 60 * minute + min(second, 59)
  }

  package var description: String {
    let parts = [second / 3_600, second / 60 % 60, second % 60]
    return day.basic + "T" + parts.map { Day.padded($0, to: 2) }.joined() + (isUTC ? "Z" : "")
  }

  /// Returns the last day on which this due does not come later. Nil for a zone or a year that no calendar here has.
  fileprivate func lastDay(of due: Due, categoryZone: String, _ almanac: Almanac) -> Day? {
    guard isUTC else {
      guard case .time(_, let minute, _) = due else { return day }
      return 60 * minute <= second ? day : day.adding(days: -1)
    }
    let moment = Timestamp(
      milliseconds: 1_000 * (86_400 * Int64(day.number) + Int64(second)))
    guard let last = almanac.day(moment, due.zone ?? categoryZone) else { return nil }
    guard case .time(_, let minute, let zone) = due else { return last }
    guard let then = almanac.moment(last, minute, zone) else { return nil }
    return then <= moment ? last : last.adding(days: -1)
  }
}

extension RecurrenceRule {
  /// Returns the rule without times of day, and the due with the time that the rule names.
  package func settled(
    for due: Due, categoryZone: String, almanac: Almanac
  ) throws(RecurrenceProblem) -> (rule: RecurrenceRule, due: Due) {
    guard let times else { return (self, due) }
    let due = try times.timed(due, categoryZone: categoryZone)
    guard let until = times.until else { return (settled(end: end), due) }
    guard let last = until.lastDay(of: due, categoryZone: categoryZone, almanac) else {
      throw .badValue(.until)
    }
    return (settled(end: .until(last)), due)
  }
}

extension RuleTimes {
  fileprivate func timed(_ due: Due, categoryZone: String) throws(RecurrenceProblem) -> Due {
    guard let hour else { return due }
    switch due {
    case .day(let day): return .time(day, minute: 60 * hour + (minute ?? 0), zone: categoryZone)
    case .time(_, let shown, _):
      guard shown / 60 == hour, minute == nil || shown % 60 == minute else { throw .otherTime }
      return due
    }
  }
}
