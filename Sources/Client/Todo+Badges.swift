import Domain
import Wire

/// What a list or a group comes to for the account, as the server told it (protocol §8, `category.list`): enough for a
/// row of an overview or a status bar without a copy of what is in it.
public struct TodoBadge: Equatable, Sendable, Identifiable {
  /// Counted up to a bound of the server.
  public struct Count: Equatable, Sendable {
    public let count: Int
    /// There are more than `count`.
    public let more: Bool
  }

  /// A UUID in lower case; of a list that of `TodoList`.
  public let id: String
  public let isGroup: Bool
  public let name: String
  /// The id of the group that a list belongs to.
  public let group: String?
  /// A word of protocol §3.5.
  public let role: String
  /// Then nobody counts what is new or to do in it.
  public let isArchived: Bool
  /// Posts; `overdue` of the open ones. Of a group: of all its lists that one sees and that are not archived.
  public let open: Int
  public let done: Int
  public let overdue: Int
  /// What others did since one looked last; of a group only in the group itself.
  public let unread: Count?
  /// Open posts that are for the account to do; of a group those of its lists.
  public let mine: Count?

  init(_ badge: Badge) {
    id = badge.stream.uuid.description
    isGroup = badge.stream.isGroup
    name = badge.name
    group = badge.group?.description
    role = badge.role.word
    isArchived = badge.isArchived
    (open, done) = (badge.counters.open, badge.counters.done)
    overdue = badge.counters.overdue
    unread = badge.unread.map { Count(count: $0.count, more: $0.more) }
    mine = badge.mine.map { Count(count: $0.count, more: $0.more) }
  }
}

extension Todo {
  /// Asks for the badges of all lists and groups, page by page, and waits for them: a group, then its lists, then the
  /// lists of no group. `milliseconds`: for each page. Throws `rate_limited`, `timed_out`, `unconnected`.
  public func waitForBadges(
    milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> [TodoBadge] {
    look()
    var badges: [TodoBadge] = []
    var after: StreamID?
    do throws(ClientError) {
      repeat {
        let page = try client.badges(after: after).wait(milliseconds: milliseconds)
        badges += page.badges.map(TodoBadge.init)
        after = page.after
      } while after != nil
    } catch {
      throw TodoError(error)
    }
    return badges
  }
}
