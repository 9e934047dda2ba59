package import Domain

/// A request that changes nothing.
package enum Query: Equatable, Sendable {
  case sessions
  case profile
  case posts(PostsQuery)
  /// The removed categories that the user may restore.
  case removedCategories
  /// What every list and group comes to for the user.
  case badges(BadgesQuery)
  case members(StreamID)
  /// The codes into a category or group that still let somebody in.
  case codes(StreamID)
  case links(CategoryID)
  /// At most `limit` notifications per stream, newest first.
  case notifications(limit: Int)
  case history(HistoryQuery)
  case search(SearchQuery)
  case view(ViewQuery)
  case agenda(AgendaQuery)
  case twins(TwinsQuery)
  case digest(DigestQuery)
  case stats(StatsQuery)
  /// Everything of the user, from this place on; nil: from the beginning.
  case export(ExportPlace?)
}

/// `post.list` (protocol §8.25): a page of a category's posts, newest number first.
package struct PostsQuery: Equatable, Sendable {
  package let category: CategoryID
  package let show: PostFilter
  /// Only numbers below this one; nil starts at the newest.
  package let before: Int?
  /// 1 … `Limits.listPageMax`.
  package let limit: Int

  package init(category: CategoryID, show: PostFilter, before: Int?, limit: Int) {
    self.category = category
    self.show = show
    self.before = before
    self.limit = limit
  }
}

/// Which posts of a category.
package enum PostFilter: String, CaseIterable, Sendable {
  case open
  case done
  case removed
}
