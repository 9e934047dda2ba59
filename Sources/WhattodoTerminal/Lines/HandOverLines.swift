// Lines for somebody who goes on with a list: the number of open posts, those that are late or claimed, and what has
// happened since a moment.

import Domain
import Screen
import Sync
import Wire

/// The open posts of a list that somebody has to know of. One post may be in several groups.
struct HandOver {
  let list: Category
  let state: StreamState
  let late: [Post]
  let claimed: [Post]
  /// Posts whose last run failed or is lost.
  let failed: [Post]

  /// Nil when there is no copy of the list.
  init?(_ list: Category, _ situation: Situation) {
    guard let state = situation.streams[.category(list.id)] else { return nil }
    self.list = list
    self.state = state
    late = state.openPosts.filter { $0.overdue != nil }
    claimed = state.openPosts.filter { situation.holder(of: $0, in: state.stream) != nil }
    failed = state.openPosts.filter { $0.lastRun?.outcome.isFailure == true }
  }

  /// The number of the other open posts.
  var rest: Int { state.openPosts.count - Set((late + claimed + failed).map(\.id)).count }

  /// The groups by the words of the report and of JSON.
  var groups: [(words: String, name: String, posts: [Post])] {
    [
      ("overdue", "overdue", late), ("claimed", "claimed", claimed),
      ("did not end well", "failed", failed),
    ]
  }
}

enum HandOverLines {
  static func lines(
    _ page: HistoryPage, of list: Category, since: Timestamp, _ situation: Situation
  ) throws(WireError) -> [Line] {
    guard let report = HandOver(list, situation) else { return [] }
    let shown = report.groups.filter { !$0.posts.isEmpty }
    let counts = shown.map { ", \($0.posts.count) \($0.words)" }.joined()
    let head = Line("\(list.tag)", .strong)
      .and("  \(report.state.openPosts.count) open\(counts)")
    let rest = Line("and \(report.rest) more open: /show \(list.tag)", .dim)
    return [head] + shown.flatMap { part("\($0.words):", $0.posts, of: report, situation) }
      + (report.rest > 0 ? [rest] : []) + (try news(page, of: list, since: since, situation))
  }

  private static func part(
    _ title: Phrase, _ posts: [Post], of report: HandOver, _ situation: Situation
  ) -> [Line] {
    let rows = posts.prefix(rowsMax).flatMap {
      ListLines.row($0, of: report.list, in: report.state, situation)
    }
    let more = posts.count - rowsMax
    return [Line(title, .dim)] + rows + (more > 0 ? [Line("  … \(more) more", .dim)] : [])
  }

  private static func news(
    _ page: HistoryPage, of list: Category, since: Timestamp, _ situation: Situation
  ) throws(WireError) -> [Line] {
    let moment = situation.clock.moment(since)
    let events = try HistoryLines.events(page, of: .list(list), situation) { _ in true }
    guard !events.isEmpty else { return [Line("nothing new since \(moment)", .dim)] }
    return [Line("since \(moment):", .dim)] + events
  }

  private static let rowsMax = 10
}

extension JSONWriter {
  /// Writes `"since", "overdue", "claimed", "failed"`: a time in milliseconds, and numbers of posts.
  mutating func handOver(of list: Category, since: Timestamp, _ situation: Situation) {
    member("since", Int(since.milliseconds))
    for group in HandOver(list, situation)?.groups ?? [] {
      key(group.name)
      beginArray()
      for post in group.posts { int(Int64(post.number)) }
      endArray()
    }
  }
}
