// Decides about reactions: the sign that a member gives to what somebody completed (protocol §5.19).
//
// - A person has one sign for each event; another one takes its place.
// - An event that the member may not read is not there for them, and neither is a post that they do not find.
// - Everybody who may talk may react. A reaction changes nothing but itself, so it makes no version of a post.
// - A list keeps the reactions to a number of events, the newest ones. Those to the oldest make room.

/// Sets the caller's reaction to an event. Nil: the caller has none any more. `post` is the one that is meant where the
/// event completed several.
func react(
  with sign: String?, to seq: Int64, about post: PostID?, in category: CategoryID,
  by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let head = try enter(category, for: .single(.react), by: caller, in: &world)
  let stream = StreamID.category(category)
  let key = Reactions.key(of: seq)
  try world.require([
    .past(StreamPosition(stream: stream, seq: seq)), .object(stream, key),
    .ranks(stream, .reactions),
  ])
  let work = try work(of: seq, about: post, in: head, by: caller, &world)
  var known: Reactions?
  if case .reactions(let it) = try world.object(key, in: stream) { known = it }
  guard known?.sign(of: caller.user) != sign else { return Decision() }
  if let sign, let known { try known.refuseMore(than: sign, of: caller.user) }
  var ops: [ReactionOp] = []
  if known == nil, let oldest = try world.eventToMakeRoom(for: seq, in: stream) {
    ops.append(.ended(event: oldest))
  }
  ops.append(.reacted(event: seq, work, sign: sign))
  return Decision(drafts: [Draft(stream: stream, ops: ops.map { .reaction($0) })])
}

/// Returns the work that is reacted to: that for the post, or the first that the event completed. Refused when its post
/// is not in the list any more.
private func work(
  of seq: Int64, about post: PostID?, in category: Category, by caller: Caller,
  _ world: inout World
) throws(Halt) -> CompletedWork {
  let stream = StreamID.category(category.id)
  guard seq >= (try firstRead(by: caller.user, in: stream, &world)),
    let past = try world.past(StreamPosition(stream: stream, seq: seq))
  else { throw .refused(.notFound("event")) }
  let all = past.event.completions
  guard !all.isEmpty else {
    throw .refused(.invalid(field: "event", reason: "completes nothing"))
  }
  guard let work = all.first(where: { post == nil || $0.post == post }) else {
    throw .refused(.invalid(field: "post", reason: "is not completed by the event"))
  }
  try world.require([.object(stream, ObjectKey(kind: .post, id: work.post.uuid))])
  guard let found = try world.post(work.post, in: category.id),
    try world.finds(found, in: category, caller.user)
  else { throw .refused(.notFound("event")) }
  guard found.removed == nil else { throw .refused(found.goneRefusal) }
  return work
}

extension World {
  /// Returns the event whose reactions make room for those to this one. Nil when there is room. Refused when this event
  /// is older than all of them.
  fileprivate mutating func eventToMakeRoom(
    for seq: Int64, in stream: StreamID
  ) throws(Halt) -> Int64? {
    let ranks = try ranks(of: .reactions, in: stream)
    guard ranks.count >= Limits.reactionsInStateMax, let oldest = ranks.first?.seq else {
      return nil
    }
    guard seq > oldest else {
      let most = Limits.reactionsInStateMax
      throw .refused(.invalid(field: "event", reason: "is older than \(most) that have reactions"))
    }
    return oldest
  }
}

extension Reactions {
  /// Refuses a sign when there are too many reactions, or too many different signs.
  fileprivate func refuseMore(than sign: String, of user: UserID) throws(Halt) {
    let others = given.filter { $0.user != user }
    guard others.count < Limits.reactionsPerEventMax else {
      throw .refused(.quota(limit: "reactions", max: Limits.reactionsPerEventMax))
    }
    let signs = Set(others.map(\.sign))
    guard signs.contains(sign) || signs.count < Limits.reactionSignsPerEventMax else {
      throw .refused(.quota(limit: "reactionSigns", max: Limits.reactionSignsPerEventMax))
    }
  }
}
