// What completing an occurrence makes of whose turn it is (Model/Rotation.swift). Whoever's turn it becomes is told
// as if the post were given to them.

extension World {
  /// The occurrence after this one, when this is completed; nil when there is none.
  mutating func following(
    _ post: Post, _ stamp: Stamp, in category: Category, _ almanac: Almanac
  ) throws(Halt) -> Occurrence? {
    guard let next = post.following(stamp, in: category, almanac) else { return nil }
    guard let rotation = post.repeats?.rotation else { return next }
    let workers = try workers(on: post, in: .category(category.id))
    let pool = post.assignees.pool { workers.contains($0.user) }
    return next.turned(by: rotation, among: pool, done: post.submitted?.by ?? stamp.by)
  }
}

extension Decision {
  /// Tells whoever's turn it becomes by this; not who does it, nor whose turn it was already. `post`: as it was before.
  func tellingTurn(of post: Post, by user: UserID) throws(Halt) -> Decision {
    guard let draft = drafts.first,
      case .postOccurred(_, _, let news, _)? = draft.ops.last, case .completed = news.reason,
      let turn = news.next.turn, turn != user, turn != post.occurrence?.turn
    else { return self }
    var drafting = Drafting()
    drafting.add(draft)
    drafting.add(.assignmentAdded(draft.stream, post.id), to: .user(turn))
    var told = self
    told.drafts = try drafting.drafts()
    return told
  }
}
