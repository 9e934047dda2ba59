// What a store is asked for a view (protocol §8): everything that names people or lists is looked up before, so
// whether a post is wanted is a question about the post alone.

package import Domain
package import Wire

/// A list as far as a view must know it.
package struct ViewedList: Equatable, Sendable {
  package let category: CategoryID
  /// The zone whose days its dues have.
  package let zone: String
  /// The event that let the wanted assignee in: older assignments of theirs mean nothing.
  package let assignedFrom: Int64

  package init(category: CategoryID, zone: String, assignedFrom: Int64 = 0) {
    self.category = category
    self.zone = zone
    self.assignedFrom = assignedFrom
  }
}

/// A view as a store gets it.
package struct PostView: Sendable {
  /// Ascending, each once. Only such in which the wanted tag is one, and the wanted assignee a member.
  package let lists: [ViewedList]
  package let criteria: PostWhere
  /// Whoever `criteria.by` and `criteria.assignee` mean.
  package let by: UserID?
  package let assignee: UserID?
  package let sort: ViewSort
  package let after: ViewPlace?
  /// At least 1.
  package let limit: Int
  /// So much is read for one page.
  package let looks: ViewLooks
  /// The zone whose days the days of the window are.
  package let zone: String
  package let almanac: Almanac

  package init(
    _ query: ViewQuery, in lists: [ViewedList], for me: UserID, zone: String, limit: Int,
    looks: ViewLooks = ViewLooks(posts: .max, bytes: .max), _ almanac: Almanac
  ) {
    self.lists = lists
    criteria = query.criteria
    by = query.criteria.by?.id(me: me)
    assignee = query.criteria.assignee?.id(me: me)
    sort = query.sort
    after = query.after
    self.limit = limit
    self.looks = looks
    self.zone = zone
    self.almanac = almanac
  }

  /// Whether the post, as it is now, is one of those that are wanted.
  package func shows(_ post: Post, in list: ViewedList) -> Bool {
    guard criteria.state.holds(post), by == nil || post.addedBy == by else { return false }
    if let tag = criteria.tag, !post.tags.contains(tag) { return false }
    if let least = criteria.priority, post.priority?.level ?? 0 < least.level { return false }
    if let assignee, !post.assignees.contains(where: { $0.user == assignee && list.holds($0) }) {
      return false
    }
    guard let window = criteria.due else { return true }
    guard let due = post.due, let deadline = deadline(of: post, in: list) else { return false }
    let day = due.shownDay(deadline: deadline, zone: zone, almanac: almanac)
    return window.holds(deadline: deadline, day: day)
  }

  package func deadline(of post: Post, in list: ViewedList) -> Timestamp? {
    post.due?.deadline(categoryZone: list.zone, almanac: almanac)
  }

  package func place(of post: Post, in list: ViewedList) -> ViewPlace {
    ViewPlace(post, in: list.category, by: sort, deadline: deadline(of: post, in: list))
  }
}

extension ViewedList {
  fileprivate func holds(_ assignment: Assignment) -> Bool { assignedFrom <= assignment.seq }
}

/// How much a store reads before it gives up.
package struct ViewLooks: Equatable, Sendable {
  package var posts: Int
  package var bytes: Int

  package init(posts: Int, bytes: Int) {
    self.posts = posts
    self.bytes = bytes
  }

  package var isSpent: Bool { posts <= 0 || bytes <= 0 }

  package mutating func spend(bytes: Int) {
    posts -= 1
    self.bytes -= bytes
  }
}

/// A post of a view, and where it stands among all of them.
package struct ViewedPost: Equatable, Sendable {
  package let place: ViewPlace
  package let post: Post

  package init(_ post: Post, at place: ViewPlace) {
    self.post = post
    self.place = place
  }
}

/// Posts of a view, in their order.
package struct ViewedPage: Equatable, Sendable {
  package let posts: [ViewedPost]
  /// Where it was given up, having looked at as many as may be; nil when there are as many as were asked for, or
  /// no more.
  package let stoppedAt: ViewPlace?

  package init(_ posts: [ViewedPost], stoppedAt: ViewPlace? = nil) {
    self.posts = posts
    self.stoppedAt = stoppedAt
  }
}

/// The question to a store for an agenda: deadlines of open posts.
package struct DueRange: Sendable {
  /// Ascending, each once.
  package let lists: [ViewedList]
  package let deadlines: ClosedRange<Timestamp>
  /// Posts that have come to their deadlines by then are overdue.
  package let now: Timestamp
  package let almanac: Almanac

  package init(
    _ lists: [ViewedList], _ deadlines: ClosedRange<Timestamp>, now: Timestamp, _ almanac: Almanac
  ) {
    self.lists = lists
    self.deadlines = deadlines
    self.now = now
    self.almanac = almanac
  }
}

/// The answer of a store to it.
package struct DueMarks: Equatable, Sendable {
  /// The marks of posts whose deadlines are in the range, list by list, in the order of their deadlines.
  package let marks: [DueMark]
  /// All that are overdue.
  package let overdue: Int

  package init(_ marks: [DueMark], overdue: Int) {
    self.marks = marks
    self.overdue = overdue
  }
}

package struct DueMark: Equatable, Sendable {
  package let deadline: Timestamp
  /// The day on which the post is due, without a time.
  package let day: Day?

  package init(deadline: Timestamp, day: Day?) {
    self.deadline = deadline
    self.day = day
  }
}
