import Domain
import Wire

extension JSONOutput {
  /// Writes what a change ended.
  static func end(_ end: PostEnd, _ writer: inout JSONWriter) {
    switch end {
    case .done: writer.member("completed", true)
    case .again(let news):
      writer.object("again") { writer in
        writer.due(news.next.due)
        // Once more, as scripts read it before a due was an object of its own here.
        writer.members(of: news.next.due)
        writer.member("occurrence", news.next.number)
      }
    }
  }
}
