// What was removed stays in the bin for as long as the server keeps it, and then goes for good: its text from the
// past, too, as an erased one (State/Erasing.swift), and what is left of it is in no bin. So its number and its id are
// never given again, and nothing that anybody could restore is there. The system does that by itself, whether the list
// is archived, removed or neither: a list that comes back does not bring back what was removed from it before.

/// A post that has been removed, and since when.
package struct BinnedPost: Hashable, Sendable {
  package let category: CategoryID
  package let post: PostID
  /// As `Post.binned`: by that it is known that it was never away since.
  package let since: Timestamp

  package init(category: CategoryID, post: PostID, since: Timestamp) {
    self.category = category
    self.post = post
    self.since = since
  }
}

extension Post {
  /// All that is here is what answers for its number: its text is in another list, or nowhere.
  package var isGone: Bool { moved != nil || purged != nil }

  /// Since when it is in the bin; nil when it is not there. That is the event which put it there: an undo of a restore
  /// brings the old removal back, and the days in between it was in the list. Erasing it counts as one, too.
  package var binned: Timestamp? { removed == nil || isGone ? nil : updatedAt }

  /// Of a removed one.
  var goneRefusal: Refusal { purged == nil ? .gone("post") : .goneForGood }

  /// What is left of it for good. `source`: only what it is found by.
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
  /// Whether the post is in the list, or where this member finds it in the bin (protocol §8.25): where the history is
  /// `joined`, what was removed after the event that let them in, or after the oldest that is kept.
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
  /// Why no post is added with the id of one that is there, or was: of what this member does not find they hear no more
  /// than that the id is taken.
  mutating func refusal(
    toAdd field: String, over known: Post, in category: Category, by user: UserID
  ) throws(Halt) -> Refusal {
    guard known.removed != nil, try finds(known, in: category, user) else {
      return .exists(field: field)
    }
    return known.goneRefusal
  }
}

/// Takes those of these out of the bin of one list that have been in it since then, in one event; nil when none has.
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
    ops.append(.postPurged(it.post, post.source.map { Source(name: $0.name, id: $0.id) }))
  }
  return ops.isEmpty ? nil : Draft(stream: stream, ops: ops)
}
