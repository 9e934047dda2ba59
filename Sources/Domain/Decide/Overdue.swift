// Decides what the system says of posts and their deadlines; nobody else says it. It judges a post as it is now: the
// scheduler's word that the post is due may be outdated by a command of the same batch.

extension UserID {
  /// The id that stands for nobody. The keys of deadlines, digests and reminders belong to it. No account gets this id.
  package static let system = UserID(UUID(high: 0, low: 0))
}

/// A post that comes to its deadline.
package struct Deadline: Equatable, Sendable {
  package let post: PostID
  package let at: Timestamp
  /// Whether the log has said so before.
  package let wasTold: Bool

  package init(post: PostID, at: Timestamp, wasTold: Bool) {
    self.post = post
    self.at = at
    self.wasTold = wasTold
  }
}

/// Drafts the posts that became overdue, in one event. Nil when none of them did.
package func becomeOverdue(
  _ deadlines: [Deadline], in id: CategoryID, at now: Timestamp, _ almanac: Almanac,
  in world: inout World
) throws(Halt) -> Draft? {
  try world.require(Need.toTell(deadlines.map(\.post), in: id))
  guard let category = try world.category(id), category.isActive else { return nil }
  var counters = category.counters
  var ops: [Op] = []
  for deadline in deadlines where deadline.at <= now {
    guard let post = try world.post(deadline.post, in: id),
      post.awaitedDeadline(in: category, almanac) == deadline.at, post.overdue != deadline.at
    else { continue }
    if post.overdue == nil { counters.overdue += 1 }
    let mark: OverdueMark = deadline.wasTold ? .again(deadline.at) : .became(deadline.at)
    ops.append(.post(.overdue(post.id, mark, counters)))
  }
  return ops.isEmpty ? nil : Draft(stream: .category(id), ops: ops)
}

/// Takes back overdue marks that are not true any more, because the deadlines have moved with their list's zone. A
/// deadline that has come all the same is told anew. Nil when there is nothing to take back.
package func takeBackOverdue(
  _ posts: [PostID], in id: CategoryID, _ almanac: Almanac, in world: inout World
) throws(Halt) -> Draft? {
  try world.require(Need.toTell(posts, in: id))
  // A removed or archived list is looked at again when it is back.
  guard let category = try world.category(id), category.isActive else { return nil }
  var counters = category.counters
  var ops: [Op] = []
  for id in posts {
    guard let post = try world.post(id, in: category.id), let overdue = post.overdue,
      let deadline = post.due?.deadline(categoryZone: category.zone, almanac: almanac),
      deadline != overdue
    else { continue }
    if post.completed == nil, post.removed == nil { counters.overdue -= 1 }
    ops.append(.post(.overdue(post.id, .taken, counters)))
  }
  return ops.isEmpty ? nil : Draft(stream: .category(id), ops: ops)
}

extension Need {
  fileprivate static func toTell(_ posts: [PostID], in category: CategoryID) -> [Need] {
    let stream = StreamID.category(category)
    let keys = posts.map { ObjectKey(kind: .post, id: $0.uuid) } + [stream.headKey]
    return [.head(stream), .ranks(stream, .post)] + keys.map { .object(stream, $0) }
  }
}

extension Post {
  /// Returns the deadline that somebody waits for. Nil for a post that is completed, removed or without a due.
  package func awaitedDeadline(in category: Category, _ almanac: Almanac) -> Timestamp? {
    guard completed == nil, removed == nil else { return nil }
    return due?.deadline(categoryZone: category.zone, almanac: almanac)
  }

  /// Returns the op that follows one with another due. `counters` are those of the list before it. Nil when the post is
  /// not overdue or the due stays.
  func overdueTaken(by edit: PostEdit, _ counters: Counters) -> Op? {
    guard overdue != nil, edit.due != .keep else { return nil }
    var counters = counters
    if completed == nil, removed == nil { counters.overdue -= 1 }
    return .post(.overdue(id, .taken, counters))
  }
}
