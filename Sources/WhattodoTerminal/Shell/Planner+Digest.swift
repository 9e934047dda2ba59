import Domain
import Wire

extension Planner {
  func digest(_ wish: DigestWish) throws(Problem) -> PlannedRequest {
    guard let today = situation.clock.today?.day else { throw Problem("there is no such day") }
    let day = wish.day(from: today)
    guard Due.days.contains(day) else { throw Problem("there is no such day") }
    return PlannedRequest(
      request: .query(.digest(DigestQuery(day: day, zone: situation.clock.zone))), report: .digest)
  }
}
