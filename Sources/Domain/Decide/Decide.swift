// A command is decided in this order, so that a refusal never tells more than its receiver may know:
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
  let caller = Caller(user: actor.user, session: actor.session, now: now, almanac: almanac)
  switch command {
  case .account(let command): return try decide(command, by: caller, in: &world)
  case .addCategory(let id, let new): return try addCategory(id, new, by: caller, in: &world)
  case .editCategory(let id, let edit): return try editCategory(id, edit, by: caller, in: &world)
  case .removeCategory(let id): return try removeCategory(id, by: caller, in: &world)
  case .restoreCategory(let id): return try restoreCategory(id, by: caller, in: &world)
  case .archiveCategory(let id): return try archive(id, by: caller, in: &world)
  case .unarchiveCategory(let id): return try unarchive(id, by: caller, in: &world)
  case .moveCategory(let id, let other):
    return try moveList(id, before: other, by: caller, in: &world)
  case .addPost(let address, let new): return try addPost(new, at: address, by: caller, in: &world)
  case .changePost(let address, let change, let version):
    let target = PostTarget(address: address, ifVersion: version)
    return try decide(change, of: target, by: caller, in: &world)
  case .importPost(let at, let item): return try importPost(item, at: at, by: caller, in: &world)
  case .claimNext(let category, let lease):
    return try claimNextPost(of: category, for: lease, by: caller, in: &world)
  case .changeTag(let category, let id, let change):
    return try decide(change, of: id, in: category, by: caller, in: &world)
  case .addGroup(let id, let name): return try addGroup(id, name: name, by: caller, in: &world)
  case .editGroup(let id, let name): return try rename(id, to: name, by: caller, in: &world)
  case .removeGroup(let id): return try removeGroup(id, by: caller, in: &world)
  case .restoreGroup(let id): return try restoreGroup(id, by: caller, in: &world)
  case .sendInvitation(let id, let stream, let username, let role):
    let letter = InvitationLetter(id: id, stream: stream, username: username, role: role)
    return try send(letter, by: caller, in: &world)
  case .acceptInvitation(let id): return try accept(id, by: caller, in: &world)
  case .declineInvitation(let id): return try decline(id, by: caller, in: &world)
  case .revokeInvitation(let id, let stream):
    return try revoke(id, in: stream, by: caller, in: &world)
  case .makeCode(let id, let stream, let new):
    return try makeCode(id, to: stream, new, by: caller, in: &world)
  case .redeemCode(let code): return try redeem(code, by: caller, in: &world)
  case .link(let command): return try decide(command, by: caller, in: &world)
  case .blockPerson(let username): return try block(username, by: caller, in: &world)
  case .unblockPerson(let user): return try unblock(user, by: caller, in: &world)
  case .changePersonal(let it, let change): return try say(change, of: it, by: caller, in: &world)
  case .editSettings(let edit): return try editSettings(edit, by: caller, in: &world)
  case .leave(let id, let heir): return try leave(id, to: heir, by: caller, in: &world)
  case .removeMember(let it, let user): return try remove(user, from: it, by: caller, in: &world)
  case .setRole(let stream, let user, let role):
    return try setRole(of: user, in: stream, to: role, by: caller, in: &world)
  case .markRead(let id, let seq): return try markRead(id, to: seq, by: caller, in: &world)
  case .saveFilter(let filter): return try save(filter, by: caller, in: &world)
  case .removeFilter(let id): return try removeFilter(id, by: caller, in: &world)
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
