// Lines for posts of several lists. In front stands when each is due, then the list and the number by which other
// commands name it.

import Calendar
import Domain
import Screen
import Sync
import Text
import Wire

enum ViewLines {
  static func lines(_ result: ViewResult, _ situation: Situation) -> [Line] {
    guard !result.found.isEmpty else { return [Line("nothing there", .dim)] + left(result) }
    let dues = result.found.map { due(of: $0, situation) }
    let columns = dues.map(\.width).max() ?? 0
    return zip(result.found, dues).map { line($0, $1, columns, situation) } + left(result)
  }

  /// Returns `! yesterday`; empty for a post without a due.
  private static func due(of found: ViewLine, _ situation: Situation) -> Line {
    guard let due = found.post.due else { return Line() }
    let zone =
      situation.streams[.category(found.category)]?.category?.zone ?? Category.zoneOfOld
    let when: Phrase = "\(situation.clock.words(due))"
    return
      switch situation.status(of: found.post, zone: zone)
    {
    case .overdue: Line("! " + when, .bad)
    case .dueSoon: Line("  " + when, .warn)
    case .upcoming, .none, .completed: Line("  " + when, .dim)
    }
  }

  private static func line(
    _ found: ViewLine, _ due: Line, _ columns: Int, _ situation: Situation
  ) -> Line {
    let post = found.post
    var line = due
    line.hang = 4
    if columns > 0 { line.add("\(ListLines.pad("", columns + 2 - due.width))") }
    line.add("\(situation.label(.category(found.category))) #\(post.number)  ", .dim)
    if post.completed != nil { line.add("✔ ", .good) }
    line.add("\(post.shownTitle)")
    if let priority = post.priority {
      line.add("  !\(priority.rawValue)", priority == .high ? .strong : .dim)
    }
    return line
  }

  private static func left(_ result: ViewResult) -> [Line] {
    var lines: [Line] = []
    if result.after != nil { lines.append(Line("… there is more", .dim)) }
    if result.omitted > 0 {
      lines.append(Line("not looked through: \(result.omitted) of your lists", .dim))
    }
    return lines
  }
}
