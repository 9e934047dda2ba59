// A removed post stays in the bin for as long as the server keeps it, and then goes for good. Its text goes from the
// past too, as an erased one does (State/Erasing.swift), and the rest of it is in no bin. So its number and its id are
// never given again, and nothing is left that anybody could restore. The system does that by itself, whether the list
// is archived, removed or neither: a list that comes back does not bring back posts that were removed from it before.

/// A post that has been removed, and since when.
package struct BinnedPost: Hashable, Sendable {
  package let category: CategoryID
  package let post: PostID
  /// The time in `Post.binned`. It is the same only if the post was never out of the bin since.
  package let since: Timestamp

  package init(category: CategoryID, post: PostID, since: Timestamp) {
    self.category = category
    self.post = post
    self.since = since
  }
}

extension Post {
  /// Whether only the rest of a post is here, which keeps its number. Its text is in another list, or nowhere.
  package var isGone: Bool { moved != nil || purged != nil }

  /// The time since when it is in the bin. Nil when it is not there. It is the time of the event that put it there: an
  /// undo of a restore brings the old removal back, and on the days in between the post was in the list. Erasing a post
  /// in the bin counts as such an event too.
  package var binned: Timestamp? { removed == nil || isGone ? nil : updatedAt }

  /// The refusal for a removed post.
  var goneRefusal: Refusal { purged == nil ? .gone("post") : .goneForGood }

  /// Returns the rest that stays of the post for good. `source` is only what it is found by.
  func purged(at time: Timestamp, _ source: Source?) -> Post {
    var rest = Post(
      id: id, number: number, title: "", notes: "", addedBy: addedBy, createdAt: createdAt,
      updatedAt: updatedAt, version: version, removed: removed, erased: erased)
    rest.purged = time
    rest.source = source
    return rest
  }
}

extension World {
  /// Answers whether this member finds the post: in the list, or in the bin (protocol §8 `post.list`). Where the
  /// history is `joined`, they find only posts in the bin that were removed after the event that let them in, or after
  /// the oldest event that is kept.
  mutating func finds(
    _ post: Post, in category: Category, _ user: UserID
  ) throws(Halt) -> Bool {
    let stream = StreamID.category(category.id)
    guard let removed = post.removed, category.history == .joined,
      let member = try member(user, of: stream), member.joinedSeq > 1
    else { return true }
    let first = max(member.joinedSeq, (try head(of: stream)?.horizon ?? 0) + 1)
    guard let past = try past(StreamPosition(stream: stream, seq: first)) else { return false }
    return removed.at > past.event.at
  }
}

extension World {
  /// Returns the refusal to add a post with the id of one that is there, or was. About a post that they do not find,
  /// members hear only that the id is taken.
  mutating func refusal(
    toAdd field: String, over known: Post, in category: Category, by user: UserID
  ) throws(Halt) -> Refusal {
    guard known.removed != nil, try finds(known, in: category, user) else {
      return .exists(field: field)
    }
    return known.goneRefusal
  }
}

/// Purges those of these posts that have been in the bin of one list since the given times, in one event. Nil when none
/// has.
package func purge(
  _ posts: [BinnedPost], in category: CategoryID, _ world: inout World
) throws(Halt) -> Draft? {
  let stream = StreamID.category(category)
  try world.require(
    [.head(stream)] + posts.map { .object(stream, ObjectKey(kind: .post, id: $0.post.uuid)) })
  var ops: [Op] = []
  for it in posts {
    guard let post = try world.post(it.post, in: category), post.binned == it.since else {
      continue
    }
    ops.append(.post(.purged(it.post, post.source.map { Source(name: $0.name, id: $0.id) })))
  }
  return ops.isEmpty ? nil : Draft(stream: stream, ops: ops)
}
