import Calendar
import Domain
import Wire

// Plans to hand over: a list, by a report, or the work of one person to another.

extension Planner {
  /// Asks for the report of a list. Without a time it tells of the last 24 hours.
  func handOver(
    _ reference: Reference?, since wish: SinceWish?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let since = try past(wish ?? .minutes(1_440))
    let query = HistoryEventsQuery(
      stream: .category(list.id), from: since, limit: Planner.eventsMax)
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .handOver(list, since: since))
  }

  private func past(_ wish: SinceWish) throws(Problem) -> Timestamp {
    let (clock, almanac) = (situation.clock, Almanac.system)
    guard let today = clock.today?.day else { throw Problem("there is no such time") }
    let moment: Timestamp?
    switch wish {
    case .minutes(let minutes):
      moment = Timestamp(milliseconds: clock.now.milliseconds - Int64(minutes) * 60_000)
    case .time(let minute):
      let ofToday = almanac.moment(today, minute, clock.zone)
      moment =
        ofToday.map { clock.now < $0 } == true
        ? almanac.moment(today.adding(days: -1), minute, clock.zone) : ofToday
    case .day(let wish): moment = almanac.startOfDay(wish.day(from: today), clock.zone)
    }
    guard let moment, moment.milliseconds >= 0 else { throw Problem("there is no such time") }
    guard moment <= clock.now else { throw Problem("that is still to come") }
    return moment
  }

  /// Plans that the open posts of one list, or of all, that are one person's work become another's. It is one command
  /// for as many posts as fit into a batch.
  func handOver(
    from giver: String, to taker: String, in reference: Reference?
  ) throws(Problem) -> [PlannedRequest] {
    let (giver, taker) = (try situation.person(giver), try situation.person(taker))
    guard giver.id != taker.id else { throw Problem("@\(giver.username) has it already") }
    let list = try reference.map { (it) throws(Problem) in try situation.list(it) }
    var posts: [[PlannedChange]] = []
    for it in list.map({ [$0] }) ?? situation.catalog.lists {
      posts += try handOver(from: giver, to: taker, in: it)
    }
    guard !posts.isEmpty else {
      let place = list.map { "in \($0.tag)" } ?? "in your lists"
      throw Problem("no open post is @\(giver.username)'s work \(place)")
    }
    let together = Limits.batchCommandsMax / 2
    var requests: [PlannedRequest] = []
    for start in stride(from: 0, to: posts.count, by: together) {
      requests.append(
        try self.together(posts[start..<min(start + together, posts.count)].flatMap { $0 }))
    }
    return requests
  }

  private func handOver(
    from giver: Member, to taker: Member, in list: Category
  ) throws(Problem) -> [[PlannedChange]] {
    guard let state = situation.streams[.category(list.id)] else { return [] }
    let work = state.openPosts.filter { state.assignees(of: $0).contains { $0.id == giver.id } }
    guard !work.isEmpty else { return [] }
    guard state.member(taker.id)?.role != nil else {
      throw Problem("@\(taker.username) is not in \(list.tag): nothing is handed over")
    }
    return work.map { [assigning($0, to: taker, list), unassigning($0, from: giver, list)] }
  }
}
