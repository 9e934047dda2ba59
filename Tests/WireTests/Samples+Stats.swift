import Domain

@testable import Wire

extension Samples {
  static let statsQueries: [Sample<Request>] = [
    Sample(
      "stats.get",
      .query(
        .stats(
          StatsQuery(
            ID.list, from: Day("2026-11-16")!, to: Day("2026-11-22")!, zone: "Europe/Lisbon")))),
    Sample(
      "stats.get: of a group, by one's own zone",
      .query(
        .stats(StatsQuery(ID.groupStream, from: Day("2026-11-22")!, to: Day("2026-11-22")!)))),
    Sample(
      "stats.get: of oneself",
      .query(
        .stats(
          StatsQuery(
            .user(ID.author), from: Day("2016-11-18")!, to: Day("2026-11-22")!, zone: "UTC")))),
  ]
}
