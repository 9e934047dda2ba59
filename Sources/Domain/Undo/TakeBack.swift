// Brings a post that somebody took to a list which others are not in back to the list that it was taken from, as it was
// when it went. It leaves the list where it is by then, by the same op as any post that goes, and texts that were
// written there stay in the log there. The answer names no event of such a list, and the post that comes back says
// nothing of the time between.

struct TakeBack {
  /// The post as it was when it went.
  let post: Post
  /// The rest of the post that stands for it in the list.
  let rest: Post
  let list: CategoryID
  /// The event by which it went.
  let seq: Int64

  /// Prepares a way back. Nil when the post went too long ago, when the op took no post away, or when its text is
  /// erased here: then there is nothing to bring back.
  init?(_ index: Int, of past: PastEvent, rest: Post, in list: CategoryID, at now: Timestamp) {
    guard case .post(.movedOut) = past.event.ops[index], rest.moved == past.event.seq,
      now <= past.event.at.after(days: Limits.takeBackDays),
      past.before.objects.indices.contains(index),
      case .post(let post)? = past.before.objects[index],
      rest.erased == nil, !post.title.isEmpty
    else { return nil }
    self.post = post
    self.rest = rest
    self.list = list
    seq = past.event.seq
  }
}

/// Brings the post back. Only the list where it comes back is asked for permission, as for a move to it.
func takeBack(
  _ it: TakeBack, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = StreamID.category(it.list)
  let home = try enter(it.list, for: .post(.moveTo), by: caller, in: &world)
  let held = try world.holder(of: it)
  var arriving = Arrival(
    it.post, from: it.list, to: it.list, seq: try world.nextSeq(of: stream))
  try arriving.take(number: it.rest.number, version: it.rest.version + 1, caller, &world)
  let there = try home.counters.adding(arriving.post)
  var drafting = Drafting()
  if let draft = try held.map({ (held) throws(Halt) in
    try leaving(held.post, of: held.list, to: it.list, by: caller, in: &world)
  }) {
    drafting.add(draft)
  }
  drafting.add(
    Draft(
      stream: stream, ops: [.post(.movedIn(arriving.post, there))],
      trails: [PostTrail(post: it.post.id, lists: held.map { [$0.list] } ?? [])]))
  var decision = Decision(
    drafts: try drafting.drafts(), number: arriving.post.number, version: arriving.post.version)
  decision.unseen = Set(held.map { [.category($0.list)] } ?? [])
  return decision
}

/// Drafts how the post leaves that list, removed or not.
private func leaving(
  _ post: Post, of list: CategoryID, to home: CategoryID, by caller: Caller,
  in world: inout World
) throws(Halt) -> Draft {
  let stream = StreamID.category(list)
  var counters = try world.category(list)?.counters ?? Counters()
  if post.removed == nil { counters.add(post, -1) }
  let stamp = Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user)
  return Draft(
    stream: stream,
    ops: [.post(.movedOut(post.id, version: post.version + 1, stamp, counters))],
    trails: [PostTrail(post: post.id, lists: [home])])
}

extension World {
  /// Returns the post and its present list, found from list to list. Nil when it is nowhere any more.
  fileprivate mutating func holder(
    of it: TakeBack
  ) throws(Halt) -> (post: Post, list: CategoryID)? {
    var (place, went) = (it.list, it.seq)
    for _ in 0...Limits.listsPerPostMax {
      let position = StreamPosition(stream: .category(place), seq: went)
      guard let next = try trails(at: position).lists(of: it.post.id).last else { return nil }
      try require([
        .object(.category(next), ObjectKey(kind: .post, id: it.post.id.uuid)),
        .object(.category(next), ObjectKey(kind: .category, id: next.uuid)),
        .head(.category(next)),
      ])
      guard let post = try post(it.post.id, in: next), post.purged == nil else { return nil }
      guard let further = post.moved else { return (post, next) }
      (place, went) = (next, further)
    }
    return nil
  }
}
