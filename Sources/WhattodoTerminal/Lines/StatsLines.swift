// Lines about what people have completed (protocol §8, stats.get): a table of who did most, or how much was done when
// and how much of it in time. All of it is said in words and figures; colors only repeat it.

import Domain
import Screen
import Sync
import Text
import Wire

enum StatsLines {
  static func lines(
    _ result: StatsResult, of place: ListOrGroup?, _ span: StatsSpan, _ view: StatsView,
    _ situation: Situation
  ) -> [Line] {
    let rows =
      switch view {
      case .score: score(result, situation)
      case .stats: stats(result, situation)
      }
    return [title(result, of: place, span)] + rows + left(result)
  }

  /// Returns `#groceries, 7 days: 15 done, 5 added`. Without a place it is about oneself.
  static func title(_ result: StatsResult, of place: ListOrGroup?, _ span: StatsSpan) -> Line {
    let line = Line("\(place?.label ?? "you in all lists")", .strong)
      .and(", \(span.words): \(result.completed) done", .dim)
    return result.added.map { line.and(", \($0) added", .dim) } ?? line
  }

  /// Says that not all was looked through; no line when all was.
  static func left(_ result: StatsResult) -> [Line] {
    result.more ? [Line("there was too much to look through all of it", .dim)] : []
  }

  /// Returns `  3 done  2 added`. Over a long time it is not known how much was added.
  static func counts(_ score: PersonScore) -> Line {
    let line = Line("\(ListLines.pad("\(score.completed)", 3, right: true)) done")
    guard let added = score.added, added > 0 else { return line }
    return line.and("  \(added) added", .dim)
  }

  // MARK: Who

  private static func score(_ result: StatsResult, _ situation: Situation) -> [Line] {
    let names = result.people.map { name($0, in: result.stream, situation) }
    let width = names.map { Text.columns(of: $0) }.max() ?? 0
    return zip(result.people, names).enumerated().map { index, row in
      let (person, name) = row
      let score = person.score
      let place = ListLines.pad("\(index + 1).", 4, right: true)
      // A row that is too long for the screen goes on below the counts.
      var line = Line("\(place) ", .dim, hang: width + 7)
        .and("\(ListLines.pad(name, width))", index == 0 && score.completed > 0 ? .strong : .plain)
        .and("  ").and(counts(score))
      if let it = score.punctuality { line.add("  \(it.onTime) of \(it.all) in time", .dim) }
      if let words = streak(score) { line.add("  \(words)", .accent) }
      if let words = places(score.places) { line.add("  \(words)", .good) }
      let reached = shares(score)
      if !reached.isEmpty { line.add("  " + reached.listed) }
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

  /// Returns `won 2 races, 2nd in 1`, or `2nd in 3 races`; nil for somebody who was never among the first three.
  private static func places(_ counts: [Int]) -> String? {
    let held = zip(["won", "2nd in", "3rd in"], counts).filter { $0.1 > 0 }
    guard let first = held.first else { return nil }
    let begin = "\(first.0) \(first.1) \(first.1 == 1 ? "race" : "races")"
    return ([begin] + held.dropFirst().map { "\($0.0) \($0.1)" }).joined(separator: ", ")
  }

  /// Returns what somebody did in contests beside others: `120 pages`, `3 steps`.
  private static func shares(_ score: PersonScore) -> [Phrase] {
    var shares = score.amounts.map { it -> Phrase in "\(it.amount) \(it.unit)" }
    if score.steps > 0 { shares.append(score.steps == 1 ? "1 step" : "\(score.steps) steps") }
    return shares
  }

  private static func name(
    _ person: StatsPerson, in stream: StreamID, _ situation: Situation
  ) -> String {
    situation.streams[stream]?.member(person.score.user)?.calledName ?? "@" + person.username
  }

  // MARK: How much

  private static func stats(_ result: StatsResult, _ situation: Situation) -> [Line] {
    var lines = throughput(result, situation.clock) + record(result, situation)
    if let it = result.punctuality {
      lines.append(
        Line("  in time: \(it.onTime) of \(it.all) that had a deadline (\(it.percent) %)"))
    }
    if let median = result.lateMedian { lines.append(Line("  \(words(ofMedian: median))")) }
    return lines
  }

  /// Returns `Mon ▂·█▁··▄ today  1.7 a day, most: 4 on Wed`, on two lines where there are many signs.
  private static func throughput(_ result: StatsResult, _ clock: Clock) -> [Line] {
    guard let most = result.days.max(by: { $0.completed < $1.completed }),
      let bar = StatsBar(result)
    else { return [] }
    let row = Line("  \(dayName(bar.from, clock)) ", .dim)
      .and("\(bar.signs)", .accent)
      .and(" \(dayName(result.to, clock))", .dim)
    let average = "\(bar.tenthsPerSign / 10).\(bar.tenthsPerSign % 10)"
    let best: Phrase = "\(most.completed) on \(dayName(most.day, clock))"
    if let words = bar.words {
      let figures: Phrase = "each sign \(words), \(average) on average; most on a day: " + best
      return [row, Line("  " + figures, hang: 2)]
    }
    let figures: Phrase = "  \(average) a day, most: " + best
    return bar.signs.count > signsBesideFigures
      ? [row, Line(figures, hang: 2)] : [row.and(figures)]
  }

  /// The number of signs that leave room for the figures in 80 columns: a month.
  private static let signsBesideFigures = 31

  /// Returns `your most on a day: 7 on Wed`. Among one's own statistics it would say the same as the row of days.
  private static func record(_ result: StatsResult, _ situation: Situation) -> [Line] {
    guard let me = situation.me, result.from < result.to, result.stream != .user(me),
      let mine = result.people.first(where: { $0.score.user == me }),
      let record = mine.score.record
    else { return [] }
    let day = dayName(record.day, situation.clock)
    return [Line("  your most on a day: \(record.completed) on \(day)")]
  }

  /// Returns a past day of this week by its name, because `words` has names only for coming days.
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
  /// Writes the list or group or oneself, then `"from", "to", "added"?, "completed", "people":[…], "days":[…]`, with
  /// the names of the protocol.
  mutating func stats(_ result: StatsResult, _ situation: Situation) {
    place(result.stream, situation)
    member("from", "\(result.from)")
    member("to", "\(result.to)")
    if let added = result.added { member("added", added) }
    member("completed", result.completed)
    inTime(result.punctuality)
    if let median = result.lateMedian { member("lateMedianMs", Int(median)) }
    array("people", result.people) { person, writer in
      writer.person(person.score.user, person.username)
      writer.score(person.score)
    }
    array("days", result.days) { $1.dayScore($0) }
    member("more", result.more)
  }

  private mutating func score(_ it: PersonScore) {
    if let added = it.added { member("added", added) }
    member("completed", it.completed)
    inTime(it.punctuality)
    member("streak", it.streak)
    member("best", it.best)
    if !it.places.isEmpty {
      key("places")
      beginArray()
      for count in it.places { int(count) }
      endArray()
    }
    if it.steps > 0 { member("steps", it.steps) }
    if !it.amounts.isEmpty {
      array("amounts", it.amounts) { share, writer in
        writer.member("unit", share.unit)
        writer.member("amount", share.amount)
      }
    }
    if let record = it.record { object("record") { $0.dayScore(record) } }
  }

  private mutating func dayScore(_ it: DayScore) {
    member("day", "\(it.day)")
    member("completed", it.completed)
  }

  private mutating func inTime(_ it: Punctuality?) {
    guard let it else { return }
    member("onTime", it.onTime)
    member("late", it.late)
  }
}
