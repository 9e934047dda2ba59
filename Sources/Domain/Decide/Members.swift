// Decides who leaves a category or group, or is taken out. Roles are in `Roles.swift`.

func decide(
  _ command: MemberCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .leave(let stream, let heir): try leave(stream, to: heir, by: caller, in: &world)
  case .remove(let stream, let user): try remove(user, from: stream, by: caller, in: &world)
  case .setRole(let stream, let user, let role):
    try setRole(of: user, in: stream, to: role, by: caller, in: &world)
  }
}

/// Ends the caller's own membership: of a category the direct grant, of a group also what it gives in its categories.
/// It works in a removed place too: nobody is kept where nothing can be done any more. An owner may name a successor,
/// who is an owner from then on.
func leave(
  _ stream: StreamID, to successor: UserID?, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  _ = try enter(stream, for: .member(.leave), evenRemoved: true, by: caller, in: &world)
  guard let member = try world.member(caller.user, of: stream) else {
    throw .refused(.notFound(stream.noun))
  }
  guard member.grants.isGivenHere else {
    throw .refused(.forbidden("you are here through the group: leave the group instead"))
  }
  var drafting = Drafting()
  if let successor {
    try install(successor, in: stream, by: caller, &drafting, &world)
  }
  try dismiss(member, from: stream, reason: .left, &drafting, &world)
  if successor == nil {
    try refuseOwnerless(
      stream, after: drafting,
      member.role == .owner ? OwnerlessReason.caller : OwnerlessReason.botOfCaller, &world)
  }
  return Decision(drafts: try drafting.drafts())
}

/// Makes another member an owner, which the caller must be.
private func install(
  _ successor: UserID, in stream: StreamID, by caller: Caller, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  guard successor != caller.user else {
    throw .refused(.invalid(field: "successor", reason: "is yourself"))
  }
  let own = try Domain.role(of: caller.user, in: stream, for: .member(.leave), in: &world)
  try refuseAbove(own, .owner, "only an owner names a successor")
  try world.require([.object(stream, ObjectKey(kind: .member, id: successor.uuid))])
  guard let member = try world.member(successor, of: stream), let role = member.role else {
    throw .refused(.notFound("member"))
  }
  try world.require([.bots(caller.user)])
  guard try !world.bots(of: caller.user).contains(successor) else {
    throw .refused(.invalid(field: "successor", reason: "is your own bot, which leaves with you"))
  }
  try world.require([.profile(successor)])
  guard try !world.isToEnd(successor) else {
    throw .refused(.invalid(field: "successor", reason: "has an account that is to end"))
  }
  guard role < .owner else { return }
  try give(.owner, to: member, in: stream, by: caller, &drafting, &world)
}

/// Takes somebody else out. A person who has left already stays so.
func remove(
  _ user: UserID, from stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  _ = try enter(stream, for: .member(.remove), by: caller, in: &world)
  guard user != caller.user else {
    throw .refused(.invalid(field: "user", reason: "is yourself: leave instead"))
  }
  guard let member = try world.member(user, of: stream) else {
    throw .refused(.notFound("member"))
  }
  guard let role = member.role else { return Decision() }
  let own = try Domain.role(of: caller.user, in: stream, for: .member(.remove), in: &world)
  try refuseAbove(own, role, "nobody takes out somebody above them")
  guard member.grants.isGivenHere else {
    throw .refused(.forbidden("this member is here through the group: remove there instead"))
  }
  var drafting = Drafting()
  try dismiss(member, from: stream, reason: .removed, &drafting, &world)
  try refuseBotsAbove(own, of: user, in: stream, drafting, &world)
  // An owner who takes somebody out stays one, except for a bot that goes with its own owner.
  if own < .owner || drafting.roles(in: stream).keys.contains(caller.user) {
    try refuseOwnerless(stream, after: drafting, OwnerlessReason.others, &world)
  }
  return Decision(drafts: try drafting.drafts())
}

/// Ends a member's grants that were given here; of a group also what it gives in its categories. The bots that the
/// member owns follow.
func dismiss(
  _ member: Member, from stream: StreamID, reason: LeaveReason, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  let categories = try categories(givenBy: stream, in: &world)
  try letBots(
    of: member.id, follow: { $0.without($1 == stream ? .direct : .group) }, in: stream, &drafting,
    &world)
  let key = ObjectKey(kind: .member, id: member.id.uuid)
  try world.require(
    ([stream] + categories).flatMap { stream -> [Need] in
      [
        .object(stream, key), .objects(stream, .invitation), .objects(stream, .invitationCode),
        .objects(stream, .link), .head(stream),
      ]
    })
  try dismiss(
    member, from: stream, losing: .direct, reason: reason, drafting: &drafting, in: &world)
  for category in categories {
    guard let member = try world.member(member.id, of: category),
      member.grants.viaGroup != nil
    else { continue }
    try dismiss(
      member, from: category, losing: .group, reason: reason, drafting: &drafting, in: &world)
  }
  try revokeInvitations(toBotsOf: member.id, in: stream, &drafting, &world)
}

/// Returns the categories whose members come with the group. Empty for a category.
func categories(
  givenBy stream: StreamID, in world: inout World
) throws(Halt) -> [StreamID] {
  guard case .group(let group) = stream else { return [] }
  return try world.categories(of: group).map { .category($0) }
}

/// The reasons not to leave a place without an owner.
enum OwnerlessReason {
  static let caller = "you are its only owner: make somebody else an owner first"
  static let botOfCaller = "its only owner is a bot of yours: make somebody else an owner first"
  static let others = "nobody would own it: make somebody else an owner first"
}

/// Refuses what is drafted if it leaves a place without an owner. The exception is a removed place, where the last
/// member may go.
func refuseOwnerless(
  _ stream: StreamID, after drafting: Drafting, _ reason: String, _ world: inout World
) throws(Halt) {
  let gone = drafting.roles(in: stream).filter { $0.value != .owner }
  var isOwnerGone = false
  for user in gone.keys.sorted() {
    guard let member = try world.member(user, of: stream) else { continue }
    if member.role == .owner, member.grants.viaGroup != .owner { isOwnerGone = true }
  }
  guard isOwnerGone else { return }
  let others = try world.members(of: stream).filter {
    !gone.keys.contains($0.id) && $0.role != nil
  }
  if try hasOwner(others, in: &world) { return }
  if others.isEmpty, try world.isRemoved(stream) { return }
  throw .refused(.forbidden(reason))
}

/// Answers whether one of these is an owner who stays.
func hasOwner(_ members: [Member], in world: inout World) throws(Halt) -> Bool {
  let owners = members.filter { $0.role == .owner }.map(\.id)
  try world.require(owners.map { .profile($0) })
  for owner in owners where try !world.isToEnd(owner) { return true }
  return false
}

extension World {
  /// Answers whether an account is to end, by itself or together with the owner of the bot.
  fileprivate mutating func isToEnd(_ user: UserID) throws(Halt) -> Bool {
    guard let profile = try profile(of: user) else { return false }
    guard profile.endsAt == nil, let owner = profile.owner else { return profile.endsAt != nil }
    try require([.profile(owner)])
    return try self.profile(of: owner)?.endsAt != nil
  }
}
