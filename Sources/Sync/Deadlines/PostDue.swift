// When posts are due, as a store finds it. There is one row for each post that is open, not removed and has a deadline,
// in lists that are not removed or archived. A row is written in the transaction that changes the post. A change that
// moves the rows of a whole list (its zone, its removal, its archiving) is noted there and worked off in parts, between
// commits (`DueCheck`). The store itself knows no calendar.

package import Domain

/// The row of a post as it must be now.
package struct PostDue: Equatable, Sendable {
  package let category: CategoryID
  package let number: Int
  /// The first moment at which it is overdue; nil when the post has no row.
  package let deadline: Timestamp?
  /// Whether the log says already that it is overdue since then.
  package let isTold: Bool

  package init(_ post: Post, in category: Category, _ almanac: Almanac) {
    let deadline = category.isActive ? post.awaitedDeadline(in: category, almanac) : nil
    self.init(
      category: category.id, number: post.number, deadline: deadline,
      isTold: deadline != nil && post.overdue == deadline)
  }

  package init(category: CategoryID, number: Int, deadline: Timestamp?, isTold: Bool) {
    self.category = category
    self.number = number
    self.deadline = deadline
    self.isTold = isTold
  }

  /// Returns the posts whose rows an event changes, each once, as they are after it.
  static func posts(changedBy changes: [ObjectChange]) -> [Post] {
    var places: [ObjectKey: Int] = [:]
    var posts: [(before: Post?, after: Post)] = []
    for change in changes {
      guard case .post(let after) = change.effect.object else { continue }
      if let place = places[change.key] {
        posts[place].after = after
        continue
      }
      let before: Post? = if case .post(let it) = change.before { it } else { nil }
      places[change.key] = posts.count
      posts.append((before, after))
    }
    return posts.filter { $0.before?.awaited != $0.after.awaited }.map(\.after)
  }
}

/// The fields of a post that decide its row.
private struct Awaited: Equatable {
  let due: Due
  let overdue: Timestamp?
}

extension Post {
  /// The fields that decide the row; nil for a completed or removed post, because nobody waits for it.
  fileprivate var awaited: Awaited? {
    guard completed == nil, removed == nil, let due else { return nil }
    return Awaited(due: due, overdue: overdue)
  }
}

/// How far the rows of a list have been checked.
package struct DueCheck: Equatable, Sendable {
  package let category: CategoryID
  /// The number up to which rows have been checked; the rows of posts with greater numbers may be wrong or missing. Nil
  /// when all are right.
  package let after: Int?

  package init(category: CategoryID, after: Int?) {
    self.category = category
    self.after = after
  }

  /// Makes the check that an event leaves; nil for nearly all events.
  init?(of changes: [ObjectChange], in category: CategoryID) {
    let isNeeded = changes.contains { change in
      guard case .category(let before) = change.before, case .category(let after) = change.after
      else { return false }
      return before.zone != after.zone || before.isActive != after.isActive
    }
    guard isNeeded else { return nil }
    self.init(category: category, after: 0)
  }
}

extension [ObjectChange] {
  /// The category after the changes; nil when they do not change it.
  var category: Category? {
    for change in reversed() {
      if case .category(let category) = change.after { return category }
    }
    return nil
  }
}

/// The posts of a list whose rows are checked in one transaction.
package struct DueCheckPart: Equatable, Sendable {
  package let category: CategoryID
  /// The open posts with a due, by number; no other post has a deadline that could have moved.
  package let posts: [PostID]
  /// The number up to which this part checks; nil when it is the last part.
  package let through: Int?

  /// The number of open posts that are looked at to find those, without being read.
  package static let looksMax = 4_096

  package init(category: CategoryID, posts: [PostID], through: Int?) {
    self.category = category
    self.posts = posts
    self.through = through
  }
}

/// A post that has come to its deadline, which the log does not say yet.
package struct DuePost: Hashable, Sendable {
  package let category: CategoryID
  package let post: PostID
  package let deadline: Timestamp

  package init(category: CategoryID, post: PostID, deadline: Timestamp) {
    self.category = category
    self.post = post
    self.deadline = deadline
  }
}
