// The question to a store for a view (protocol §8). Everything that names people or lists is looked up before, so the
// post alone decides whether it is wanted.

package import Domain
package import Wire

/// The facts about a list that a view needs.
package struct ViewedList: Equatable, Sendable {
  package let category: CategoryID
  /// The zone whose days its dues have.
  package let zone: String
  /// The event that let the wanted assignee in; their older assignments mean nothing.
  package let assignedFrom: Int64

  package init(category: CategoryID, zone: String, assignedFrom: Int64 = 0) {
    self.category = category
    self.zone = zone
    self.assignedFrom = assignedFrom
  }
}

/// A view as a store gets it.
package struct PostView: Sendable {
  /// The lists, ascending, each once; only lists that have the wanted tag, and the wanted assignee as a member.
  package let lists: [ViewedList]
  package let criteria: PostWhere
  /// The user that `criteria.by` means; `assignee` is the one that `criteria.assignee` means.
  package let by: UserID?
  package let assignee: UserID?
  package let sort: ViewSort
  package let after: ViewPlace?
  /// The maximum of posts, at least 1.
  package let limit: Int
  /// The amount that is read for one page.
  package let looks: ViewLooks
  /// The zone to which the days of the window belong.
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

  /// Answers whether the present post is one of those that are wanted.
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

/// The amount that a store reads before it gives up.
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

/// A post of a view, and its place among all of them.
package struct ViewedPost: Equatable, Sendable {
  package let place: ViewPlace
  package let post: Post

  package init(_ post: Post, at place: ViewPlace) {
    self.post = post
    self.place = place
  }
}

/// The posts of a view, in their order.
package struct ViewedPage: Equatable, Sendable {
  package let posts: [ViewedPost]
  /// The place at which the store gave up because it had read its maximum; nil when there are as many as were asked
  /// for, or no more.
  package let stoppedAt: ViewPlace?

  package init(_ posts: [ViewedPost], stoppedAt: ViewPlace? = nil) {
    self.posts = posts
    self.stoppedAt = stoppedAt
  }
}

/// The question to a store for an agenda: deadlines of open posts.
package struct DueRange: Sendable {
  /// The lists, ascending, each once.
  package let lists: [ViewedList]
  package let deadlines: ClosedRange<Timestamp>
  /// The present moment. Posts that have come to their deadlines by then are overdue.
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

/// The answer of a store to that question.
package struct DueMarks: Equatable, Sendable {
  /// The marks of posts whose deadlines are in the range, list by list, in the order of their deadlines.
  package let marks: [DueMark]
  /// The number of all overdue posts.
  package let overdue: Int

  package init(_ marks: [DueMark], overdue: Int) {
    self.marks = marks
    self.overdue = overdue
  }
}

package struct DueMark: Equatable, Sendable {
  package let deadline: Timestamp
  /// The day on which the post is due; nil when it is due at a time.
  package let day: Day?

  package init(deadline: Timestamp, day: Day?) {
    self.deadline = deadline
    self.day = day
  }
}
