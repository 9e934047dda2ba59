// Lines about what people have completed (protocol §8, stats.get): a table of who did most, or how much was done on
// each day and how much of it in time. All of it is said in words and figures; colors only repeat it.

import Domain
import Screen
import Sync
import Text
import Wire

enum StatsLines {
  static func lines(
    _ result: StatsResult, of place: ListOrGroup, _ span: StatsSpan, _ view: StatsView,
    _ situation: Situation
  ) -> [Line] {
    let rows =
      switch view {
      case .score: score(result, situation)
      case .stats: stats(result, situation.clock)
      }
    return [title(result, of: place, span)] + rows + left(result)
  }

  static func title(_ result: StatsResult, of place: ListOrGroup, _ span: StatsSpan) -> Line {
    Line("\(place.label)", .strong)
      .and(", \(span.words): \(result.completed) done, \(result.added) added", .dim)
  }

  /// Says that older events were not looked through; no line when all were.
  static func left(_ result: StatsResult) -> [Line] {
    result.more ? [Line("there was too much to look through all of it", .dim)] : []
  }

  /// Returns `  3 done  2 added`.
  static func counts(_ score: PersonScore) -> Line {
    let line = Line("\(ListLines.pad("\(score.completed)", 3, right: true)) done")
    return score.added > 0 ? line.and("  \(score.added) added", .dim) : line
  }

  // MARK: Who

  private static func score(_ result: StatsResult, _ situation: Situation) -> [Line] {
    let names = result.people.map { name($0, in: result.stream, situation) }
    let width = names.map { Text.columns(of: $0) }.max() ?? 0
    return zip(result.people, names).enumerated().map { index, row in
      let (person, name) = row
      let score = person.score
      let place = ListLines.pad("\(index + 1).", 4, right: true)
      var line = Line("\(place) ", .dim, hang: 5)
        .and("\(ListLines.pad(name, width))", index == 0 && score.completed > 0 ? .strong : .plain)
        .and("  ").and(counts(score))
      if let it = score.punctuality { line.add("  \(it.onTime) of \(it.all) in time", .dim) }
      if let words = streak(score) { line.add("  \(words)", .accent) }
      return score.user == situation.me ? line.and("  (you)", .dim) : line
    }
  }

  /// Returns words for days in a row; nil below two days, because one day is no streak.
  private static func streak(_ score: PersonScore) -> String? {
    guard score.best > 1 else { return nil }
    let best = "best: \(score.best)"
    if score.streak < 2 { return best + " days in a row" }
    return "\(score.streak) days in a row" + (score.best > score.streak ? " (\(best))" : "")
  }

  private static func name(
    _ person: StatsPerson, in stream: StreamID, _ situation: Situation
  ) -> String {
    situation.streams[stream]?.member(person.score.user)?.calledName ?? "@" + person.username
  }

  // MARK: How much

  private static func stats(_ result: StatsResult, _ clock: Clock) -> [Line] {
    var lines: [Line] = []
    if let row = throughput(result, clock) { lines.append(row) }
    if let it = result.punctuality {
      lines.append(
        Line("  in time: \(it.onTime) of \(it.all) that had a deadline (\(it.percent) %)"))
    }
    if let median = result.lateMedian { lines.append(Line("  \(words(ofMedian: median))")) }
    return lines
  }

  /// Returns `Mon ▂·█▁··▄ today  1.7 a day, most: 4 on Wed`.
  private static func throughput(_ result: StatsResult, _ clock: Clock) -> Line? {
    guard let most = result.days.max(by: { $0.completed < $1.completed }), result.from < result.to
    else { return nil }
    let counts = Dictionary(result.days.map { ($0.day, $0.completed) }) { first, _ in first }
    let days = result.to.number - result.from.number + 1
    let bars = (0..<days).map { offset in
      bar(counts[result.from.adding(days: offset)] ?? 0, of: most.completed)
    }
    // Past days of the week are called by their names here, because `words` has names only for coming days.
    let tenths = (result.completed * 10 + days / 2) / days
    return Line("  \(dayName(result.from, clock)) ", .dim)
      .and("\(bars.joined())", .accent)
      .and(" \(dayName(result.to, clock))", .dim)
      .and("  \(tenths / 10).\(tenths % 10) a day, most: \(most.completed) on ")
      .and("\(dayName(most.day, clock))")
  }

  /// Returns the bar of a day. A day with a count of 0 has a dot, so that days can be counted.
  private static func bar(_ count: Int, of most: Int) -> String {
    guard count > 0, most > 0 else { return "·" }
    let signs = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return signs[(count * signs.count + most - 1) / most - 1]
  }

  private static func dayName(_ day: Day, _ clock: Clock) -> String {
    guard let today = clock.today?.day, (2...6).contains(today.number - day.number) else {
      return clock.words(day)
    }
    return Clock.weekdays[day.weekday.index]
  }

  /// Returns `half of them 3 h or more before the deadline`.
  private static func words(ofMedian milliseconds: Int64) -> String {
    let isLate = milliseconds >= 0
    return "half of them by \(words(ofMilliseconds: milliseconds.magnitude)) "
      + (isLate ? "after" : "before") + " the deadline"
  }

  /// Returns `4 min`, `3 h` or `5 days`, rounded down.
  private static func words(ofMilliseconds milliseconds: UInt64) -> String {
    let minutes = milliseconds / 60_000
    if minutes < 120 { return "\(minutes) min" }
    return minutes < 48 * 60 ? "\(minutes / 60) h" : "\(minutes / (24 * 60)) days"
  }
}

extension Punctuality {
  fileprivate var all: Int { onTime + late }
  fileprivate var percent: Int { (onTime * 200 + all) / (2 * all) }
}

extension JSONWriter {
  /// Writes the list or group, then `"from", "to", "added", "completed", "people":[…], "days":[…]`, with the names of
  /// the protocol.
  mutating func stats(_ result: StatsResult, _ situation: Situation) {
    place(result.stream, situation)
    member("from", "\(result.from)")
    member("to", "\(result.to)")
    member("added", result.added)
    member("completed", result.completed)
    inTime(result.punctuality)
    if let median = result.lateMedian { member("lateMedianMs", Int(median)) }
    array("people", result.people) { person, writer in
      writer.person(person.score.user, person.username)
      writer.member("added", person.score.added)
      writer.member("completed", person.score.completed)
      writer.inTime(person.score.punctuality)
      writer.member("streak", person.score.streak)
      writer.member("best", person.score.best)
    }
    array("days", result.days) { day, writer in
      writer.member("day", "\(day.day)")
      writer.member("completed", day.completed)
    }
    member("more", result.more)
  }

  private mutating func inTime(_ it: Punctuality?) {
    guard let it else { return }
    member("onTime", it.onTime)
    member("late", it.late)
  }
}
