// Decides about reactions: the sign that a member gives to what somebody completed (protocol §5.19).
//
// - A person has one sign for each event; another one takes its place.
// - An event that the member may not read is not there for them.
// - Everybody who may talk may react. A reaction changes nothing but itself, so it makes no version of a post.

/// Sets the caller's reaction to an event. Nil: the caller has none any more.
func react(
  with sign: String?, to seq: Int64, in stream: StreamID, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  _ = try enter(stream, for: .single(.react), by: caller, in: &world)
  let key = Reactions.key(of: seq)
  let position = StreamPosition(stream: stream, seq: seq)
  try world.require([.past(position), .object(stream, key)])
  guard seq >= (try firstRead(by: caller.user, in: stream, &world)),
    let past = try world.past(position)
  else { throw .refused(.notFound("event")) }
  guard let work = past.event.completion else {
    throw .refused(.invalid(field: "event", reason: "completes nothing"))
  }
  var known: Reactions?
  if case .reactions(let it) = try world.object(key, in: stream) { known = it }
  guard known?.sign(of: caller.user) != sign else { return Decision() }
  if let sign, let known { try known.refuseMore(than: sign, of: caller.user) }
  let op = ReactionOp.reacted(event: seq, work, sign: sign)
  return Decision(drafts: [Draft(stream: stream, ops: [.reaction(op)])])
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
