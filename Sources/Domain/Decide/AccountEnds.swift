// An account ends in three steps (protocol §5.9). Its end is asked for with the password, it is told on every device,
// and the same person may take it back as long as the grace lasts. Until the grace is over nothing else is different.

/// Asks for the end of the caller's account this number of days from now. The ledger checks the password.
func endAccount(
  after days: Int, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([
    .account(caller.user), .object(caller.stream, caller.stream.headKey),
    .objects(caller.stream, .membership), .head(caller.stream),
  ])
  guard try world.account(caller.user) != nil, let profile = try world.profile(of: caller.user)
  else { throw .refused(.unauthenticated) }
  guard profile.owner == nil else { throw .refused(.forbidden("only its owner can end this bot")) }
  guard profile.endsAt == nil else { return Decision() }
  try refuseLastOwner(anywhere: caller.user, in: &world)
  let endsAt = try world.time(in: caller.stream, at: caller.now).after(days: days)
  return Decision(
    drafts: [Draft(stream: caller.stream, ops: [.account(.ending(endsAt))])],
    accounts: [.ends(caller.user, at: endsAt)])
}

/// Asks for the end in the operator's name. The person is then not asked what they own, and an end that comes sooner
/// stays.
package func endAccount(
  of user: UserID, after days: Int, at time: Timestamp, in world: inout World
) throws(Halt) -> Decision {
  let own = StreamID.user(user)
  try world.require([.account(user), .object(own, own.headKey), .head(own)])
  guard try world.account(user) != nil, let profile = try world.profile(of: user) else {
    return Decision()
  }
  let end = try world.time(in: own, at: time).after(days: days)
  if let known = profile.endsAt, known <= end { return Decision() }
  return Decision(
    drafts: [Draft(stream: own, ops: [.account(.ending(end))])], accounts: [.ends(user, at: end)])
}

/// Takes the request for an end back.
func keepAccount(by caller: Caller, in world: inout World) throws(Halt) -> Decision {
  try world.require([
    .account(caller.user), .object(caller.stream, caller.stream.headKey), .head(caller.stream),
  ])
  // The first part of the end may be in the same batch, before this.
  guard try world.account(caller.user) != nil else { throw .refused(.unauthenticated) }
  guard let profile = try world.profile(of: caller.user), profile.endsAt != nil else {
    return Decision()
  }
  guard profile.owner == nil else {
    throw .refused(.forbidden("only its owner can keep this bot"))
  }
  return Decision(
    drafts: [Draft(stream: caller.stream, ops: [.account(.kept)])],
    accounts: [.ends(caller.user, at: nil)])
}

/// Refuses when others would be left in a place without an owner, and names all such places. A removed place does not
/// matter, and a place that nobody else is in goes with the account.
private func refuseLastOwner(
  anywhere user: UserID, in world: inout World
) throws(Halt) {
  // The bots go together with their owner.
  let bots = try world.bots(of: user)
  try world.require(([user] + bots).map { .objects(.user($0), .membership) })
  let own = Set(try placesOwned(by: user, in: &world))
  var asked = own
  for bot in bots { asked.formUnion(try placesOwned(by: bot, in: &world)) }
  try world.require(asked.sorted().map { .objects($0, .member) })
  var places: [StreamID] = []
  for place in asked.sorted() {
    let others = try world.members(of: place).filter {
      $0.id != user && !bots.contains($0.id) && $0.role != nil
    }
    if others.isEmpty { continue }
    if try !hasOwner(others, in: &world) { places.append(place) }
  }
  guard !places.isEmpty else { return }
  let owners =
    places.allSatisfy(own.contains) ? "you are the only owner of" : "only you and your bots own"
  throw .refused(
    .forbidden("\(owners) \(try world.names(of: places)): make somebody else an owner first"))
}

/// Returns the places that a user owns, but not the lists that are owned through their group: the group is asked about.
private func placesOwned(by user: UserID, in world: inout World) throws(Halt) -> [StreamID] {
  let owned = try world.memberships(of: user).filter { $0.role == .owner }.map(\.stream).sorted()
  try world.require(owned.flatMap { [.member(user, of: $0), .object($0, $0.headKey)] })
  var places: [StreamID] = []
  for place in owned {
    guard let member = try world.member(user, of: place), member.grants.viaGroup != .owner,
      try !world.isRemoved(place)
    else { continue }
    places.append(place)
  }
  return places
}

// When the grace is over, the account ends in parts, each as short as a command, in any number of transactions. Each
// part looks at what is there and does the next step:
//   1. the password, sessions and username go, and the bots end too; from then on nobody acts as this person;
//   2. they leave a place that they are in, as if by themselves; where nobody else is, the place goes too;
//   3. their own stream goes.
// Their names elsewhere are found by looking through everything (`EventStore.naming`) and forgotten stream by stream,
// so nothing depends on knowing where they may be.

/// Decides the next part. It has no effect when there is none. `mark` is what the username is known by from now on; nil
/// when the account is gone already.
package func end(
  _ user: UserID, leaving mark: String?, at now: Timestamp, in world: inout World
) throws(Halt) -> Decision {
  let own = StreamID.user(user)
  try world.require([
    .head(own), .account(user), .object(own, own.headKey), .objects(own, .membership),
    .sessions(user), .bots(user), .webhooks(user),
  ])
  guard let head = try world.head(of: own), !head.isDropped else { return Decision() }
  if let account = try world.account(user) {
    if let owner = account.owner { try world.require([.bots(owner)]) }
    guard let mark, let end = try world.profile(of: user)?.endsAt, end <= now else {
      return Decision()
    }
    var decision = try endBots(of: user, at: now, in: &world)
    let sessions = try world.sessions(of: user).map(\.id)
    decision.accounts += [.sessionsClosed(sessions, of: user)]
    decision.accounts += try world.withoutWebhooks(of: user) + [.ended(user, mark: mark)]
    return decision
  }
  let places = try world.memberships(of: user).map(\.stream)
  // A group takes its lists along.
  guard let place = places.first(where: { $0.isGroup }) ?? places.first else {
    return Decision(dropped: [own])
  }
  return try take(user, outOf: place, in: &world)
}

/// Takes the person out of a place, as if they left by themselves. Where others are, one of them owns the place
/// afterwards. Where nobody is, the place goes, and a group takes along those of its lists where nobody is either.
private func take(
  _ user: UserID, outOf place: StreamID, in world: inout World
) throws(Halt) -> Decision {
  try world.require([
    .objects(place, .member), .objects(place, .invitation), .objects(place, .invitationCode),
    .head(place),
  ])
  var drafting = Drafting()
  try leave(place, by: user, &drafting, &world)
  var empty: [StreamID] = []
  if try isLeft(place, by: user, &drafting, &world) {
    empty = [place]
    for list in try lists(of: place, throughItAlone: user, in: &world) {
      if try isLeft(list, by: user, &drafting, &world) { empty.append(list) }
    }
  }
  for place in empty { try revoke(try world.invitations(in: place), &drafting, &world) }
  return Decision(drafts: try drafting.drafts(), dropped: empty)
}

/// Returns a group's lists that the person is in only through it, and loads what is asked of them. A list that they are
/// also in by themselves is a part of its own.
private func lists(
  of place: StreamID, throughItAlone user: UserID, in world: inout World
) throws(Halt) -> [StreamID] {
  let key = ObjectKey(kind: .member, id: user.uuid)
  let all = try categories(givenBy: place, in: &world)
  try world.require(all.map { .object($0, key) })
  var lists: [StreamID] = []
  for list in all {
    if try world.member(user, of: list)?.grants.direct == nil { lists.append(list) }
  }
  try world.require(
    lists.flatMap { [.objects($0, .member), .objects($0, .invitation), .head($0)] })
  return lists
}

private func leave(
  _ place: StreamID, by user: UserID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  guard let member = try world.member(user, of: place), member.role != nil else {
    return drafting.add(.membership(.removed(place, .left)), to: .user(user))
  }
  if member.grants.isGivenHere {
    try dismiss(member, from: place, reason: .left, &drafting, &world)
  } else {
    try dismiss(
      member, from: place, losing: .group, reason: .left, drafting: &drafting, in: &world)
  }
}

/// Answers whether nobody else is in the place. Where others are and none of them owns it, the one with the highest
/// role owns it from now on; of several, the one who has been there the longest.
private func isLeft(
  _ place: StreamID, by user: UserID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) -> Bool {
  let changed = drafting.roles(in: place)
  let others = try world.members(of: place).filter {
    $0.id != user && (changed[$0.id] ?? $0.role) != nil
  }
  guard let heir = others.max(by: { $0.standing < $1.standing }) else { return true }
  if heir.role != .owner {
    try give(.owner, to: heir, in: place, told: true, &drafting, &world)
  }
  return false
}

extension Member {
  /// The order of members when a place needs an owner: the greatest comes first.
  fileprivate var standing: (role: Int, isPerson: Int, since: Int64) {
    (role?.rawValue ?? 0, kind == .person ? 1 : 0, -joinedSeq)
  }
}

/// Takes the names of a person whose account has ended out of one stream, and revokes invitations to or from them
/// there.
package func forget(
  _ user: UserID, in stream: StreamID, _ world: inout World
) throws(Halt) -> Decision {
  try world.require([.head(stream), .objects(stream, .invitation)])
  guard let head = try world.head(of: stream), !head.isDropped else { return Decision() }
  var ops: [Op] = []
  for it in try world.invitations(in: stream) where it.user == user || it.sent.by == user {
    ops.append(.invitation(.revoked(it.id)))
  }
  return Decision(drafts: [Draft(stream: stream, ops: ops + [.person(.forgotten(user))])])
}

/// The limits for the end of an account.
package enum AccountEnd {
  /// The number of parts of an end in one transaction.
  package static let partsPerTurn = 8
}
