// A category as a calendar program asks for it, by the code of a link (protocol §5.14).

package import Domain
import Wire

/// The answer to a calendar program.
package enum CalendarAnswer: Sendable {
  /// The code belongs to no link that shows something.
  case nothing
  case limited(afterMilliseconds: Int)
  /// The program already has the newest calendar.
  case unchanged(mark: String)
  /// The text of the calendar.
  case made([UInt8], mark: String)
}

extension Reader {
  /// Returns the calendar of a link's code. Begins and ends its own read transaction. `known` is the mark of an earlier
  /// answer, which names the event of the category and the day. `text` makes a calendar's text, which is kept for all
  /// who ask for the same.
  package func calendar(
    of code: String, known: String?, at now: SessionMoment, text: (CalendarFeed) -> [UInt8]
  ) throws(StoreError) -> CalendarAnswer {
    try store.read { () throws(StoreError) in
      guard let (guest, told) = try guest(of: code, at: now.wall),
        let head = try store.head(of: .category(told.category)),
        case .category(let category)? = try headObject(of: told.category)
      else { return .nothing }
      if let wait = calendars.tryNow(guest, at: now.milliseconds) {
        return .limited(afterMilliseconds: Int(wait))
      }
      let place = CalendarPlace(
        category: category.id, epoch: head.epoch, seq: head.seq,
        today: tools.almanac.day(now.wall, category.zone), standsUntil: 0)
      let kept = shelf.calendar(for: place, erasedSeq: head.erasedSeq, at: now.milliseconds)
      let mark = (kept?.place ?? place).mark
      guard mark != known else { return .unchanged(mark: mark) }
      if let kept { return .made(kept.text, mark: mark) }
      return .made(try make(place, of: category, at: now, text), mark: mark)
    }
  }

  private func make(
    _ place: CalendarPlace, of category: Category, at now: SessionMoment,
    _ text: (CalendarFeed) -> [UInt8]
  ) throws(StoreError) -> [UInt8] {
    let (posts, looked) = try duePosts(of: category)
    let made = text(
      CalendarFeed(
        category, posts, tags: try tagNames(of: category.id), now: now.wall,
        almanac: tools.almanac))
    let rest = Int64(looked / 100 * ReadingLimits.calendarRestMillisecondsPerHundred)
    shelf.keep(
      made,
      of: CalendarPlace(
        category: category.id, epoch: place.epoch, seq: place.seq, today: place.today,
        standsUntil: now.milliseconds + rest))
    return made
  }

  private func headObject(of id: CategoryID) throws(StoreError) -> Object? {
    guard let body = try store.object(StreamID.category(id).headKey, in: .category(id)) else {
      return nil
    }
    return try object(body)
  }

  /// Returns the posts with a due, the earliest first, and the number of posts that were read (`looked`). An archived
  /// category has none, because its deadlines mean nothing. The posts themselves are read, because the rows that views
  /// use may be a moment behind after a restore, and a mark promises that all is there. A list that is too long to be
  /// read whole has its newest posts.
  private func duePosts(
    of category: Category
  ) throws(StoreError) -> (posts: [Post], looked: Int) {
    guard category.isActive else { return ([], 0) }
    var looked = 0
    var dues: [(deadline: Timestamp, post: Post)] = []
    var looks = ReadingLimits.calendarLooks
    var before: Int?
    while !looks.isSpent {
      let bodies = try store.posts(
        in: category.id, on: .open, before: before, limit: ReadingLimits.workPage)
      looked += bodies.count
      for body in bodies {
        looks.spend(bytes: body.count)
        guard case .post(let post) = try object(body) else { continue }
        before = post.number
        let deadline = post.due?.deadline(categoryZone: category.zone, almanac: tools.almanac)
        if let deadline { dues.append((deadline, post)) }
      }
      guard bodies.count == ReadingLimits.workPage else { break }
    }
    let sorted = dues.sorted { ($0.deadline, $0.post.number) < ($1.deadline, $1.post.number) }
    return (sorted.map(\.post), looked)
  }

  private func tagNames(of id: CategoryID) throws(StoreError) -> [TagID: String] {
    var names: [TagID: String] = [:]
    for body in try store.objects(.tag, in: .category(id)) {
      if case .tag(let tag) = try object(body) { names[tag.id] = tag.name }
    }
    return names
  }
}
