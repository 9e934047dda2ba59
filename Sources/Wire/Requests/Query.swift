package import Domain

/// A request that changes nothing.
package enum Query: Equatable, Sendable {
  case sessions
  case profile
  /// The bots that the sender owns.
  case bots
  case posts(PostsQuery)
  /// The removed categories that the user may restore.
  case removedCategories
  /// The counts of every list and group for the user.
  case badges(BadgesQuery)
  case members(StreamID)
  /// The codes into a category or group that still let somebody in.
  case codes(StreamID)
  case links(CategoryID)
  /// The notifications, newest first, at most `limit` per stream.
  case notifications(limit: Int)
  case history(HistoryQuery)
  case search(SearchQuery)
  case view(ViewQuery)
  case agenda(AgendaQuery)
  case twins(TwinsQuery)
  case digest(DigestQuery)
  case stats(StatsQuery)
  /// Everything of the user, from this place on. Nil: from the beginning.
  case export(ExportPlace?)
}

extension Query {
  /// The one category or group that the query is about. Nil when it is about the sender, or about several.
  package var stream: StreamID? {
    switch self {
    case .posts(let it): .category(it.category)
    case .members(let stream), .codes(let stream): stream
    case .history(let it): it.stream
    case .links(let category): .category(category)
    case .stats(let it): it.stream
    case .twins(let it): .category(it.category)
    case .sessions, .profile, .bots, .removedCategories, .badges, .notifications, .search, .view,
      .agenda, .digest, .export:
      nil
    }
  }
}

/// The request `post.list` (protocol §8): a page of a category's posts, newest number first.
package struct PostsQuery: Equatable, Sendable {
  package let category: CategoryID
  package let show: PostFilter
  /// The number below which posts are wanted. Nil starts at the newest.
  package let before: Int?
  /// The number of posts on a page: 1 … `Limits.listPageMax`.
  package let limit: Int

  package init(category: CategoryID, show: PostFilter, before: Int?, limit: Int) {
    self.category = category
    self.show = show
    self.before = before
    self.limit = limit
  }
}

/// The posts of a category that are wanted.
package enum PostFilter: String, CaseIterable, Sendable {
  case open
  case done
  case removed
}
