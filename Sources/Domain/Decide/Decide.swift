// A command is decided in this order, so that a refusal never tells more than its receiver may know:
//   is the token still good, if it came by one?          unauthenticated
//   is there such a place, and is the caller a member?   notFound, the same words for both
//   may the role call the method?                        forbidden
//   is the place removed?                                gone
//   is it archived, and the command changes what is in it?   forbidden
//   is there such a thing in it?                         notFound, exists
//   is it at the version that the caller saw?            conflict; gone when the caller does not find it
//   is the thing removed?                                gone
//   is a limit reached?                                  quota
//   is everything so already?                            a decision without drafts: `changed: false`
// (The key is looked up before all of this: a repeat is answered even when access is lost.)

/// Decides a command on what is loaded. It is pure, so it may be asked again after every `.needs`. Posts that come
/// again need an almanac.
package func decide(
  _ command: Command, by actor: Actor, at now: Timestamp, in world: inout World,
  almanac: Almanac
) throws(Halt) -> Decision {
  try refuseOver(actor, at: now, in: &world)
  do throws(Halt) {
    let decision = try decided(command, by: actor, at: now, in: &world, almanac)
    try decision.refuseElsewhere(by: actor.token)
    return decision
  } catch {
    throw error.told(to: actor.token)
  }
}

private func decided(
  _ command: Command, by actor: Actor, at now: Timestamp, in world: inout World, _ almanac: Almanac
) throws(Halt) -> Decision {
  let caller = Caller(user: actor.user, session: actor.session, now: now, almanac: almanac)
  switch command {
  case .account(let command): return try decide(command, by: caller, in: &world)
  case .category(let command): return try decide(command, by: caller, in: &world)
  case .post(let command): return try decide(command, by: caller, in: &world)
  case .changeTag(let category, let id, let change):
    return try decide(change, of: id, in: category, by: caller, in: &world)
  case .changePersonal(let it, let change): return try say(change, of: it, by: caller, in: &world)
  case .group(let command): return try decide(command, by: caller, in: &world)
  case .invitation(let command): return try decide(command, by: caller, in: &world)
  case .person(let command): return try decide(command, by: caller, in: &world)
  case .member(let command): return try decide(command, by: caller, in: &world)
  case .link(let command): return try decide(command, by: caller, in: &world)
  case .filter(let command): return try decide(command, by: caller, in: &world)
  case .bot(let command): return try decide(command, by: caller, in: &world)
  case .line(let command): return try decide(command, by: caller, in: &world)
  case .markRead(let id, let seq): return try markRead(id, to: seq, by: caller, in: &world)
  case .react(let category, let event, let post, let sign):
    return try react(
      with: sign, to: event, about: post, in: category, by: caller, in: &world)
  case .batch(let commands):
    return try decide(together: commands, by: actor, at: now, in: &world, almanac)
  case .undo(let target): return try undo(target, by: caller, in: &world)
  }
}

/// The person who asks, the moment, and the calendar that counts.
struct Caller {
  let user: UserID
  let session: SessionID?
  let now: Timestamp
  let almanac: Almanac

  var stream: StreamID { .user(user) }
}
