import Client
import Domain
import Screen
import Wire

extension JSONOutput {
  /// Writes `"history":[{"seq","at","by"?,"words":[…],"event":{…}}]`, the newest first, and `"before"?`. `at` is in
  /// milliseconds since 1970. `by` is a username; without it the server did it. `words` are the lines of a chat. The
  /// event is that of protocol §7. One that this version cannot read comes without the other members.
  static func history(
    _ page: HistoryPage, of stream: StreamID?, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    var events: [Event] = []
    for line in page.lines.reversed() {
      // A script still gets the event itself.
      do throws(WireError) { events.append(try line.event()) } catch { continue }
    }
    let people = Dictionary(page.people.map { ($0.id, $0.username) }) { first, _ in first }
    let teller = stream.map { HistoryLines.teller(of: page, events, in: $0, situation) }
    writer.array("history", page.lines) { line, writer in
      writer.member("seq", Int(line.seq))
      if let event = events.first(where: { $0.seq == line.seq }) {
        writer.member("at", Int(event.at.milliseconds))
        if let name = event.by.flatMap({ people[$0] }) { writer.member("by", name) }
        writer.key("words")
        writer.beginArray()
        let applied = AppliedEvent(event: event, changes: [], notifications: [])
        for words in stream.flatMap({ teller?.lines(applied, in: $0) }) ?? [] {
          writer.string(words.plain)
        }
        writer.endArray()
      }
      writer.key("event")
      writer.raw(line.body)
    }
    if let before = page.before { writer.member("before", Int(before)) }
  }
}
