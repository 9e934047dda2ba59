// Moves a post among the others of its list. The caller names the two posts between which it shall stand, as they see
// them. So only two posts are looked at, however long the list is. If these have changed places meanwhile, the post
// goes behind the upper one. A removed post still has its place, and one that is in another list now has none. When
// there is no text left between the two, after some 250 moves into the same gap, the move is refused: making room needs
// a look at the list, which is a client's work and not the ledger's (`Placing`).

func movePost(
  _ target: PostTarget, after upper: PostID?, before lower: PostID?, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: .post(.move), by: caller, in: &world)
  let ids = [upper, lower].compactMap(\.self)
  guard !ids.isEmpty, !ids.contains(post.id) else {
    throw .refused(.invalid(field: "after", reason: "or the before must be another post"))
  }
  try world.require(
    ids.map { .object(target.stream, ObjectKey(kind: .post, id: $0.uuid)) })
  let gap = Gap(
    above: try upper.map { (id) throws(Halt) in
      try neighbour(id, target, in: category, by: caller, in: &world)
    },
    below: try lower.map { (id) throws(Halt) in
      try neighbour(id, target, in: category, by: caller, in: &world)
    })
  guard !gap.holds(post) else { return unchanged(post) }
  let coming = Position.of(number: category.lastPost + 1)
  guard let position = gap.place(coming: coming) else {
    throw .refused(.quota(limit: "positionCharacters", max: Limits.positionCharactersMax))
  }
  let op = Op.post(.moved(post.id, version: post.version + 1, position))
  return changed(post, in: target.stream, by: op)
}

private func neighbour(
  _ id: PostID, _ target: PostTarget, in category: Category, by caller: Caller,
  in world: inout World
) throws(Halt) -> Post {
  guard let post = try world.post(id, in: target.address.category) else {
    throw .refused(.notFound("post"))
  }
  try refuseGone(post, target, in: category, by: caller, in: &world)
  return post
}

/// The gap where a post shall stand. At least one of the two is set.
private struct Gap {
  let above: Post?
  let below: Post?

  /// Answers whether the post stands there already.
  func holds(_ post: Post) -> Bool {
    above?.stands(before: post) != false && below.map { post.stands(before: $0) } != false
  }

  /// Returns the position in the gap. Nil when there is no room.
  func place(coming: Position) -> Position? {
    Position.placed(behind: above?.place, before: below?.place, coming: coming)
  }
}
