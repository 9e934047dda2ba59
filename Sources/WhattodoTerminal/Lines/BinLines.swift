import Client
import Domain
import Screen

// What was removed, and what of it has gone for good.

extension EventLines {
  /// One line for all of an event, of which nobody has a title any more.
  func purged(_ happening: Happening, in stream: StreamID) -> [Line] {
    let count = happening.event.ops.count { op in
      if case .postPurged = op { true } else { false }
    }
    guard count > 0 else { return [] }
    let what: Phrase = count == 1 ? "a removed post is" : "\(count) removed posts are"
    return [Line("\(what) gone from the bin of \(situation.label(stream)) for good", .dim)]
  }
}

extension ListLines {
  /// Posts that are in no copy: the bin. Each with the day on which it goes, if it does.
  static func removed(
    _ posts: [Post], of list: Category, keptFor days: Int?, _ clock: Clock
  ) -> [Line] {
    guard !posts.isEmpty else { return [Line("the bin of \(list.tag) is empty", .dim)] }
    return [Line("removed from \(list.tag); /restore NUMBER brings one back", .dim)]
      + posts.map { post in
        var line = Line("\(pad("#\(post.number)", 6, right: true))  ", .dim, hang: 8)
          .and("\(post.shownTitle)")
        if let days, let since = post.binned {
          let end = Timestamp(milliseconds: since.milliseconds + Int64(days) * 86_400_000)
          line.add("  gone for good on \(clock.day(end))", .dim)
        }
        return line
      }
  }
}
