import Domain
import Wire

// Plans for views. The person's own day decides which posts are due today, and the server finds them.

extension Planner {
  func request(_ wish: ViewWish) throws(Problem) -> PlannedRequest {
    let zone = situation.clock.zone
    switch wish {
    case .today:
      return view(
        ViewQuery(
          PostWhere(due: DueWindow(until: .day(try today().day))), sort: .due, zone: zone))
    case .soon:
      let now = situation.clock.now.milliseconds
      let end = now + Int64(situation.settings.soonHours) * 3_600_000
      let window = DueWindow(
        from: .moment(Timestamp(milliseconds: now + 1)),
        until: .moment(Timestamp(milliseconds: end)))
      return view(ViewQuery(PostWhere(due: window), sort: .due, zone: zone))
    case .day(let wish):
      let day = try day(wish)
      let due = ViewQuery(
        PostWhere(due: DueWindow(from: .day(day), until: .day(day))), sort: .due, zone: zone)
      return PlannedRequest(request: .query(.view(due)), report: .viewedDay(day))
    case .month(let named):
      let today = try today()
      let month = named ?? Month(of: today.day)
      return PlannedRequest(
        request: .query(.agenda(AgendaQuery(from: month.first, to: month.last, zone: zone))),
        report: .month(month))
    case .mine: return view(ViewQuery(PostWhere(by: .me)))
    case .assigned(let person):
      return view(ViewQuery(PostWhere(assignee: try self.person(person)), sort: .due))
    case .tagged(let reference, let word):
      let list = try situation.list(reference)
      guard list.archived == nil else {
        throw Problem("\(list.tag) is archived: /unarchive \(list.tag) opens it again")
      }
      guard let tag = situation.tag(word, of: list) else {
        throw Problem("there is no tag +\(word) in \(list.tag)")
      }
      return view(ViewQuery(PostWhere(tag: tag.id), in: [list.id], sort: .due))
    }
  }

  /// Returns the person with this username, who shares a list with oneself; oneself for nil.
  private func person(_ username: String?) throws(Problem) -> WantedPerson {
    guard let username else { return .me }
    let member = try situation.person(username)
    return member.id == situation.me ? .me : .user(member.id)
  }

  private func view(_ query: ViewQuery) -> PlannedRequest {
    PlannedRequest(request: .query(.view(query)), report: .viewed)
  }

  private func today() throws(Problem) -> (day: Day, minute: Int) {
    guard let today = situation.clock.today else { throw Problem("there is no such day") }
    return today
  }

  private func day(_ wish: DueWish?) throws(Problem) -> Day {
    let today = try today()
    guard let wish else { return today.day }
    let due = wish.due(
      today: today.day, now: today.minute, zone: situation.clock.zone,
      languages: situation.languages)
    guard case .day(let day)? = due else { throw Problem("there is no such day") }
    return day
  }
}
