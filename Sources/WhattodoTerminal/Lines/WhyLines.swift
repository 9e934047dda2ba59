// Lines that say why one is told of a post, and what others did to it: the events behind a folded line of news.

import Domain
import Screen
import Sync
import Wire

enum WhyLines {
  static func lines(
    _ page: HistoryPage, of id: PostID, in list: Category, _ situation: Situation
  ) throws(WireError) -> [Line] {
    guard let post = situation.streams[.category(list.id)]?.post(id) else { return [] }
    let reasons = situation.reasons(toTellOf: post, in: list).joined(separator: ", ")
    let head = Line("#\(post.number) \(post.shownTitle)", .strong, hang: 2).and(": \(reasons)")
    let events = try HistoryLines.events(page, of: .list(list), about: id, situation) {
      $0.by != situation.me
    }
    return [head]
      + (events.isEmpty ? [Line("  nobody else has done anything to it", .dim)] : events)
  }
}

extension Situation {
  /// Returns why the person is told of a post, or why not.
  fileprivate func reasons(toTellOf post: Post, in list: Category) -> [String] {
    let stream = StreamID.category(list.id)
    let isMine = streams[stream]?.assignees(of: post).contains { $0.id == me } == true
    let own = personal(post.id, in: list.id)
    var reasons: [String] = []
    if isMine { reasons.append("it is your work") }
    if own?.watch == true { reasons.append("you watch it") }
    if post.addedBy == me { reasons.append("you added it") }
    if let until = own?.snooze, clock.now < until {
      reasons.append("you are told nothing of it until \(clock.moment(until))")
    }
    switch level(of: stream) {
    case .all: reasons.append("you are told all of \(list.tag)")
    case .directed: reasons.append("of \(list.tag) you are told only what is meant for you")
    case .none: reasons.append("\(list.tag) is muted")
    }
    return reasons
  }
}
