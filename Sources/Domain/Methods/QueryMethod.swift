/// The methods that only read.
package enum QueryMethod: String, MethodFamily {
  case sessions = "session.list"
  case profile = "profile.get"
  case bots = "bot.list"
  case categories = "category.list"
  case posts = "post.list"
  case members = "member.list"
  case codes = "invitation.codes"
  case links = "link.list"
  case notifications = "notification.list"
  case undoPreview = "undo.preview"
  case historyEvents = "history.get"
  case historyState = "history.state"
  case historyDifference = "history.diff"
  case search
  case view = "post.query"
  case agenda = "agenda.get"
  case twins = "post.twins"
  case digest = "digest.get"
  case stats = "stats.get"
  case export = "account.export"

  package var row: MethodRow {
    switch self {
    case .sessions, .bots, .export: .query(openToTokens: false)
    // Among the removed categories are only those that the caller may restore.
    case .profile, .categories, .notifications, .digest: .query()
    case .posts: .query(from: .viewer, openToLinks: true)
    case .members, .historyEvents, .historyState, .historyDifference, .search, .view, .agenda,
      .twins, .stats:
      .query(from: .viewer)
    case .undoPreview: .query(from: .doer)
    case .codes, .links: .query(from: .admin, secret: true)
    }
  }
}
