internal import Net
internal import WebSocket

/// The paths beside the socket. GET answers HEAD too; any other path is 404.
struct HealthRoutes: Sendable {
  private let page: MetricsPage

  init(_ mailboxes: Mailboxes) { page = MetricsPage(mailboxes) }

  /// Returns the paths for load balancers, and for programs that restart what hangs.
  func forEverybody() -> RouteTable {
    var routes = RouteTable()
    routes.add(.get, "/healthz") { _ in .text(.ok, "ok") }
    routes.add(.get, "/readyz") { [counters = page.mailboxes.counters] _ in
      Readiness(counters, at: MachineClock.monotonic()).reply
    }
    return routes
  }

  /// Returns these paths and the one of the figures.
  func forOperator() -> RouteTable {
    var routes = forEverybody()
    routes.add(.get, "/metrics") { [page] _ in page.reply() }
    return routes
  }
}
