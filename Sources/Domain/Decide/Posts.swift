// Decides about one post: what is added, and the way from a change to the file that decides it.

func decide(
  _ command: PostCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .add(let address, let new): return try addPost(new, at: address, by: caller, in: &world)
  case .change(let address, let change, let version):
    let target = PostTarget(address: address, ifVersion: version)
    return try decide(change, of: target, by: caller, in: &world)
  case .importUpsert(let address, let item):
    return try importPost(item, at: address, by: caller, in: &world)
  case .claimNext(let category, let lease):
    return try claimNextPost(of: category, for: lease, by: caller, in: &world)
  }
}

/// The post that is meant, and the version that the caller saw, if that matters.
struct PostTarget {
  let address: PostAddress
  let ifVersion: Int?

  var id: PostID { address.post }
  var stream: StreamID { address.stream }
}

func addPost(
  _ new: NewPost, at address: PostAddress, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let head = try enterWithPost(address, for: .post(.add), by: caller, in: &world)
  if let known = try world.post(address.post, in: address.category) {
    throw .refused(
      try world.refusal(toAdd: "id", over: known, in: head, by: caller.user))
  }
  let at = try world.time(in: address.stream, at: caller.now)
  var post = Post(
    id: address.post, number: head.lastPost + 1, title: new.title, notes: new.notes,
    addedBy: caller.user, createdAt: at, updatedAt: at, version: 1
  )
  let fields = try new.fields.whole(
    of: post, version: 1, categoryZone: head.zone, caller.almanac)
  post = post.edited(by: fields)
  post.source = new.source
  let op = Op.post(.added(post, try head.counters.adding(post)))
  return Decision(
    drafts: [Draft(stream: address.stream, ops: [op])], number: post.number, version: 1)
}

/// Decides one change of a post that exists.
func decide(
  _ change: PostChange, of target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch change {
  case .edit(let edit): try editPost(target, edit, by: caller, in: &world)
  case .complete: try completePost(target, by: caller, in: &world)
  case .completeForAll: try completePost(target, isForAll: true, by: caller, in: &world)
  case .reopen: try reopenPost(target, by: caller, in: &world)
  case .remove: try removePost(target, by: caller, in: &world)
  case .restore: try restorePost(target, by: caller, in: &world)
  case .erase: try erasePost(target, by: caller, in: &world)
  case .step(let id, let change): try decide(change, of: id, in: target, by: caller, in: &world)
  case .tag(let tag): try tagPost(target, tag, by: caller, in: &world)
  case .untag(let tag): try untagPost(target, tag, by: caller, in: &world)
  case .assign(let user): try assignPost(target, to: user, by: caller, in: &world)
  case .unassign(let user): try unassignPost(target, from: user, by: caller, in: &world)
  case .occurrence(let name, let change):
    try decide(change, of: name, in: target, by: caller, in: &world)
  case .move(let upper, let lower):
    try movePost(target, after: upper, before: lower, by: caller, in: &world)
  case .moveTo(let list): try transferPost(target, to: list, by: caller, in: &world)
  case .copy(let id, let list, let days):
    try copyPost(target, as: id, to: list, days: days, by: caller, in: &world)
  case .claim(let lease): try claimPost(target, for: lease, by: caller, in: &world)
  case .release: try releasePost(target, by: caller, in: &world)
  case .takeBack(let event): try takeBackPost(target, ended: event, by: caller, in: &world)
  case .run(let run, let change): try decide(change, of: run, in: target, by: caller, in: &world)
  case .contest(let change): try decide(change, of: target, by: caller, in: &world)
  }
}

func editPost(
  _ target: PostTarget, _ edit: PostEdit, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: .post(.edit), by: caller, in: &world)
  let whole = try edit.whole(
    of: post, version: post.version + 1, categoryZone: category.zone, caller.almanac)
  let news = PostEdit(from: post, to: post.edited(by: whole))
  guard news != PostEdit() else { return unchanged(post) }
  try news.refuseWork(in: post, restart: edit.restart)
  if news.repeats != .keep {
    try refuseUnconfirmed(post, in: target.stream, for: .post(.edit), by: caller, in: &world)
  }
  var ops = [Op.post(.edited(post.id, version: post.version + 1, news))]
  if let mark = post.overdueTaken(by: news, category.counters) { ops.append(mark) }
  let at = try world.time(in: target.stream, at: caller.now)
  let reopening = try post.restarted(by: news, at: at, category.counters)
  return Decision(
    drafts: [Draft(stream: target.stream, ops: ops + (reopening.map { [$0] } ?? []))],
    number: post.number, version: post.version + (reopening == nil ? 1 : 2))
}

private func completePost(
  _ target: PostTarget, isForAll: Bool = false, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: .post(.complete), by: caller, in: &world)
  guard post.completed == nil else { return unchanged(post) }
  try refuseUnclear(post, target)
  try refuseOthersWork(post, in: target.stream, for: .post(.complete), by: caller, in: &world)
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  let submits = try world.mustSubmit(post, in: target.stream, for: .post(.complete), by: caller)
  var making = PostMaking(post, category.counters, stamp, submits: submits)
  let next = try world.following(post, stamp, in: category, caller.almanac)
  try world.complete(&making, next, in: target.stream, isForAll: isForAll, by: caller)
  return try making.decision(in: target.stream).tellingTurn(of: post, by: caller.user)
}

private func reopenPost(
  _ target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: .post(.reopen), by: caller, in: &world)
  guard let completion = post.completed else {
    return try reopenPart(of: post, in: target.stream, by: caller, in: &world)
  }
  let role = try role(of: caller.user, in: target.stream, for: .post(.reopen), in: &world)
  let isOwn = try world.hasPart(caller.user, in: post, of: target.stream)
  guard Permission.allows(role, touching: completion, of: caller.user) || isOwn else {
    throw .refused(.forbidden("a doer reopens only what they completed themselves"))
  }
  try refuseOthersWork(post, in: target.stream, for: .post(.reopen), by: caller, in: &world)
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  var making = PostMaking(post, category.counters, stamp)
  making.reopenPart(of: caller.user)
  try making.reopen()
  return making.decision(in: target.stream)
}

/// Takes a post out of the state. Only a restore brings it back.
func removePost(
  _ target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try find(target, for: .post(.remove), by: caller, in: &world)
  guard post.removed == nil else { return unchanged(post) }
  var counters = category.counters
  counters.add(post, -1)
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  let op = Op.post(.removed(post.id, version: post.version + 1, stamp, counters))
  return changed(post, in: target.stream, by: op)
}

private func restorePost(
  _ target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try find(target, for: .post(.restore), by: caller, in: &world)
  guard post.removed != nil else { return unchanged(post) }
  var whole = post
  whole.removed = nil
  let counters = try category.counters.adding(whole)
  whole.version += 1
  whole.updatedAt = try world.time(in: target.stream, at: caller.now)
  return changed(post, in: target.stream, by: .post(.restored(whole, counters)))
}

/// Takes the text of a post, removed or not, out of its state; the store takes it out of the past. Only an owner of the
/// list and the person who added the post may do that.
private func erasePost(
  _ target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try find(target, for: .post(.erase), by: caller, in: &world)
  let role = try world.member(caller.user, of: target.stream)?.role
  guard role == .owner || post.addedBy == caller.user else {
    throw .refused(.forbidden("only an owner and who added the post may erase its text"))
  }
  guard post.erased == nil else { return unchanged(post) }
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  let op = Op.post(.erased(post.id, version: post.version + 1, stamp))
  var drafting = Drafting()
  drafting.add(op, to: target.stream)
  try eraseFormer(post, in: target.address.category, by: caller, &drafting, &world)
  return Decision(
    drafts: try drafting.drafts(), number: post.number, version: post.version + 1)
}

/// Takes the text out of the logs of those lists where the post has been and where the caller may erase it too. So
/// nobody gets at the history of a list by taking a post away from it.
private func eraseFormer(
  _ post: Post, in list: CategoryID, by caller: Caller, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  let former = try world.formerLists(of: post, in: list)
  try world.require(
    former.flatMap { list in
      [
        .head(.category(list)),
        .object(.category(list), ObjectKey(kind: .member, id: caller.user.uuid)),
        .object(.category(list), ObjectKey(kind: .post, id: post.id.uuid)),
      ]
    })
  for list in former {
    let stream = StreamID.category(list)
    guard let role = try world.member(caller.user, of: stream)?.role,
      Permission.allows(role, .post(.erase)), role == .owner || post.addedBy == caller.user,
      let rest = try world.post(post.id, in: list), rest.erased == nil
    else { continue }
    let stamp = Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user)
    drafting.add(.post(.erased(post.id, version: rest.version + 1, stamp)), to: stream)
  }
}

// MARK: Shared by all of them

private func enterWithPost(
  _ address: PostAddress, for method: Method, by caller: Caller, in world: inout World
) throws(Halt) -> Category {
  try world.require(Need.toChange(address, by: caller.user))
  return try enter(address.category, for: method, by: caller, in: &world)
}

/// Finds the post, removed or not, at the version that the caller saw.
private func find(
  _ target: PostTarget, for method: Method, by caller: Caller, in world: inout World
) throws(Halt) -> (Category, Post) {
  let category = try enterWithPost(target.address, for: method, by: caller, in: &world)
  guard let post = try world.post(target.id, in: target.address.category) else {
    throw .refused(.notFound("post"))
  }
  if post.moved == nil || method != .post(.erase) {
    try refuseGone(post, target, in: category, by: caller, in: &world)
  } else {
    try refuseUnseen(post, in: category, by: caller, in: &world)
  }
  if let seen = target.ifVersion, seen != post.version { throw .refused(.conflict(post)) }
  return (category, post)
}

/// Refuses a post that the caller does not find as if it were not there.
private func refuseUnseen(
  _ post: Post, in category: Category, by caller: Caller, in world: inout World
) throws(Halt) {
  guard try world.finds(post, in: category, caller.user) else {
    throw .refused(.notFound("post"))
  }
}

/// Refuses a post that the caller does not find, and one without text because it is in another list now or nowhere. A
/// caller who is in the list to which it went is told that.
func refuseGone(
  _ post: Post, _ target: PostTarget, in category: Category, by caller: Caller,
  in world: inout World
) throws(Halt) {
  if post.moved != nil {
    let refusal = try world.whereabouts(
      of: post, from: target.address.category, for: caller.user)
    if case .moved = refusal { throw .refused(refusal) }
  }
  try refuseUnseen(post, in: category, by: caller, in: &world)
  if post.moved != nil { throw .refused(post.goneRefusal) }
  if post.purged != nil { throw .refused(post.goneRefusal) }
}

/// Finds the post in the same way, for methods that a removed post refuses.
func open(
  _ target: PostTarget, for method: Method, by caller: Caller, in world: inout World
) throws(Halt) -> (Category, Post) {
  let (category, post) = try find(target, for: method, by: caller, in: &world)
  guard post.removed == nil else { throw .refused(.gone("post")) }
  return (category, post)
}

func unchanged(_ post: Post) -> Decision {
  Decision(number: post.number, version: post.version)
}

func changed(_ post: Post, in stream: StreamID, by op: Op) -> Decision {
  Decision(
    drafts: [Draft(stream: stream, ops: [op])], number: post.number, version: post.version + 1)
}

extension Counters {
  /// Returns the counters with a new post. Refused when it is open and there are too many.
  func adding(_ post: Post) throws(Halt) -> Counters {
    guard post.completed != nil || open < Limits.postsOpenPerCategoryMax else {
      throw .refused(.quota(limit: "postsOpen", max: Limits.postsOpenPerCategoryMax))
    }
    var counters = self
    counters.add(post, 1)
    return counters
  }
}
