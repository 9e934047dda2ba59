// A filter is a view that somebody gave a name (protocol §8, `filter.save`): kept in their own `u:`, where nobody
// else sees it. Nothing looks through posts for it by itself: whoever wants to see it asks `post.query` for what it
// says.

/// A filter. Unique within its person's `u:` only.
package struct FilterID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: FilterID, right: FilterID) -> Bool { left.uuid < right.uuid }
}

/// A view with a name.
package struct Filter: Equatable, Sendable {
  package let id: FilterID
  /// Unlike those of the person's other filters, also in lower case.
  package let name: String
  package let criteria: PostWhere
  /// When posts are due, counted from the day on which somebody looks; then `criteria` says nothing of it.
  package let days: DayWindow?
  /// Ascending, each once; nil: all lists. Whether they are there is asked when somebody looks.
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

  /// Whether people would take one for the other.
  func isTwin(of other: Filter) -> Bool {
    id != other.id && name.lowercased() == other.name.lowercased()
  }

  /// What it shows on a day.
  package func criteria(on today: Day) -> PostWhere {
    guard let days else { return criteria }
    var criteria = criteria
    criteria.due = DueWindow(
      from: days.from.map { .day(today.adding(days: $0)) },
      until: days.until.map { .day(today.adding(days: $0)) })
    return criteria
  }
}

/// Days before and after another one, which is 0; at least one of the two ends, both included.
package struct DayWindow: Equatable, Sendable {
  package let from: Int?
  package let until: Int?

  package init(from: Int? = nil, until: Int? = nil) {
    self.from = from
    self.until = until
  }
}
