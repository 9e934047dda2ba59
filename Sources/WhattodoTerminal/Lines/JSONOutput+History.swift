import Client
import Domain
import Screen
import Wire

extension JSONOutput {
  /// Writes `"history":[{"seq","at","by"?,"words":[…],"event":{…}}]`, the newest first, and `"before"?`. `at` is in
  /// milliseconds since 1970. `by` is a person; without it the server did it. `words` are the lines of a chat, only
  /// those about the post that was asked for. The event is that of protocol §7. One that this version cannot read comes
  /// with `seq` and `event` only.
  static func history(
    _ page: HistoryPage, _ report: Report, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    switch report {
    case .handOver(let list, let since): writer.handOver(of: list, since: since, situation)
    case .why(let list, let post): writer.reasons(toTellOf: post, in: list, situation)
    case .whyPerson(let place, let person):
      writer.reasons(situation.reasons(toTellOf: person, in: place))
    default: break
    }
    var events: [Int64: Event] = [:]
    for line in page.lines {
      // A script still gets the event itself.
      do throws(WireError) { events[line.seq] = try line.event() } catch { continue }
    }
    let people = Dictionary(page.people.map { ($0.id, $0.username) }) { first, _ in first }
    let isOthers = if case .why = report { true } else { false }
    let lines = page.lines.filter { !isOthers || events[$0.seq]?.by != situation.me }
    let past = events.values.sorted { $0.seq < $1.seq }
    let teller = report.pastOf.map {
      HistoryLines.teller(of: page, past, in: $0, situation)
    }
    writer.array("history", lines) { line, writer in
      writer.member("seq", Int(line.seq))
      if let event = events[line.seq] {
        writer.member("at", Int(event.at.milliseconds))
        if let by = event.by { writer.person("by", by, people[by] ?? "") }
        writer.key("words")
        writer.beginArray()
        for words in teller?.words(of: event, report) ?? [] { writer.string(words) }
        writer.endArray()
      }
      writer.key("event")
      writer.raw(line.body)
    }
    if let before = page.before { writer.member("before", Int(before)) }
  }
}

extension EventLines {
  fileprivate func words(of event: Event, _ report: Report) -> [String] {
    guard let stream = report.pastOf else { return [] }
    let shown = report.pastOfPost.map { event.about($0, in: stream) } ?? event
    return lines(AppliedEvent(event: shown, changes: [], notifications: []), in: stream)
      .map(\.plain)
  }
}

extension Report {
  /// The post about whose past the answer tells; nil when it tells about all.
  fileprivate var pastOfPost: PostID? {
    switch self {
    case .history(_, let post): post
    case .why(_, let post): post
    default: nil
    }
  }
}
