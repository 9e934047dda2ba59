import Domain
import Screen
import Sync
import Wire

// Lines about archived lists.
extension ListLines {
  /// The lines of `/archive`.
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

// The reason why something was refused.
extension UnsentLines {
  /// Returns the archived list that a command would have changed; nil when it would have changed none.
  static func archivedList(changedBy command: Command, _ situation: Situation) -> Category? {
    lists(changedBy: command).lazy.compactMap { situation.streams[.category($0)]?.category }
      .first { $0.archived != nil }
  }

  /// Returns how the list is opened again. Somebody who may not do it is told whom to ask.
  static func opening(_ list: Category, _ situation: Situation) -> String {
    let role = situation.role(in: .category(list.id))
    let mayOpen = role.map { Permission.allows($0, .category(.unarchive)) } ?? false
    return "/unarchive \(list.tag) opens it again" + (mayOpen ? "" : ": its admins may")
  }

  /// Returns the lists that must not be archived when the command is done.
  private static func lists(changedBy command: Command) -> [CategoryID] {
    switch command {
    case .post(.add(let address, _)): [address.category]
    case .post(.change(_, .erase, ifVersion: _)): []
    case .post(.change(_, .copy(_, let list, _), ifVersion: _)): [list]
    case .post(.change(let address, .moveTo(let list), ifVersion: _)): [address.category, list]
    case .post(.change(let address, _, ifVersion: _)): [address.category]
    case .category(.edit(let list, _)), .post(.claimNext(let list, _)), .changeTag(let list, _, _):
      [list]
    case .line(.say(let stream, _, _, _)), .line(.edit(let stream, _, _)),
      .line(.react(let stream, _, _)):
      stream.category.map { [$0] } ?? []
    case .batch(let commands): commands.flatMap(lists(changedBy:))
    default: []
    }
  }
}

extension EventLines {
  func archived(_ op: Op, _ who: Who, _ place: String) -> Line? {
    switch op {
    case .category(.archived): who.line("✘", .dim, "archived \(place): /show \(place) shows it")
    case .category(.unarchived): who.line("+", .accent, "opened \(place) again")
    default: nil
    }
  }
}

extension JSONOutput {
  static func archived(_ situation: Situation, _ writer: inout JSONWriter) {
    writer.array("lists", situation.catalog.archived) { list, writer in
      self.list(list, number: nil, situation, &writer)
    }
  }
}
