// Says which posts a view shows (protocol §8), apart from the lists in which they are looked for.

/// The conditions of a view. A field that is nil does not matter; all others must hold.
package struct PostWhere: Equatable, Sendable {
  package var state = PostState.open
  /// The person who added the post.
  package var by: WantedPerson?
  /// The person whose work the post is at present (`Member.holds`).
  package var assignee: WantedPerson?
  package var tag: TagID?
  /// The lowest priority that is shown.
  package var priority: Priority?
  package var due: DueWindow?

  package init(
    state: PostState = .open, by: WantedPerson? = nil, assignee: WantedPerson? = nil,
    tag: TagID? = nil, priority: Priority? = nil, due: DueWindow? = nil
  ) {
    self.state = state
    self.by = by
    self.assignee = assignee
    self.tag = tag
    self.priority = priority
    self.due = due
  }
}

package enum PostState: String, CaseIterable, Sendable {
  case open
  case done
  /// Open or done.
  case any
  /// Removed, but not moved to another list.
  case bin

  package func holds(_ post: Post) -> Bool {
    switch self {
    case .open: post.removed == nil && post.completed == nil
    case .done: post.removed == nil && post.completed != nil
    case .any: post.removed == nil
    case .bin: post.binned != nil
    }
  }
}

/// A certain person, or the one who asks.
package enum WantedPerson: Equatable, Sendable {
  case me
  case user(UserID)

  package func id(me: UserID) -> UserID {
    switch self {
    case .me: me
    case .user(let user): user
    }
  }
}

package enum ViewSort: String, CaseIterable, Sendable {
  /// The newest first.
  case created
  /// The earliest first, and posts without a due last.
  case due
  /// High first, equal ones by due.
  case priority
  /// The order that people gave to the posts; for one list only.
  case position
}

/// The span of dues that is wanted. Both ends count as in it.
package struct DueWindow: Equatable, Sendable {
  package let from: DueBound?
  package let until: DueBound?

  package init(from: DueBound? = nil, until: DueBound? = nil) {
    self.from = from
    self.until = until
  }

  /// Answers whether a due is in the window. `day` is the day under which the post stands (`Due.shownDay`).
  package func holds(deadline: Timestamp, day: Day) -> Bool {
    switch from {
    case nil: break
    case .day(let first)?: if day < first { return false }
    case .moment(let first)?: if deadline < first { return false }
    }
    switch until {
    case nil: return true
    case .day(let last)?: return day <= last
    case .moment(let last)?: return deadline <= last
    }
  }

  /// A range with the deadlines of all posts in the window, whatever the zones of their lists and of the person who
  /// asks. It also holds deadlines of some posts outside the window.
  package var deadlines: ClosedRange<Timestamp> {
    let first: Int64 =
      switch from {
      case nil: Int64.min
      case .day(let day)?: DueWindow.start(of: day) - DueWindow.slack
      case .moment(let moment)?: moment.milliseconds
      }
    let last: Int64 =
      switch until {
      case nil: Int64.max
      case .day(let day)?: DueWindow.start(of: day.adding(days: 1)) + DueWindow.slack
      case .moment(let moment)?: moment.milliseconds
      }
    return Timestamp(milliseconds: first)...Timestamp(milliseconds: max(first, last))
  }

  private static func start(of day: Day) -> Int64 { Int64(day.number) * 86_400_000 }

  /// The slack of `deadlines`, in milliseconds: 40 hours. Zones are at most 14 hours from UTC, and one has left out a
  /// whole day.
  private static let slack: Int64 = 40 * 3_600_000
}

package enum DueBound: Equatable, Sendable {
  /// The day under which a post stands.
  case day(Day)
  /// The deadline of a post.
  case moment(Timestamp)
}

extension Due {
  /// Returns the day under which the due stands in an agenda. For a day it is the one that was written, wherever the
  /// list is; for a time it is the day that the reader's clock shows then.
  package func shownDay(deadline: Timestamp, zone: String, almanac: Almanac) -> Day {
    switch self {
    case .day(let day): day
    case .time(let day, _, _): almanac.day(deadline, zone) ?? day
    }
  }
}

extension Priority {
  /// The priority as a number: 1 for low; a post without a priority has 0.
  package var level: Int {
    switch self {
    case .low: 1
    case .medium: 2
    case .high: 3
    }
  }

  package static let levelMax = 3
}
