import Domain

@testable import Wire

extension Samples {
  static let badgeQueries: [Sample<Request>] = [
    Sample("category.list: mine", .query(.badges(BadgesQuery()))),
    Sample(
      "category.list: mine, going on",
      .query(.badges(BadgesQuery(after: .group(ID.group))))),
  ]
}
