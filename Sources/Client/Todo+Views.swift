import Domain
import Wire

/// A wish for posts of all lists or of some. All its conditions must hold (protocol §8 `post.query`).
public struct TodoWish: Sendable {
  /// The state of the posts.
  public enum State: String, CaseIterable, Sendable {
    case open
    case done
    /// Posts that are open or done.
    case any
    /// Posts that were removed.
    case bin
  }

  public enum Order: String, CaseIterable, Sendable {
    /// The newest posts first.
    case created
    /// The earliest due first, and posts without a due last. It is for open posts only.
    case due
    /// The most pressing first. It is for open posts only.
    case priority
  }

  public var state = State.open
  /// Whether the posts must be added by the account.
  public var isMine = false
  /// Whether the posts must be work of the account.
  public var isMyWork = false
  public var tag: TodoTag?
  /// The lowest priority. Nil for any.
  public var priority: TodoPriority?
  /// The days of the due, both included. An overdue post has its own day.
  public var firstDay: String?
  public var lastDay: String?
  /// The lists. Nil for all lists of which the account is a member.
  public var lists: [TodoList]?
  public var order = Order.created

  public init() {}

  /// The conditions in the words of the protocol. Nil when a text is no day.
  fileprivate var criteria: PostWhere? {
    var days: [Day?] = []
    for text in [firstDay, lastDay] {
      guard let text else {
        days.append(nil)
        continue
      }
      guard let day = Day(text), Due.days.contains(day) else { return nil }
      days.append(day)
    }
    let window = DueWindow(from: days[0].map { .day($0) }, until: days[1].map { .day($0) })
    return PostWhere(
      state: PostState(rawValue: state.rawValue) ?? .open, by: isMine ? .me : nil,
      assignee: isMyWork ? .me : nil, tag: tag?.tag, priority: priority?.priority,
      due: days.allSatisfy { $0 == nil } ? nil : window)
  }

  fileprivate func query(after: ViewPlace?) -> ViewQuery? {
    criteria.map {
      ViewQuery(
        $0, in: lists?.map(\.category), sort: ViewSort(rawValue: order.rawValue) ?? .created,
        after: after)
    }
  }
}

/// Posts that were found, as they were when the server answered.
public struct TodoPage: Sendable {
  /// A post, and the id of the list that it is in.
  public struct Line: Sendable {
    public let list: TodoList.ID
    public let post: TodoPost
  }

  public let lines: [Line]
  /// The place where the next page begins. Nil on the last page.
  let after: ViewPlace?
  public var isLast: Bool { after == nil }

  init(_ result: ViewResult) {
    lines = result.found.compactMap { line in
      TodoPost(.post(line.post), pending: []).map {
        Line(list: line.category.description, post: $0)
      }
    }
    after = result.after.flatMap { ViewPlace($0) }
  }
}

// Questions to the server, also about posts that no copy has. They need a connection.
extension Todo {
  /// Asks for a page of posts and waits for it. `page` is the page before. Throws `invalid` (a text that is no day, an
  /// order that goes with open posts only), `not_found` (a list), `rate_limited`, `timed_out`, `unconnected`.
  public func waitForPosts(
    _ wish: TodoWish, after page: TodoPage? = nil,
    milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> TodoPage {
    look()
    guard let query = wish.query(after: page?.after) else {
      throw TodoError(
        .refused(
          ServerError(
            kind: .invalid, code: ErrorKind.invalid.code, retry: .no,
            sentence: "The day must be a day such as 2026-11-24.", field: "day")))
    }
    do throws(ClientError) {
      return TodoPage(try client.view(query).wait(milliseconds: milliseconds))
    } catch {
      throw TodoError(error)
    }
  }
}
