import Client
import Domain
import Screen
import Wire

/// Lines for the links by which others look at a list. The code of a link is shown to the person who asked for it, and
/// never in what happened.
enum LinkLines {
  /// Returns the line of a link op. `isByNobody` means that the link ended because its time was over.
  static func line(_ op: LinkOp, _ who: Who, _ place: String, isByNobody: Bool) -> Line {
    switch op {
    case .made: who.line("→", .accent, "made a link that shows \(place)")
    case .ended where isByNobody: Line("a link that showed \(place) has ended", .dim)
    case .ended: who.line("✘", .bad, "ended a link that showed \(place)")
    }
  }

  /// Returns the links in the order of `/links`.
  static func inOrder(_ lines: [LinkLine]) -> [LinkLine] {
    lines.sorted { ($0.link.made.at, $0.link.id) < ($1.link.made.at, $1.link.id) }
  }

  /// The lines of `/links`.
  static func links(_ lines: [LinkLine], of list: Category, _ situation: Situation) -> [Line] {
    guard !lines.isEmpty else {
      return [Line("no link shows \(list.tag) to anybody: /link makes one", .dim)]
    }
    return inOrder(lines).enumerated().flatMap { index, line in
      [
        Line("\(ListLines.pad("\(index + 1)", 3, right: true))  ", .dim, hang: 5)
          .and("\(line.code)"),
        Line("     ", hang: 5)
          .and("until \(situation.clock.moment(line.link.endsAt))", .dim),
      ] + calendar(line.code, situation, indent: 5)
    }
  }

  /// The lines of a link that was just made, with what it shows in the server's words.
  static func made(
    _ result: CommandResult, _ days: Int, _ list: Category, _ situation: Situation
  ) -> [Line] {
    guard let code = result.code else { return [] }
    return [
      Line("\(code)", .strong, hang: 2),
      Line("  whattodo --link CODE shows \(list.tag) for ", .dim, hang: 2)
        .and("\(days) days; /unlink ends it", .dim),
    ] + calendar(code, situation, indent: 2) + [
      Line("  \(result.shows ?? "")", .dim, hang: 2)
    ]
  }

  /// Returns the address to which a calendar program subscribes.
  private static func calendar(
    _ code: String, _ situation: Situation, indent: Int
  ) -> [Line] {
    guard let server = situation.server else { return [] }
    let blanks = String(repeating: " ", count: indent)
    return [
      Line("\(blanks)in a calendar program:", .dim),
      Line("\(blanks)\(server.calendar(link: code))", hang: indent),
    ]
  }
}
