// A guest is an account without a name and a password (protocol §8 `account.guest`, `account.upgrade`). A guest is a
// person like others, except for this:
//
// - Nobody can sign in to the account. The person is known by the device that made it, as long as one of its sessions
//   is open. When the last one ends, nobody comes in again: what the guest wrote in others' lists stays, their own
//   lists stay until the operator removes the account, and the server does not count it among its guests any more.
// - They get a name and a password as registration gives them: where registration needs a code, so does a guest's
//   upgrade.
// - A guest invites nobody by name: somebody who makes accounts without end could fill the inboxes of strangers. Guests
//   may make codes, which only reach those who use them.
// - Otherwise they have the limits of persons, which are below what could harm others.

/// Makes a guest with a session of the device, or opens another session of that device: a client that lost the answer
/// asks again with the same id. For everybody else the id belongs to somebody else.
package func openGuest(
  _ guest: NewGuest, _ session: SessionRecord, at now: Timestamp,
  isConnected: (SessionID) -> Bool = { _ in false }, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.account(guest.id), .sessions(guest.id)])
  if let known = try world.account(guest.id) {
    let isSameDevice = try world.sessions(of: guest.id).contains {
      $0.deviceHash != nil && $0.deviceHash == session.deviceHash
    }
    guard known.password.isNone, isSameDevice else { throw .refused(.exists(field: "id")) }
    return try openSession(session, of: known, isConnected: isConnected, in: &world)
  }
  let registration = Registration(
    id: guest.id, username: guest.username, name: guest.name, zone: guest.zone, password: .none,
    code: nil, lists: guest.lists)
  var decision = try register(registration, isGuest: true, at: now, in: &world)
  decision.accounts.append(.sessionOpened(session))
  return decision
}

/// Gives a guest a username and a password. Everything else stays as it is, sessions too.
func upgrade(
  to it: Upgrade, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([
    .account(caller.user), .username(it.username), .head(caller.stream),
    .object(caller.stream, ObjectKey(kind: .profile, id: caller.user.uuid)),
  ])
  guard let profile = try world.profile(of: caller.user), profile.isGuest else {
    throw .refused(.forbidden("this account has a name and a password already"))
  }
  try refuseGuestName(it.username)
  guard try world.user(named: it.username) == nil else {
    throw .refused(.exists(field: "username"))
  }
  try refuseEnded(it.mark, in: &world)
  let spent = try it.code.map { code throws(Halt) in try spend(code, by: caller.user, in: &world) }
  let op = Op.person(.upgraded(caller.user, username: it.username, name: it.name))
  var drafting = Drafting()
  drafting.add(op, to: caller.stream)
  for membership in try world.memberships(of: caller.user) {
    drafting.add(op, to: membership.stream)
  }
  // An operator may have made a recovery code for a guest, which is another generation then.
  let generation = (try world.account(caller.user)?.recoveryGeneration ?? 0) + 1
  let upgraded = AccountChange.upgraded(
    caller.user, username: it.username, it.password, generation: generation)
  return Decision(
    drafts: try drafting.drafts(), accounts: [upgraded] + [spent].compactMap(\.self),
    generation: generation)
}
