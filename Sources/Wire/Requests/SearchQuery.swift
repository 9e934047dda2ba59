package import Domain
package import Text

/// The request `search` (protocol §8): posts with words, newest first.
package struct SearchQuery: Equatable, Sendable {
  /// The text as somebody wrote it.
  package let text: String
  package let words: WantedWords
  /// The lists, ascending, each once. Nil: all lists of the person who asks.
  package let categories: [CategoryID]?
  package let place: SearchPlace
  /// The place behind which posts are wanted. Nil starts at the newest.
  package let after: FoundPlace?
  /// The number of posts on a page: 1 … `Limits.searchPageMax`.
  package let limit: Int

  /// Makes a query. Nil when the text has no word.
  package init?(
    _ text: String, in categories: [CategoryID]? = nil, place: SearchPlace = .lists,
    after: FoundPlace? = nil, limit: Int = Limits.searchPageMax
  ) {
    guard let words = WantedWords(text) else { return nil }
    self.text = text
    self.words = words
    self.categories = categories.map { Set($0).sorted() }
    self.place = place
    self.after = after
    self.limit = limit
  }
}

/// The place where posts are looked for.
package enum SearchPlace: String, CaseIterable, Sendable {
  /// Open and completed posts.
  case lists
  /// Removed posts.
  case bin
}

/// The place of a post among all that are found, which is the same on every page. Posts come in the order of their
/// `createdAt`, the newest first. Those of one moment come by category, the lower first, and in a category by number,
/// the higher first.
package struct FoundPlace: Hashable, Comparable, Sendable {
  package let createdAt: Timestamp
  package let category: CategoryID
  package let number: Int

  package init(createdAt: Timestamp, category: CategoryID, number: Int) {
    self.createdAt = createdAt
    self.category = category
    self.number = number
  }

  /// Answers whether the left one comes first.
  package static func < (left: FoundPlace, right: FoundPlace) -> Bool {
    if left.createdAt != right.createdAt { return left.createdAt > right.createdAt }
    if left.category != right.category { return left.category < right.category }
    return left.number > right.number
  }
}

extension FoundPlace {
  /// The text that a client gets and gives back. It has no meaning for a client.
  package var text: String { "\(createdAt.milliseconds).\(number).\(category)" }

  /// Reads a place. Nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let milliseconds = Int64(parts[0]), let number = Int(parts[1]),
      let category = UUID(parts[2])
    else { return nil }
    self.init(
      createdAt: Timestamp(milliseconds: milliseconds), category: CategoryID(category),
      number: number)
    guard self.text == text else { return nil }
  }
}

// MARK: - Parameters

extension SearchQuery {
  init(_ params: Params) throws(Refusal) {
    let query = SearchQuery(
      try params.read(.words), in: try params.optional(.categories),
      place: try params.read(.searchPlace, or: .lists), after: try params.optional(.foundPlace),
      limit: try params.limit(Limits.searchPageMax))
    guard let query else { throw params.invalid("text", "has no word") }
    self = query
  }

  func add(to fields: inout SortedFields) {
    fields.add(.words, text)
    fields.add(.categories, categories)
    fields.add(.searchPlace, place == .lists ? nil : place)
    fields.add(.foundPlace, after)
    fields.add(.limit(Limits.searchPageMax), limit)
  }
}

extension FoundPlace: PagePlace {
  static let bytesMax = 96
  static let mustBe = "must be what an answer gave"
  static let example = "1795000000000.7.\(Schema.exampleID)"
}

extension Parameter where S == PlaceShape<FoundPlace> {
  fileprivate static var foundPlace: Self { Self("after", S(), "the `after` of an earlier page") }
}

extension Parameter where S == LineShape {
  fileprivate static var words: Self {
    Self(
      "text", S(scalars: 1...Limits.searchScalarsMax),
      "one line with the words that a post must have")
  }
}

extension Parameter where S == WordShape<SearchPlace> {
  fileprivate static var searchPlace: Self {
    Self("in", S(), "where posts are looked for; `bin`: removed posts, as `post.list` has them")
  }
}
