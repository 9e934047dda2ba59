import Domain
import Wire

extension Planner {
  /// Asks for the statistics of a list or a group.
  func stats(
    of reference: Reference?, _ span: StatsSpan, _ view: StatsView
  ) throws(Problem) -> PlannedRequest {
    let place = try situation.place(reference)
    return try stats(of: place.stream, span, .stats(place, span, view))
  }

  /// Asks for one's own statistics over all lists.
  func ownStats(_ span: StatsSpan, _ view: StatsView) throws(Problem) -> PlannedRequest {
    guard let me = situation.me else { throw Problem("nobody is signed in") }
    return try stats(of: .user(me), span, .stats(nil, span, view))
  }

  /// Asks for the statistics of a stream, by the person's own days up to today.
  func stats(
    of stream: StreamID, _ span: StatsSpan, _ report: Report
  ) throws(Problem) -> PlannedRequest {
    guard let today = situation.clock.today?.day, Due.days.contains(today) else {
      throw Problem("there is no such day")
    }
    return PlannedRequest(
      request: .query(
        .stats(
          StatsQuery(
            stream, from: today.adding(days: 1 - span.days), to: today,
            zone: situation.clock.zone))),
      report: report)
  }
}
