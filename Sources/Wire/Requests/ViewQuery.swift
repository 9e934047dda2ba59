package import Domain

/// The request `post.query` (protocol §8): posts of the asker's lists as they are now, without words.
package struct ViewQuery: Equatable, Sendable {
  package let criteria: PostWhere
  /// The lists, ascending, each once. Nil: all lists of the person who asks.
  package let categories: [CategoryID]?
  /// The order. Another one than `created` is only for open posts, and `position` only for one list.
  package let sort: ViewSort
  /// The zone of the days in `criteria`. Nil: that of the asker's profile.
  package let zone: String?
  /// The place behind which posts are wanted. Nil starts at the first.
  package let after: ViewPlace?
  /// The number of posts on a page: 1 … `Limits.viewPageMax`.
  package let limit: Int

  package init(
    _ criteria: PostWhere = PostWhere(), in categories: [CategoryID]? = nil,
    sort: ViewSort = .created, zone: String? = nil, after: ViewPlace? = nil,
    limit: Int = Limits.viewPageMax
  ) {
    self.criteria = criteria
    self.categories = categories.map { Set($0).sorted() }
    self.sort = sort
    self.zone = zone
    self.after = after
    self.limit = limit
  }
}

/// The place of a post in a view, which is the same on every page as long as the post stays as it is: by priority where
/// that is asked for, then by deadline or by the time of adding, then by the list and the number.
package struct ViewPlace: Hashable, Comparable, Sendable {
  /// The rank by priority: 0 for the highest, and 0 for all where priorities do not matter.
  package let rank: Int
  /// A deadline in milliseconds, or the value of `added`.
  package let when: Int64
  /// The position where that is asked for. Then only number and list matter besides.
  package let position: Position?
  package let category: CategoryID
  package let number: Int

  package init(position: Position, category: CategoryID, number: Int) {
    rank = 0
    when = 0
    self.position = position
    self.category = category
    self.number = number
  }

  package init(rank: Int = 0, when: Int64, category: CategoryID, number: Int) {
    self.rank = rank
    self.when = when
    position = nil
    self.category = category
    self.number = number
  }

  package init(
    _ post: Post, in category: CategoryID, by sort: ViewSort, deadline: Timestamp?
  ) {
    guard sort != .position else {
      self.init(position: post.place, category: category, number: post.number)
      return
    }
    let added = ViewPlace.added(post.createdAt.milliseconds)
    let level = post.priority?.level ?? 0
    self.init(
      rank: sort == .priority ? Priority.levelMax - level : 0,
      when: sort == .created ? added : deadline?.milliseconds ?? added, category: category,
      number: post.number)
  }

  /// Returns a value that puts the newest first, and all behind every deadline: these end before the year 9999, which
  /// is 2⁴⁸ ms after 1970.
  package static func added(_ milliseconds: Int64) -> Int64 { (1 << 52) - milliseconds }

  /// Answers whether the left one comes first.
  package static func < (left: ViewPlace, right: ViewPlace) -> Bool {
    if let upper = left.position, let lower = right.position {
      return (upper, left.number, left.category) < (lower, right.number, right.category)
    }
    if left.rank != right.rank { return left.rank < right.rank }
    if left.when != right.when { return left.when < right.when }
    if left.category != right.category { return left.category < right.category }
    return left.number > right.number
  }
}

extension ViewPlace {
  /// The text that a client gets and gives back. It has no meaning for a client.
  package var text: String {
    let place = position.map { "p.\($0.text)" } ?? "\(rank).\(when)"
    return "\(place).\(number).\(category)"
  }

  /// Reads a place. Nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let number = Int(parts[2]), let category = UUID(parts[3]) else {
      return nil
    }
    if parts[0] == "p" {
      guard let position = Position(String(parts[1])) else { return nil }
      self.init(position: position, category: CategoryID(category), number: number)
    } else {
      guard let rank = Int(parts[0]), let when = Int64(parts[1]) else { return nil }
      self.init(rank: rank, when: when, category: CategoryID(category), number: number)
    }
    guard self.text == text else { return nil }
  }
}

// MARK: - Parameters

extension ViewQuery {
  init(_ params: Params) throws(Refusal) {
    let criteria = try params.read(.where, or: PostWhere())
    let categories = try params.optional(.categories)
    self.init(
      criteria, in: categories, sort: try params.sort(of: criteria, in: categories),
      zone: try params.optional(.dayZone), after: try params.optional(.viewPlace),
      limit: try params.limit(Limits.viewPageMax))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.where, criteria == PostWhere() ? nil : criteria)
    fields.add(.categories, categories)
    fields.add(.sort, sort == .created ? nil : sort)
    fields.add(.dayZone, zone)
    fields.add(.viewPlace, after)
    fields.add(.limit(Limits.viewPageMax), limit)
  }
}

extension ViewPlace: PagePlace {
  static let bytesMax = 128
  static let mustBe = "must be what an answer gave"
  static let example = "0.7.7.\(Schema.exampleID)"
}

extension Parameter where S == PlaceShape<ViewPlace> {
  fileprivate static var viewPlace: Self { Self("after", S(), "the `after` of an earlier page") }
}

extension Parameter where S == WordShape<ViewSort> {
  static var sort: Self { Self("sort", S(), "the order of the posts (`post.query`)") }
}

extension Params {
  /// Reads the order of posts. Some orders are only for open posts, or for one category.
  func sort(
    of criteria: PostWhere, in categories: [CategoryID]?
  ) throws(Refusal) -> ViewSort {
    let sort = try read(.sort, or: .created)
    guard sort == .created || criteria.state == .open else {
      throw invalid("sort", "must be created where posts are not open")
    }
    guard sort != .position || categories?.count == 1 else {
      throw invalid("sort", "by position needs one list in streams")
    }
    return sort
  }
}
