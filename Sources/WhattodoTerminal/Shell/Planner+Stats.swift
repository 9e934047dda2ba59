import Domain
import Wire

extension Planner {
  /// Asks for the statistics of a list or a group, by the person's own days up to today.
  func stats(
    of place: ListOrGroup, _ span: StatsSpan, _ report: (ListOrGroup) -> Report
  ) throws(Problem) -> PlannedRequest {
    guard let today = situation.clock.today?.day, Due.days.contains(today) else {
      throw Problem("there is no such day")
    }
    return PlannedRequest(
      request: .query(
        .stats(
          StatsQuery(
            place.stream, from: today.adding(days: 1 - span.days), to: today,
            zone: situation.clock.zone))),
      report: report(place))
  }
}
