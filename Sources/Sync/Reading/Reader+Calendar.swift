// A category as a calendar program asks for it, by the code of a link (protocol §5.14).

package import Domain
import Wire

/// What there is to say to a calendar program.
package enum CalendarAnswer: Sendable {
  /// The code is that of no link that shows something.
  case nothing
  case limited(afterMilliseconds: Int)
  /// What is there is what the program has already.
  case unchanged(mark: String)
  case feed(CalendarFeed, mark: String)
}

extension Reader {
  /// Begins and ends its own read transaction. `known`: a mark of before. It says which event the category is at, and the
  /// day, because the next times of what comes again are told from today on.
  package func calendar(
    of code: String, known: String?, at now: SessionMoment
  ) throws(StoreError) -> CalendarAnswer {
    try store.read { () throws(StoreError) in
      guard let (guest, told) = try guest(of: code, at: now.wall),
        let head = try store.head(of: .category(told.category)),
        case .category(let category)? = try headObject(of: told.category)
      else { return .nothing }
      if let wait = calendars.tryNow(guest, at: now.milliseconds) {
        return .limited(afterMilliseconds: Int(wait))
      }
      let today = tools.almanac.day(now.wall, category.zone)
      let mark = "\(head.epoch).\(head.seq).\(today.map(\.description) ?? "")"
      guard mark != known else { return .unchanged(mark: mark) }
      let feed = CalendarFeed(
        category, try duePosts(of: category), tags: try tagNames(of: category.id),
        now: now.wall, almanac: tools.almanac)
      return .feed(feed, mark: mark)
    }
  }

  private func headObject(of id: CategoryID) throws(StoreError) -> Object? {
    guard let body = try store.object(StreamID.category(id).headKey, in: .category(id)) else {
      return nil
    }
    return try object(body)
  }

  /// The earliest first; none of an archived category, whose deadlines mean nothing. Read from the posts themselves: the
  /// rows that views use may be a moment behind after a restore, and a mark says that all is there. A list that is too
  /// long to be read whole has its newest posts.
  private func duePosts(of category: Category) throws(StoreError) -> [Post] {
    guard category.isActive else { return [] }
    var dues: [(deadline: Timestamp, post: Post)] = []
    var looks = ReadingLimits.calendarLooks
    var before: Int?
    while !looks.isSpent {
      let bodies = try store.posts(
        in: category.id, on: .open, before: before, limit: ReadingLimits.workPage)
      for body in bodies {
        looks.spend(bytes: body.count)
        guard case .post(let post) = try object(body) else { continue }
        before = post.number
        let deadline = post.due?.deadline(categoryZone: category.zone, almanac: tools.almanac)
        if let deadline { dues.append((deadline, post)) }
      }
      guard bodies.count == ReadingLimits.workPage else { break }
    }
    return dues.sorted { ($0.deadline, $0.post.number) < ($1.deadline, $1.post.number) }.map(\.post)
  }

  private func tagNames(of id: CategoryID) throws(StoreError) -> [TagID: String] {
    var names: [TagID: String] = [:]
    for body in try store.objects(.tag, in: .category(id)) {
      if case .tag(let tag) = try object(body) { names[tag.id] = tag.name }
    }
    return names
  }
}
