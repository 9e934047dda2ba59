// An invitation by code gives a role to whoever brings the code, a number of times, until an end. The code is derived
// from the invitation's id (Server/Authentication/Codes), so no object, event or key row has it.
//
// - Nobody makes a code for a role above their own, and no code makes owners: ownership is given to a person.
// - A code ends with its maker's right to make it, in the same transaction (`endCodes`).
// - A person who was there before comes back only by a personal invitation. So nobody who was taken out comes back by a
//   code that they know (DESIGN §3): the state does not say who was taken out and who left.
// - A code gives no member another role.
// - An id is good once: another invitation with the id of one that has ended would make the old code good again.
// - Nobody is told why a code is not good: unknown, used up, over, taken back and into a removed place are answered in
//   the same words.

/// Writes the invitation into the place, where every member sees that there is one.
func makeCode(
  _ id: InvitationID, to stream: StreamID, _ new: NewCode, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let method = Method.invitation(.makeCode)
  _ = try enter(stream, for: method, by: caller, in: &world)
  try world.require([.objects(stream, .invitation), .objects(stream, .invitationCode)])
  let own = try role(of: caller.user, in: stream, for: method, in: &world)
  try refuseAbove(own, new.role, "nobody gives a role above their own")
  guard new.role < .owner else {
    throw .refused(.forbidden("ownership is given to a person, not by a code"))
  }
  let codes = try world.codes(in: stream)
  let mark = UsedOnce.code(id, stream)
  guard !codes.contains(where: { $0.id == id }), try world.invitation(id, in: stream) == nil,
    try !world.isSpent(mark)
  else { throw .refused(.exists(field: "id")) }
  let now = try world.time(in: stream, at: caller.now)
  let over = codes.filter { $0.isOver(at: now) }
  guard codes.count - over.count < Limits.codesPerPlaceMax else {
    throw .refused(.quota(limit: "codes", max: Limits.codesPerPlaceMax))
  }
  let code = InvitationCode(
    id: id, role: new.role, uses: new.uses, made: Stamp(at: now, by: caller.user),
    endsAt: now.after(days: new.days))
  // Those that are over make room: nobody else takes them out of the state.
  let ops = over.map { Op.code(.ended($0.id)) } + [.code(.made(code))]
  return Decision(
    drafts: [Draft(stream: stream, ops: ops)], accounts: [.codeSpent(mark, by: caller.user)])
}

/// Makes the caller a member by a code; with a group also of all its categories. For a member it does nothing.
func redeem(
  _ code: CodeInHand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch code.opens {
  case .invitation(let id, let stream): return try redeem(id, to: stream, by: caller, in: &world)
  case .ownership(let stream, let code, let endsAt):
    return try own(stream, by: code, until: endsAt, by: caller, in: &world)
  case nil: throw .refused(.codeIsNotGood)
  }
}

private func redeem(
  _ id: InvitationID, to stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let key = ObjectKey(kind: .invitationCode, id: id.uuid)
  try world.require([
    .object(stream, key), .object(stream, stream.headKey), .objects(stream, .member),
    .objects(stream, .invitation), .head(stream), .profile(caller.user),
    .object(stream, ObjectKey(kind: .member, id: caller.user.uuid)),
  ])
  let now = try world.time(in: stream, at: caller.now)
  guard let code = try world.code(id, in: stream), !code.isOver(at: now),
    try !world.isRemoved(stream)
  else { throw .refused(.codeIsNotGood) }
  if try world.member(caller.user, of: stream)?.role != nil { return Decision() }
  var places = try [stream] + categories(givenBy: stream, in: &world)
  // A person who was taken out of the group was taken out of its lists too, also of those that it got later.
  if case .category(let id) = stream, let group = try world.category(id)?.group {
    places.append(.group(group))
  }
  try refuseFormer(
    caller.user, of: places, "who was here before comes back by an invitation from a member",
    in: &world)
  if let owner = try world.profile(of: caller.user)?.owner {
    try refuseMore(than: owner, by: code, in: stream, places, &world)
  }
  var drafting = Drafting()
  let used = code.used + 1
  drafting.add(used < code.uses ? .code(.used(id, times: used)) : .code(.ended(id)), to: stream)
  try revokeInvitations(to: caller.user, in: stream, &drafting, &world)
  try join(stream, as: code.role, caller.user, &drafting, &world)
  return Decision(drafts: try drafting.drafts())
}

/// Refuses a code to a bot by which its owner would have a higher role than their own, or be here again.
private func refuseMore(
  than owner: UserID, by code: InvitationCode, in stream: StreamID, _ places: [StreamID],
  _ world: inout World
) throws(Halt) {
  if let role = try world.member(owner, of: stream)?.role {
    return try refuseAbove(
      role, code.role, "the code gives more than the owner of this bot has here")
  }
  try refuseFormer(
    owner, of: places, "the owner of this bot was here before: invite the bot instead", in: &world)
}

/// Refuses a person who was in one of these places and is not any more.
private func refuseFormer(
  _ user: UserID, of places: [StreamID], _ sentence: String, in world: inout World
) throws(Halt) {
  let key = ObjectKey(kind: .member, id: user.uuid)
  try world.require(places.map { .object($0, key) })
  for place in places {
    guard let member = try world.member(user, of: place), member.role == nil else { continue }
    throw .refused(.forbidden(sentence))
  }
}

/// Ends the codes that somebody has made and may not make with the role that is left to them.
func endCodes(
  of maker: UserID, beyond role: Role?, in stream: StreamID, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  for code in try world.codes(in: stream) where code.made.by == maker {
    if let role, Permission.allows(role, .invitation(.makeCode)), code.role <= role { continue }
    drafting.add(.code(.ended(code.id)), to: stream)
  }
}

extension Refusal {
  static let codeIsNotGood = Refusal.invalid(
    field: "code", reason: "must be one that is still good")
}
