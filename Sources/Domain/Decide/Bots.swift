// A person owns bots. The person makes them, lets them into lists, gives them tokens (`Tokens.swift`) and webhooks
// (`Webhooks.swift`), and ends them or gives them to somebody else.
//
// - A bot that a person makes has no password. Only its tokens let a program act as the bot.
// - A bot is in a list no longer than its owner, and is lowered with its owner (`BotPlaces.swift`). So it is given only
//   to somebody who may do as much as the bot wherever it is. The new owner is not asked.
// - It ends with its owner (`AccountEnds.swift`).
// - A bot that somebody else owns is answered as one that does not exist.

func decide(
  _ command: BotCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .add(let new): try addBot(new, by: caller, in: &world)
  case .end(let bot): try endBot(bot, by: caller, in: &world)
  case .keep(let bot): try keepBot(bot, by: caller, in: &world)
  case .give(let bot, let username): try give(bot, to: username, by: caller, in: &world)
  case .addToken(let bot, let id, let new):
    try addToken(id, new, to: bot, by: caller, in: &world)
  case .revokeToken(let bot, let id): try revokeToken(id, of: bot, by: caller, in: &world)
  case .addWebhook(let bot, let id, let new):
    try addWebhook(id, new, to: bot, by: caller, in: &world)
  case .removeWebhook(let key): try removeWebhook(key, by: caller, in: &world)
  case .pauseWebhook(let key): try pauseWebhook(key, by: caller, in: &world)
  case .resumeWebhook(let key): try resumeWebhook(key, by: caller, in: &world)
  }
}

private func addBot(
  _ new: NewBot, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.profile(caller.user), .bots(caller.user)])
  guard let owner = try world.profile(of: caller.user) else {
    throw .refused(.notFound("user"))
  }
  guard owner.kind == .person else { throw .refused(.forbidden("a bot has no bots")) }
  guard !owner.isGuest else { throw .refused(.forbidden("a guest has no bots")) }
  // The limit comes before the question whether the username is free, which so has no answer for who may not ask.
  guard try world.bots(of: caller.user).count < Limits.botsPerPersonMax else {
    throw .refused(.quota(limit: "bots", max: Limits.botsPerPersonMax))
  }
  var registration = Registration(
    id: new.id, username: new.username, name: new.name, zone: new.zone, password: .none, code: nil,
    kind: .bot)
  registration.mark = new.mark
  return try register(registration, ownedBy: caller.user, at: caller.now, in: &world)
}

/// Closes everything by which the bot acts, at once, and lets the account end some days later.
private func endBot(
  _ bot: UserID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.sessions(bot), .head(.user(bot))])
  guard try owned(bot, by: caller, in: &world).endsAt == nil else { return Decision() }
  let end = try world.time(in: .user(bot), at: caller.now).after(days: Limits.botEndDays)
  return try ending(bot, at: end, in: &world)
}

private func keepBot(
  _ bot: UserID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.head(.user(bot))])
  guard try owned(bot, by: caller, in: &world).endsAt != nil else { return Decision() }
  return Decision(
    drafts: [Draft(stream: .user(bot), ops: [.account(.kept)])], accounts: [.ends(bot, at: nil)])
}

/// Lets somebody else own the bot: a person who is in a category or group with the caller. For anybody else the answer
/// is that of a name that nobody has. Whoever owns the bot may do what it may, so the heir must be allowed that before.
/// Its tokens and webhooks end, and so do the invitations that wait for it.
private func give(
  _ bot: UserID, to username: String, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.username(username), .head(.user(bot)), .sessions(bot)])
  _ = try owned(bot, by: caller, in: &world)
  guard let heir = try world.user(named: username) else { throw .refused(.notFound("user")) }
  guard heir != caller.user else { return Decision() }
  try world.require([
    .profile(heir), .objects(.user(heir), .membership), .objects(caller.stream, .membership),
    .object(.user(heir), ObjectKey(kind: .block, id: caller.user.uuid)), .bots(heir),
  ])
  let places = Set(try world.memberships(of: caller.user).map(\.stream))
  let isNear = try world.memberships(of: heir).contains { places.contains($0.stream) }
  guard isNear, try world.block(of: caller.user, by: heir) == nil,
    try world.mayOwnBots(heir)
  else { throw .refused(.notFound("user")) }
  guard try world.bots(of: heir).count < Limits.botsPerPersonMax else {
    throw .refused(.quota(limit: "bots", max: Limits.botsPerPersonMax))
  }
  try refuseMore(than: heir, to: bot, of: caller.user, in: &world)
  var drafting = Drafting()
  let given = try handOver(bot, to: heir, &drafting, &world)
  // They were meant for a bot of somebody else.
  try world.require([.objects(.user(bot), .invitation)])
  let invitations = try world.invitations(in: .user(bot))
  try revoke(invitations, &drafting, &world)
  try world.require(invitations.map { .head($0.stream) })
  // The former owner has the texts of the tokens, and chose where the webhooks lead.
  let tokens = try world.sessions(of: bot).filter { $0.token != nil }.map(\.id)
  return Decision(
    drafts: try drafting.drafts(),
    accounts: try [given] + (tokens.isEmpty ? [] : [.sessionsClosed(tokens, of: bot)])
      + world.withoutWebhooks(of: bot))
}

/// Refuses a gift by which the heir would see or do more. The names of places that the caller is not in are not told.
private func refuseMore(
  than heir: UserID, to bot: UserID, of owner: UserID, in world: inout World
) throws(Halt) {
  try world.require([.objects(.user(bot), .membership)])
  let own = Set(try world.memberships(of: owner).map(\.stream))
  let mayDo = Dictionary(
    try world.memberships(of: heir).map { ($0.stream, $0.role) }, uniquingKeysWith: { $1 })
  let places = try world.memberships(of: bot).filter { place in
    mayDo[place.stream].map { $0 < place.role } ?? true
  }.map(\.stream).sorted()
  guard !places.isEmpty else { return }
  let known = places.filter(own.contains)
  let names = known.isEmpty ? [] : [try world.names(of: known)]
  let rest = known.count < places.count ? ["places that you are not in"] : []
  let all = (names + rest).joined(separator: ", ")
  throw .refused(
    .forbidden("the bot may do more than its new owner in \(all): let it leave there first"))
}

/// Gives a bot an owner in the operator's name. Its tokens stay. Its webhooks end: the former owner chose where they
/// lead. Nothing happens when the one is no bot, or the other may have none.
package func give(
  _ bot: UserID, to owner: UserID, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.profile(bot), .profile(owner), .account(owner), .head(.user(bot))])
  guard let profile = try world.profile(of: bot), profile.kind == .bot, profile.owner != owner,
    try world.mayOwnBots(owner), try world.account(owner) != nil
  else { return Decision() }
  var drafting = Drafting()
  let given = try handOver(bot, to: owner, &drafting, &world)
  return Decision(
    drafts: try drafting.drafts(), accounts: try [given] + world.withoutWebhooks(of: bot))
}

private func handOver(
  _ bot: UserID, to owner: UserID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) -> AccountChange {
  let before = try world.profile(of: bot)?.owner
  try world.require([.account(bot), .bots(owner)] + (before.map { [.bots($0)] } ?? []))
  guard try world.account(bot) != nil else { throw .refused(.notFound("bot")) }
  drafting.add(.account(.given(to: owner)), to: .user(bot))
  return .given(bot, to: owner)
}

/// Ends everything of the bots of a person whose account ends.
func endBots(
  of owner: UserID, at now: Timestamp, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.bots(owner)])
  let bots = try world.bots(of: owner)
  try world.require(
    bots.flatMap { [.profile($0), .head(.user($0)), .sessions($0), .webhooks($0)] })
  var all = Decision()
  for bot in bots {
    let time = try world.time(in: .user(bot), at: now)
    if let end = try world.profile(of: bot)?.endsAt, end <= time { continue }
    let decision = try ending(bot, at: time, in: &world)
    all.drafts += decision.drafts
    all.accounts += decision.accounts
  }
  all.drafts.sort { $0.stream < $1.stream }
  return all
}

/// Returns the decision by which a bot's account ends at this time, and its sessions and webhooks at once.
private func ending(
  _ bot: UserID, at end: Timestamp, in world: inout World
) throws(Halt) -> Decision {
  let sessions = try world.sessions(of: bot).map(\.id)
  return Decision(
    drafts: [Draft(stream: .user(bot), ops: [.account(.ending(end))])],
    accounts: try (sessions.isEmpty ? [] : [.sessionsClosed(sessions, of: bot)])
      + world.withoutWebhooks(of: bot) + [.ends(bot, at: end)])
}

/// Returns the profile of a bot that the caller owns.
func owned(_ bot: UserID, by caller: Caller, in world: inout World) throws(Halt) -> Profile {
  try world.require([.profile(bot)])
  guard let profile = try world.profile(of: bot), profile.owner == caller.user else {
    throw .refused(.notFound("bot"))
  }
  return profile
}

extension World {
  /// Answers whether this is somebody who may own bots: a person who is no guest.
  fileprivate mutating func mayOwnBots(_ user: UserID) throws(Halt) -> Bool {
    guard let profile = try profile(of: user) else { return false }
    return profile.kind == .person && !profile.isGuest
  }
}
