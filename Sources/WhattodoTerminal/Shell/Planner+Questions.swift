import Client
import Domain
import Sync
import Wire

// Plans for questions to the server. What a question finds is told, and changes nothing.

extension Planner {
  func request(_ action: AskAction) throws(Problem) -> PlannedRequest {
    switch action {
    case .notifications(let place): try news(of: place)
    case .glance:
      PlannedRequest(request: .query(.notifications(limit: 1)), report: .glance)
    case .bin(let list): try bin(list)
    case .removedPlaces: removedPlaces
    case .who(let place, let span): try who(place, span)
    case .history(let list, let number): try history(of: number, in: list)
    case .runs(let list, let number): try runs(of: number, in: list)
    case .olderTalk(let place, let number, let before):
      try olderTalk(of: place, about: number, before: before)
    case .handOver(let list, let since): try handOver(list, since: since)
    case .why(let list, let number): try why(number, in: list)
    case .whyPerson(let place, let person): try why(of: person, in: place)
    case .find(let text, let list): try find(text, in: list)
    case .twins(let list, let title): try twins(of: title, in: list)
    case .digest(let wish): try digest(wish)
    case .stats(let place, let span, let view): try stats(of: place, span, view)
    case .ownStats(let span, let view): try ownStats(span, view)
    case .view(let wish): try request(wish)
    case .privacy: PlannedRequest(request: .about, report: .privacy)
    }
  }

  private func bin(_ reference: Reference?) throws(Problem) -> PlannedRequest {
    guard reference != nil || situation.openList != nil else { return removedPlaces }
    return PlannedRequest(request: .about, report: .binOf(try situation.list(reference)))
  }

  private var removedPlaces: PlannedRequest {
    PlannedRequest(request: .query(.removedCategories), report: .removedLists)
  }

  private func who(_ reference: Reference?, _ span: StatsSpan) throws(Problem) -> PlannedRequest {
    let place = try situation.place(reference)
    return PlannedRequest(request: .query(.members(place.stream)), report: .members(place, span))
  }

  private func history(of number: Int?, in reference: Reference?) throws(Problem) -> PlannedRequest
  {
    let place = try situation.place(reference)
    var query = HistoryEventsQuery(stream: place.stream, limit: Planner.eventsMax)
    if let number, case .list(let list) = place {
      query.post = try situation.post(number, in: list).id
    }
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .history(place, query.post))
  }

  private func runs(of number: Int, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let query = HistoryEventsQuery(
      stream: .category(list.id), post: try situation.post(number, in: list).id,
      kinds: [.run(.ended)], limit: Planner.runsMax)
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .history(.list(list), query.post))
  }

  private func why(_ number: Int, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    let query = HistoryEventsQuery(
      stream: .category(list.id), post: post.id, limit: Planner.eventsMax)
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .why(list, post.id))
  }

  private func why(of username: String, in reference: Reference?) throws(Problem) -> PlannedRequest
  {
    let place = try situation.place(reference)
    let person = try situation.person(username)
    guard person.id != situation.me else {
      throw Problem("nobody is told of what they do themselves")
    }
    guard situation.streams[place.stream]?.member(person.id) != nil else {
      throw Problem("@\(person.username) has never been in \(place.label)")
    }
    let query = HistoryEventsQuery(
      stream: place.stream, person: person.id, limit: Planner.eventsMax)
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .whyPerson(place, person))
  }

  /// The number of events of a past that are shown.
  static let eventsMax = 40
  /// The number of runs of a post that are shown.
  private static let runsMax = 20

  private func find(_ text: String, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let list = try reference.map { (list) throws(Problem) in try situation.list(list) }
    guard let query = SearchQuery(text, in: list.map { [$0.id] }) else {
      throw Problem("there is no word in that")
    }
    return PlannedRequest(request: .query(.search(query)), report: .found)
  }
}

// MARK: Logs

extension Planner {
  /// Asks whether a post that is not in the list has moved to another one.
  func whereabouts(of number: Int, in list: Category) -> PlannedRequest {
    let query = HistoryEventsQuery(
      stream: .category(list.id), kinds: [.post(.movedOut)], limit: Limits.listPageMax)
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .whereabouts(of: number, list))
  }

  /// Asks for the person's own last events, because no copy has them.
  func ownDoings(
    in reference: Reference?, _ report: (Category) -> Report
  ) throws(Problem) -> PlannedRequest {
    let list =
      if let reference { try situation.catalog.anyList(reference) } else {
        try situation.list(nil)
      }
    return doings(in: list, report)
  }

  func doings(in list: Category, _ report: (Category) -> Report) -> PlannedRequest {
    let query = HistoryEventsQuery(
      stream: .category(list.id), person: situation.me, limit: Limits.listPageMax)
    return PlannedRequest(request: .query(.history(.events(query))), report: report(list))
  }
}
