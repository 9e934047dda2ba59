/// Makes the caller an owner by a code of the operator's, for a place that its owners have forsaken. It is the only way
/// to a role that no member gave. A member is raised, and anybody else comes in, also a person who was taken out.
func own(
  _ stream: StreamID, by code: String, until endsAt: Timestamp, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  try world.require([
    .object(stream, stream.headKey),
    .object(stream, ObjectKey(kind: .member, id: caller.user.uuid)),
    .objects(stream, .member), .objects(stream, .invitation), .head(stream), .codeSpent(code),
  ])
  guard try world.head(of: stream) != nil, try !world.isRemoved(stream),
    try world.time(in: stream, at: caller.now) <= endsAt
  else { throw .refused(.codeIsNotGood) }
  let member = try world.member(caller.user, of: stream)
  if member?.role == .owner { return Decision() }
  guard try !world.isSpent(code) else { throw .refused(.codeIsNotGood) }
  var drafting = Drafting()
  if let member, member.role != nil {
    try give(.owner, to: member, in: stream, by: caller, &drafting, &world)
  } else {
    try revokeInvitations(to: caller.user, in: stream, &drafting, &world)
    try join(stream, as: .owner, caller.user, &drafting, &world)
  }
  return Decision(
    drafts: try drafting.drafts(), accounts: [.codeSpent(code, by: caller.user)])
}
