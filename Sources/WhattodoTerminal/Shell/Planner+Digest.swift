import Domain
import Wire

extension Planner {
  func digest(_ wish: DigestWish) throws(Problem) -> PlannedRequest {
    guard let today = situation.clock.today?.day else { throw Problem("there is no such day") }
    let day =
      switch wish {
      case .today: today
      case .yesterday: today.adding(days: -1)
      case .day(let day): day
      }
    guard Due.days.contains(day) else { throw Problem("there is no such day") }
    return PlannedRequest(
      request: .query(.digest(DigestQuery(day: day, zone: situation.clock.zone))), report: .digest)
  }
}
