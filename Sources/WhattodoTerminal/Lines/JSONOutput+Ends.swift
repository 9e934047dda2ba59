import Domain
import Wire

extension JSONOutput {
  /// Writes what a change ended.
  static func end(_ end: PostEnd, _ writer: inout JSONWriter) {
    switch end {
    case .done: writer.member("completed", true)
    case .again(let news):
      writer.key("again")
      writer.beginObject()
      due(news.next.due, &writer)
      writer.member("occurrence", news.next.number)
      writer.endObject()
    }
  }

  /// Writes the members of a due (protocol §3.6).
  static func due(_ due: Due, _ writer: inout JSONWriter) {
    writer.member(due.localTime == nil ? "date" : "at", due.localTime ?? due.day.description)
    if let zone = due.zone { writer.member("zone", zone) }
  }
}
