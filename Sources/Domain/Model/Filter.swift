// A filter is a view that somebody gave a name (protocol §8, `filter.save`). It is kept in their own `u:`, where nobody
// else sees it. The server never runs a filter by itself: a client that wants to show one sends its criteria in
// `post.query`.

/// The id of a filter. It is unique within its person's `u:` only.
package struct FilterID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: FilterID, right: FilterID) -> Bool { left.uuid < right.uuid }
}

/// A view with a name.
package struct Filter: Equatable, Sendable {
  package let id: FilterID
  /// The name. It differs from the names of the person's other filters, also in lower case.
  package let name: String
  package let criteria: PostWhere
  /// The span of dues, counted from the day on which somebody looks. When it is set, `criteria` has no due.
  package let days: DayWindow?
  /// The lists, ascending, each once. Nil: all lists. Whether they exist is checked when somebody looks.
  package let categories: [CategoryID]?
  package let sort: ViewSort

  package init(
    id: FilterID, name: String, _ criteria: PostWhere = PostWhere(), days: DayWindow? = nil,
    in categories: [CategoryID]? = nil, sort: ViewSort = .created
  ) {
    self.id = id
    self.name = name
    self.criteria = criteria
    self.days = days
    self.categories = categories.map { Set($0).sorted() }
    self.sort = sort
  }

  /// Answers whether people would take one filter for the other.
  func isTwin(of other: Filter) -> Bool {
    id != other.id && name.lowercased() == other.name.lowercased()
  }

  /// Returns the criteria of the filter on a day.
  package func criteria(on today: Day) -> PostWhere {
    guard let days else { return criteria }
    var criteria = criteria
    criteria.due = DueWindow(
      from: days.from.map { .day(today.adding(days: $0)) },
      until: days.until.map { .day(today.adding(days: $0)) })
    return criteria
  }
}

/// A span of days around another day, which is 0. At least one end is set, and both count as in it.
package struct DayWindow: Equatable, Sendable {
  package let from: Int?
  package let until: Int?

  package init(from: Int? = nil, until: Int? = nil) {
    self.from = from
    self.until = until
  }
}
