// A copy of a post is a new post of the person who copies it. It has the same texts, fields and tags, all steps open,
// no assignees, and it is the last of its list. Its due may be some days later, for lists that are made like another
// one. It is added like any other post, so nothing else has to know of copies. Later events of one of the two, an
// erased text included, do not touch the other.

func copyPost(
  _ target: PostTarget, as id: PostID, to list: CategoryID, days: Int, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .post(.copy), by: caller, in: &world)
  let address = PostAddress(category: list, post: id)
  try world.require(Need.toChange(address, by: caller.user))
  let home = try enter(list, for: .post(.copy), by: caller, in: &world)
  // A copy may be made from an archived list, but not in one.
  try home.refuseArchived(for: .post(.add))
  if let known = try world.post(id, in: list) {
    throw .refused(try world.refusal(toAdd: "copy", over: known, in: home, by: caller.user))
  }
  guard !post.title.isEmpty else {
    throw .refused(.invalid(field: "id", reason: "is of a post whose text was erased"))
  }
  let at = try world.time(in: address.stream, at: caller.now)
  var arrival = Arrival(post, from: target.address.category, to: list, seq: 0)
  try arrival.takeTags(post.tags, &world)
  var copy = Post(
    id: id, number: home.lastPost + 1, title: post.title, notes: post.notes,
    steps: post.steps.map { Step(id: $0.id, content: $0.content) }, addedBy: caller.user,
    createdAt: at, updatedAt: at, version: 1)
  var like = copy
  for field in PostField.all { field.copy(&like, post) }
  like.due = try like.due?.later(by: days)
  // A recurrence begins anew: the numbers of its occurrences are those of this post.
  copy = copy.edited(by: try fields(from: copy, to: like, categoryZone: home.zone, caller.almanac))
  copy.tags = arrival.post.tags
  let op = Op.post(.added(copy, try home.counters.adding(copy)))
  let ops = arrival.tags.map { Op.tag(.added($0)) } + [op]
  return Decision(
    drafts: [Draft(stream: address.stream, ops: ops)], number: copy.number, version: 1)
}

/// Returns the fields without the recurrence when that is over: a post whose last occurrence was moved for once may be
/// due after its end.
private func fields(
  from copy: Post, to like: Post, categoryZone: String, _ almanac: Almanac
) throws(Halt) -> PostEdit {
  var edit = PostEdit(from: copy, to: like)
  do throws(Halt) {
    return try edit.whole(of: copy, version: 1, categoryZone: categoryZone, almanac)
  } catch {
    edit.repeats = .keep
    return try edit.whole(of: copy, version: 1, categoryZone: categoryZone, almanac)
  }
}

extension Due {
  /// Returns the due some days later, at the same time of day. Refused beyond the days that a due may have.
  fileprivate func later(by days: Int) throws(Halt) -> Due {
    let day = day.adding(days: days)
    guard Due.days.contains(day) else {
      throw .refused(.invalid(field: "days", reason: "moves the due out of the calendar"))
    }
    return moved(to: day)
  }
}
