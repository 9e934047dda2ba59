// What happened in a list: as the chat would have told it, with the names of today, the newest at the bottom.

import Client
import Domain
import Screen
import Sync
import Wire

enum HistoryLines {
  static func lines(
    _ page: HistoryPage, of list: Category, _ situation: Situation
  ) throws(WireError) -> [Line] {
    let titles = Dictionary(
      page.posts.map { ($0.id, $0.title.isEmpty ? "#\($0.number)" : $0.title) },
      uniquingKeysWith: { first, _ in first })
    let teller = EventLines(situation: situation, titles: titles)
    var lines: [Line] = []
    for line in page.lines.reversed() {
      let happening = Happening(event: try line.event(), changes: [], notifications: [])
      lines += teller.timed(happening, in: .category(list.id))
    }
    guard !lines.isEmpty else {
      return [Line("nothing happened in \(list.tag) that you may read", .dim)]
    }
    return page.before == nil ? lines : [Line("… there is more before", .dim)] + lines
  }

  /// What an undo left as it was.
  static func skipped(_ skip: UndoSkip) -> Line {
    let what: Phrase = skip.number.map { "#\($0)" } ?? "the list"
    let why: Phrase =
      switch skip.reason {
      case .later: "was changed since"
      case .removed: "is removed"
      case .forbidden: "is not yours to change back"
      case .never: "has members, invitations or settings that are never undone"
      }
    return Line("left as it is: \(what) \(why)", .dim)
  }
}
