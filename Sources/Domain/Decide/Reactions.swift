// Decides about reactions: the sign that a member gives to what somebody completed (protocol §5.19).
//
// - A person has one sign for each event; another one takes its place.
// - An event that the member may not read is not there for them, and neither is a post that they do not find.
// - Everybody who may talk may react. A reaction changes nothing but itself, so it makes no version of a post.
// - A list keeps the reactions to a number of events. Whoever alone has given the most makes room, so that nobody
//   pushes out what others gave.

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
    .objects(stream, .reactions),
  ])
  let work = try work(of: seq, about: post, in: head, by: caller, &world)
  var known: Reactions?
  if case .reactions(let it) = try world.object(key, in: stream) { known = it }
  guard known?.sign(of: caller.user) != sign else { return Decision() }
  if let sign, let known {
    try refuse(sign, of: caller.user, beside: known.given.map { ($0.user, $0.sign) })
  }
  var ops: [ReactionOp] = []
  if known == nil, let other = try world.eventToMakeRoom(for: seq, by: caller.user, in: stream) {
    ops.append(.ended(event: other))
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
  /// Returns the event whose reactions make room for the first one to this event. Nil when there is room. Refused when
  /// it would be the person's own newer one.
  fileprivate mutating func eventToMakeRoom(
    for seq: Int64, by user: UserID, in stream: StreamID
  ) throws(Halt) -> Int64? {
    let all = try objects(.reactions, in: stream).compactMap { object -> Reactions? in
      guard case .reactions(let it) = object else { return nil }
      return it
    }
    guard all.count >= Limits.reactionsInStateMax else { return nil }
    guard let (giver, own) = Reactions.mostAlone(in: all, adding: user) else {
      return all.map(\.event).min()
    }
    guard giver != user || seq > own else {
      throw .refused(
        .invalid(field: "event", reason: "is older than all that have a sign of yours"))
    }
    return own
  }
}

extension Reactions {
  /// Returns the person who has reacted alone to the most events, and the oldest of these; of several such people the
  /// one of the oldest event. One more counts for the person who reacts now.
  fileprivate static func mostAlone(
    in all: [Reactions], adding user: UserID
  ) -> (giver: UserID, oldest: Int64)? {
    var alone: [UserID: (count: Int, oldest: Int64)] = [:]
    for it in all where it.given.count == 1 {
      let giver = it.given[0].user
      let known = alone[giver] ?? (giver == user ? 1 : 0, .max)
      alone[giver] = (known.count + 1, min(known.oldest, it.event))
    }
    let most = alone.max { left, right in
      (left.value.count, -left.value.oldest) < (right.value.count, -right.value.oldest)
    }
    return most.map { ($0.key, $0.value.oldest) }
  }
}

/// Refuses a sign when others have given too many, or too many different ones. Line of talk and event have one rule.
func refuse(
  _ sign: String, of user: UserID, beside given: [(user: UserID, sign: String)]
) throws(Halt) {
  let others = given.filter { $0.user != user }
  guard others.count < Limits.reactionsPerEventMax else {
    throw .refused(.quota(limit: "reactions", max: Limits.reactionsPerEventMax))
  }
  let signs = Set(others.map(\.sign))
  guard signs.contains(sign) || signs.count < Limits.reactionSignsPerEventMax else {
    throw .refused(.quota(limit: "reactionSigns", max: Limits.reactionSignsPerEventMax))
  }
}
