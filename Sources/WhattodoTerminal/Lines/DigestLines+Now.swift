// Lines below a digest about how it is now: which posts are due today, which are late, and whose last run did not end
// well.

import Calendar
import Domain
import Screen

extension DigestLines {
  /// Returns the lines for a digest of this day; none for a day before yesterday, because the copies say how it is now.
  static func now(_ day: Day, _ situation: Situation) -> [Line] {
    guard let today = situation.clock.today?.day, today.number - day.number <= 1 else { return [] }
    var (due, late, failed): ([Phrase], [Phrase], [Phrase]) = ([], [], [])
    for list in situation.catalog.lists where list.archived == nil {
      for post in situation.streams[.category(list.id)]?.openPosts ?? [] {
        let name: Phrase = "#\(post.number) \(post.shownTitle) in \(list.tag)"
        if post.overdue != nil {
          late.append(name)
        } else if situation.day(of: post, in: list) == today {
          due.append(name)
        }
        if post.lastRun?.outcome.isFailure == true { failed.append(name) }
      }
    }
    return [("due today", due), ("overdue", late), ("did not end well", failed)]
      .compactMap { line($0, $1) }
  }

  private static func line(_ word: String, _ posts: [Phrase]) -> Line? {
    guard !posts.isEmpty else { return nil }
    let named = Array(posts.prefix(namedMax)).listed
    let more = posts.count > namedMax ? " and \(posts.count - namedMax) more" : ""
    return Line("\(word): ", .dim, hang: 4).and(named).and("\(more)", .dim)
  }

  private static let namedMax = 3
}

extension Situation {
  /// Returns the day on which a post is due by the person's own clock.
  fileprivate func day(of post: Post, in list: Category) -> Day? {
    guard let due = post.due,
      let deadline = due.deadline(categoryZone: list.zone, almanac: .system)
    else { return nil }
    return due.shownDay(deadline: deadline, zone: clock.zone, almanac: .system)
  }
}
