// Says whose turn it is after an occurrence is completed (Model/Rotation.swift). The person whose turn it becomes is
// told as if the post were assigned to them.

extension World {
  /// Returns the occurrence after this one, when this is completed. Nil when there is none.
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
  /// Tells the person whose turn it becomes, unless they act themselves or it was their turn already. `post` is the
  /// post before.
  func tellingTurn(of post: Post, by user: UserID) throws(Halt) -> Decision {
    guard let draft = drafts.first,
      case .post(.occurred(_, _, let news, _))? = draft.ops.last, case .completed = news.reason,
      let turn = news.next.turn, turn != user, turn != post.occurrence?.turn
    else { return self }
    var drafting = Drafting()
    drafting.add(draft)
    drafting.add(.personal(.assignmentAdded(draft.stream, post.id)), to: .user(turn))
    var told = self
    told.drafts = try drafting.drafts()
    return told
  }
}
