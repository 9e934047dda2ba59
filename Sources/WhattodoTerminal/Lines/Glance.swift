// How much there is, in numbers only: others may see a status bar, so it has no names and no titles.

import Domain
import Screen
import Sync
import Wire

/// The numbers of all lists together that are not archived. Muted lists and groups have nothing new.
struct Glance: Equatable {
  let open: Int
  let overdue: Int
  /// The number of open posts that are the person's work.
  let mine: Int
  /// The number of unread notifications. The server counts up to a hundred of a list or group; `more` says that there
  /// are more.
  let new: Int
  let more: Bool

  init(_ result: NotificationsResult, _ situation: Situation) {
    let lists = situation.catalog.lists.filter { $0.archived == nil }
    open = lists.reduce(0) { $0 + $1.counters.open }
    overdue = lists.reduce(0) { $0 + $1.counters.overdue }
    mine = lists.reduce(0) { $0 + situation.workCount(in: $1.id) }
    let told = result.lists.filter { situation.level(of: $0.stream) > .none }
    new = told.reduce(0) { $0 + $1.unread.count }
    more = result.more || told.contains { $0.unread.more }
  }

  /// Returns `12 open, 3 yours, 1 overdue, 5 new`.
  var line: Line {
    Line("\(open) open, \(mine) yours, \(overdue) overdue, \(new)\(more ? "+" : "") new")
  }
}

extension JSONWriter {
  /// Writes `"open", "mine", "overdue", "new", "more"`.
  mutating func glance(_ glance: Glance) {
    member("open", glance.open)
    member("mine", glance.mine)
    member("overdue", glance.overdue)
    member("new", glance.new)
    member("more", glance.more)
  }
}
