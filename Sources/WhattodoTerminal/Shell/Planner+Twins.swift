import Domain
import Wire

extension Planner {
  func twins(of title: String, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    return PlannedRequest(
      request: .query(.twins(TwinsQuery(category: list.id, title: title))), report: .twins(list))
  }
}
