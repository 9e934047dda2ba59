import Domain
import Screen
import Wire

// Lists that are put away.
extension ListLines {
  /// `/archive`
  static func archived(_ situation: Situation) -> [Line] {
    let lists = situation.catalog.archived
    guard !lists.isEmpty else {
      return [Line("no list is archived: /archive #LIST does it", .dim)]
    }
    return lists.map { list in
      var line = Line("  \(pad(list.tag, 24))", list.color?.style ?? .strong)
      line.add("\(pad("\(list.counters.open) open", 10))")
      if let stamp = list.archived { line.add("since \(situation.clock.day(stamp.at))", .dim) }
      return line
    }
  }
}

extension EventLines {
  func archived(_ op: Op, _ who: Who, _ place: String) -> Line? {
    switch op {
    case .categoryArchived: who.line("✘", .dim, "archived \(place): /show \(place) shows it")
    case .categoryUnarchived: who.line("+", .accent, "opened \(place) again")
    default: nil
    }
  }
}

extension JSONOutput {
  static func archived(_ situation: Situation, _ writer: inout JSONWriter) {
    writer.array("lists", situation.catalog.archived) { list, writer in
      writer.member("id", "\(list.id)")
      writer.member("name", list.name)
    }
  }
}
