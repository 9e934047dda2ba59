import Wire

/// A request, and how its answer is told.
struct PlannedRequest {
  let request: Request
  let report: Report
  /// The notices that are shown with it.
  var notices: [Notice] = []
}
