// Lines for somebody who goes on with a list: the number of open posts, those that are late or claimed, and what has
// happened since a moment.

import Domain
import Screen
import Sync
import Wire

enum HandOverLines {
  static func lines(
    _ page: HistoryPage, of list: Category, since: Timestamp, _ situation: Situation
  ) throws(WireError) -> [Line] {
    guard let state = situation.streams[.category(list.id)] else { return [] }
    let late = state.openPosts.filter { $0.overdue != nil }
    let claimed = state.openPosts.filter { situation.holder(of: $0, in: state.stream) != nil }
    let failed = state.openPosts.filter { $0.lastRun?.outcome.isFailure == true }
    let rest = state.openPosts.count - Set((late + claimed + failed).map(\.id)).count
    return [head(list, late: late.count, claimed: claimed.count, failed: failed.count)]
      + part("overdue:", late, of: list, in: state, situation)
      + part("somebody is on it:", claimed, of: list, in: state, situation)
      + part("did not end well:", failed, of: list, in: state, situation)
      + (rest > 0 ? [Line("and \(rest) more open: /show", .dim)] : [])
      + (try news(page, of: list, since: since, situation))
  }

  private static func head(_ list: Category, late: Int, claimed: Int, failed: Int) -> Line {
    let counts = [("overdue", late), ("claimed", claimed), ("failed", failed)]
      .filter { $0.1 > 0 }.map { ", \($0.1) \($0.0)" }
    return Line("\(list.tag)", .strong).and("  \(list.counters.open) open\(counts.joined())")
  }

  private static func part(
    _ title: Phrase, _ posts: [Post], of list: Category, in state: StreamState,
    _ situation: Situation
  ) -> [Line] {
    guard !posts.isEmpty else { return [] }
    return [Line(title, .dim)]
      + posts.prefix(rowsMax).flatMap { ListLines.row($0, of: list, in: state, situation) }
      + (posts.count > rowsMax ? [Line("  … \(posts.count - rowsMax) more", .dim)] : [])
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
