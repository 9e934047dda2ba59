import Domain
import Wire

/// Which posts somebody wants to see, of all lists or of some: all that it says must hold (protocol §8.74).
public struct TodoWish: Sendable {
  /// Of which kind.
  public enum State: String, CaseIterable, Sendable {
    case open
    case done
    /// Open or done.
    case any
    /// Removed.
    case bin
  }

  public enum Order: String, CaseIterable, Sendable {
    /// The newest first.
    case created
    /// The earliest due first, those that are not due last. Of open posts only.
    case due
    /// The most pressing first. Of open posts only.
    case priority
  }

  public var state = State.open
  /// By whoever asks.
  public var isMine = false
  /// Work of whoever asks.
  public var isMyWork = false
  public var tag: TodoTag?
  /// This one or a higher one.
  public var priority: TodoPriority?
  /// Days, both included; what is overdue has its own day.
  public var firstDay: String?
  public var lastDay: String?
  /// Nil: all that one is a member of.
  public var lists: [TodoList]?
  public var order = Order.created

  public init() {}

  /// Nil when a day is none.
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
  /// Where the next page begins; nil on the last one.
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

// Questions to the server, also about what no copy has: they need a connection.
extension Todo {
  /// Asks for a page of posts and waits for it; `after`: the page before. Throws `invalid` (a day that is none, an
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
