import Domain
import Wire

/// The badge of a list or a group for the account, as the server told it (protocol §8, `category.list`). It is enough
/// for a row of an overview or a status bar without a copy of the list.
public struct TodoBadge: Equatable, Sendable, Identifiable {
  /// A number that is counted up to a bound of the server.
  public struct Count: Equatable, Sendable {
    public let count: Int
    /// Whether there are more than `count`.
    public let more: Bool
  }

  /// A UUID in lower case. For a list it is that of `TodoList`.
  public let id: String
  public let isGroup: Bool
  public let name: String
  /// The id of the group that a list belongs to. Nil for other lists and for groups.
  public let group: String?
  /// The role, a word of protocol §3.5.
  public let role: String
  /// Whether it is archived. Nobody counts then what is new or to do in it.
  public let isArchived: Bool
  /// Numbers of posts; `overdue` counts among the open ones. For a group they are summed over all its lists that the
  /// account sees and that are not archived.
  public let open: Int
  public let done: Int
  public let overdue: Int
  /// The number of things that others did since the account looked last. For a group it counts only the group itself.
  public let unread: Count?
  /// The number of open posts that are for the account to do. For a group those of its lists are counted.
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
  /// lists of no group. `milliseconds` is the wait for each page. Throws `rate_limited`, `timed_out`, `unconnected`.
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
