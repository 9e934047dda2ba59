// Decides the roles of members.

/// Gives a member another role; in a group also in all its categories. Ownership is given in the same way: whoever
/// gives it stays an owner until they lower themselves or leave. The bots of a member who is lowered follow.
func setRole(
  of user: UserID, in stream: StreamID, to role: Role, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  _ = try enter(stream, for: .member(.setRole), by: caller, in: &world)
  let own = try Domain.role(of: caller.user, in: stream, for: .member(.setRole), in: &world)
  guard let member = try world.member(user, of: stream), let present = member.role else {
    throw .refused(.notFound("member"))
  }
  try refuseAbove(own, role, "nobody gives a role above their own")
  try refuseAbove(own, present, "nobody changes the role of somebody above them")
  guard role != present else { return Decision() }
  if let given = member.grants.viaGroup, role < given {
    throw .refused(.forbidden("the group makes this member \(given.word): change it there"))
  }
  var drafting = Drafting()
  try give(role, to: member, in: stream, by: caller, &drafting, &world)
  if role < present {
    try letBots(
      of: user, follow: { $1 == stream ? $0.set(to: role) : $0.withGroup(role) }, in: stream,
      &drafting, &world)
    try revokeInvitations(toBotsOf: user, in: stream, &drafting, &world)
    // People may lower themselves whatever role their own bots have.
    if user != caller.user { try refuseBotsAbove(own, of: user, in: stream, drafting, &world) }
    let ofCaller = present == .owner ? OwnerlessReason.caller : OwnerlessReason.botOfCaller
    let reason = user == caller.user ? ofCaller : OwnerlessReason.others
    try refuseOwnerless(stream, after: drafting, reason, &world)
  }
  return Decision(drafts: try drafting.drafts())
}

/// Gives a role without asking whether it may be given; in a group also in all its categories.
func give(
  _ role: Role, to member: Member, in stream: StreamID, by caller: Caller,
  _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  try give(role, to: member, in: stream, told: member.id != caller.user, &drafting, &world)
}

func give(
  _ role: Role, to member: Member, in stream: StreamID, told: Bool, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  let user = member.id
  let categories = try categories(givenBy: stream, in: &world)
  try world.require(
    categories.map { .object($0, ObjectKey(kind: .member, id: user.uuid)) }
      + [.objects(stream, .invitation)])
  let grants = member.grants.set(to: role)
  try regrant(member, in: stream, grants, told: told, &drafting, &world)
  try revokeInvitations(to: user, in: stream, &drafting, &world)
  for category in categories {
    guard let member = try world.member(user, of: category), member.grants.viaGroup != nil else {
      continue
    }
    try regrant(
      member, in: category, member.grants.withGroup(role), told: false, &drafting, &world)
  }
}

/// Refuses an action on a role above the caller's own: nobody does that on any path (DESIGN §3).
func refuseAbove(_ own: Role, _ other: Role, _ reason: String) throws(Halt) {
  guard other <= own else { throw .refused(.forbidden(reason)) }
}

/// Gives other grants to a member, who stays one.
private func regrant(
  _ member: Member, in stream: StreamID, _ grants: Grants, told: Bool, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  try world.require([
    .head(stream), .objects(stream, .invitation), .objects(stream, .invitationCode),
    .objects(stream, .link),
  ])
  guard let role = grants.role else { return }
  drafting.add(.member(.granted(member.id, grants)), to: stream)
  guard role != member.role else { return }
  let membership = Membership(stream: stream, role: role)
  let op =
    told ? Op.membership(.roleChanged(membership)) : .membership(.granted(membership))
  drafting.add(op, to: .user(member.id))
  try revokeInvitations(of: member.id, beyond: role, in: stream, &drafting, &world)
  try endCodes(of: member.id, beyond: role, in: stream, &drafting, &world)
  try endLinks(of: member.id, beyond: role, in: stream, &drafting, &world)
}
