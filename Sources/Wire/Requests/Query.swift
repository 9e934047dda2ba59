package import Domain

/// A request that changes nothing.
package enum Query: Equatable, Sendable {
  case sessions
  case profile
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
