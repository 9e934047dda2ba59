// Lines about what happened on a day (protocol §8, digest.get). On request there is a line for each list. At the time
// at which a person wants to hear of the day, there is one line for all lists.

import Calendar
import Domain
import Screen
import Wire

enum DigestLines {
  /// The lines of `/digest`.
  static func lines(_ result: DigestResult, _ situation: Situation) -> [Line] {
    let day = situation.clock.words(result.day)
    guard !result.lists.isEmpty else {
      return [Line("\(day) in your lists: nothing", .dim)] + own(result, day)
        + now(result.day, situation)
    }
    let rows = result.lists.map { list in
      Line("\(label(list))  ", .strong, hang: 4).and(row(list, situation))
        .and(list.more ? "  and more" : "", .dim)
    }
    let left = result.more ? [Line("there was too much to look through all of it", .dim)] : []
    return [Line("\(day) in your lists:", .dim)] + rows + left + own(result, day)
      + now(result.day, situation)
  }

  /// Whether there is nothing to tell. A notification that a digest is ready means only that something was written
  /// since its day began (protocol §5.10).
  static func isEmpty(_ result: DigestResult) -> Bool {
    result.lists.isEmpty && result.today.of == 0 && !result.more
  }

  /// Returns `⏰ today in your lists: @editor completed 4 in #groceries, … /digest shows it`.
  static func ready(_ result: DigestResult, _ situation: Situation) -> Line {
    let doings = result.lists.flatMap { list in
      list.people.map { person in
        (list: list, person: person, count: person.counts.completed + person.counts.added)
      }
    }
    let most = doings.filter { $0.count > 0 }.sorted { $0.count > $1.count }
    guard !most.isEmpty else { return notice(of: result.day, situation) }
    let told = most.prefix(doingsMax).map { it -> Phrase in
      "\(name(it.person, in: it.list, situation)) " + words(it.person.counts)
        + " in \(label(it.list))"
    }
    let day = situation.clock.words(result.day)
    return Line("⏰ ", .warn, hang: 2).and("\(day) in your lists: ", .strong)
      .and(joined(told)).and(most.count > told.count ? " …" : "")
      .and("  \(command(result.day, situation)) shows it", .dim)
  }

  /// Returns the line that there is something to tell of a day, for when the contents are not known.
  static func notice(of day: Day?, _ situation: Situation) -> Line {
    Line("⏰ ", .warn).and(noticed(day, situation), .strong)
  }

  /// Returns the words for a digest that was told at this moment, because a notification does not name the day.
  static func noticed(at time: Timestamp, _ situation: Situation) -> Phrase {
    noticed(day(toldAt: time, situation), situation)
  }

  /// Returns the day of a digest that was told at this time, by the present settings (protocol §5.10). Without a set
  /// time it is the day of the clock from noon on, and before noon the day before.
  static func day(toldAt time: Timestamp, _ situation: Situation) -> Day? {
    let zone = situation.clock.zone
    guard let digest = situation.settings.digest else {
      let isMorning = (situation.clock.local(time)?.hour ?? 12) < 12
      return Almanac.system.day(time, zone)?.adding(days: isMorning ? -1 : 0)
    }
    return DigestTimes(time: digest, zone: zone, almanac: .system).latest(through: time).day
  }

  private static func noticed(_ day: Day?, _ situation: Situation) -> Phrase {
    guard let day else { return "a day in your lists: /digest shows it" }
    return "\(situation.clock.words(day)) in your lists: \(command(day, situation)) shows it"
  }

  private static func command(_ day: Day, _ situation: Situation) -> String {
    day == situation.clock.today?.day ? "/digest" : "/digest \(day)"
  }

  /// The number of doings that fit into two lines.
  private static let doingsMax = 3

  private static func row(_ list: DigestList, _ situation: Situation) -> Phrase {
    var parts = list.people.map { person -> Phrase in
      "\(name(person, in: list, situation)) " + words(person.counts)
    }
    if !list.mine.isEmpty { parts.append("you " + words(list.mine)) }
    return parts.isEmpty ? words(list.total) : joined(parts, by: "; ")
  }

  /// Returns words such as `completed 4, added 2`.
  private static func words(_ counts: DigestCounts) -> Phrase {
    let words = [
      ("completed", counts.completed), ("added", counts.added), ("reopened", counts.reopened),
      ("removed", counts.removed),
    ]
    return joined(words.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" })
  }

  private static func joined(_ parts: [Phrase], by sign: Phrase = ", ") -> Phrase {
    guard let first = parts.first else { return "" }
    return parts.dropFirst().reduce(first) { $0 + sign + $1 }
  }

  private static func own(_ result: DigestResult, _ day: String) -> [Line] {
    let total = result.today
    return total.of == 0 ? [] : [Line("\(day), yours: \(total.done) of \(total.of) done", .dim)]
  }

  private static func label(_ list: DigestList) -> String { "#" + list.name.oneWord }

  private static func name(
    _ person: DigestPerson, in list: DigestList, _ situation: Situation
  ) -> String {
    situation.streams[list.stream]?.member(person.id)?.calledName ?? "@" + person.username
  }
}

extension JSONWriter {
  /// Writes `"day", "lists":[{"kind","id","name","added","completed","people":[…]}], "today"`.
  mutating func digest(_ result: DigestResult) {
    member("day", "\(result.day)")
    array("lists", result.lists) { list, writer in
      writer.kind(of: list.stream)
      writer.member("id", "\(list.stream.uuid)")
      writer.member("name", list.name)
      writer.counts(list.total)
      writer.array("people", list.people) { person, writer in
        writer.person(person.id, person.username)
        writer.counts(person.counts)
      }
    }
    member("today", result.today)
    member("more", result.more)
  }

  private mutating func counts(_ counts: DigestCounts) {
    member("added", counts.added)
    member("completed", counts.completed)
    member("reopened", counts.reopened)
    member("removed", counts.removed)
  }
}
