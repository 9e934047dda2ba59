internal import Net
internal import WebSocket

/// The paths beside the socket. GET answers HEAD too; whatever is not here is 404.
struct HealthRoutes: Sendable {
  private let page: MetricsPage

  init(_ mailboxes: Mailboxes) { page = MetricsPage(mailboxes) }

  /// For load balancers and whoever restarts what hangs.
  func forEverybody() -> RouteTable {
    var routes = RouteTable()
    routes.add(.get, "/healthz") { _ in .text(.ok, "ok") }
    routes.add(.get, "/readyz") { [counters = page.mailboxes.counters] _ in
      Readiness(counters, at: MachineClock.monotonic()).reply
    }
    return routes
  }

  /// The same and the figures.
  func forOperator() -> RouteTable {
    var routes = forEverybody()
    routes.add(.get, "/metrics") { [page] _ in page.reply() }
    return routes
  }
}
