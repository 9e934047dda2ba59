/// What an invitation says.
struct InvitationLetter {
  let id: InvitationID
  let stream: StreamID
  let username: String
  let role: Role
}

/// Writes an invitation into the place and into the invited person's `u:`.
func send(
  _ letter: InvitationLetter, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = letter.stream
  let name = try enter(stream, for: .invitationSend, by: caller, in: &world)
  try world.require([
    .username(letter.username), .objects(stream, .invitation),
    .object(caller.stream, ObjectKey(kind: .profile, id: caller.user.uuid)),
  ])
  guard let receiver = try world.user(named: letter.username) else {
    throw .refused(.notFound("user"))
  }
  try refuse(letter, to: receiver, by: caller, in: &world)
  let sender = try person(caller.user, in: &world)
  let invitation = Invitation(
    id: letter.id, stream: stream, streamName: name, user: receiver, username: letter.username,
    role: letter.role, sent: Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user),
    senderUsername: sender.username)
  var drafting = Drafting()
  drafting.add(.invitationSent(invitation), to: stream)
  drafting.add(.invitationSent(invitation), to: .user(receiver))
  return Decision(drafts: try drafting.drafts())
}

private func refuse(
  _ letter: InvitationLetter, to receiver: UserID, by caller: Caller, in world: inout World
) throws(Halt) {
  guard receiver != caller.user else {
    throw .refused(.invalid(field: "username", reason: "is yourself"))
  }
  let own = try role(of: caller.user, in: letter.stream, for: .invitationSend, in: &world)
  try refuseAbove(own, letter.role, "nobody gives a role above their own")
  try world.require([
    .object(letter.stream, ObjectKey(kind: .member, id: receiver.uuid)),
    .objects(.user(receiver), .invitation),
  ])
  guard try world.member(receiver, of: letter.stream)?.role == nil else {
    throw .refused(.exists(field: "username"))
  }
  let pending = try world.invitations(in: letter.stream)
  let received = try world.invitations(in: .user(receiver))
  guard !pending.contains(where: { $0.user == receiver }) else {
    throw .refused(.exists(field: "username"))
  }
  guard !(pending + received).contains(where: { $0.id == letter.id }),
    try world.code(letter.id, in: letter.stream) == nil
  else { throw .refused(.exists(field: "id")) }
  guard try invitationsSent(by: caller, in: &world) < Limits.pendingInvitationsPerUserMax else {
    throw .refused(.quota(limit: "invitations", max: Limits.pendingInvitationsPerUserMax))
  }
  guard received.count < Limits.pendingInvitationsReceivedMax else {
    let max = Limits.pendingInvitationsReceivedMax
    throw .refused(.quota(limit: "invitationsReceived", max: max))
  }
}

/// How many pending ones the caller has sent, in all places together. They can only be where the caller
/// may still send: whoever loses that right loses them (`dismiss`).
private func invitationsSent(by caller: Caller, in world: inout World) throws(Halt) -> Int {
  let places = try world.memberships(of: caller.user)
    .filter { Permission.allows($0.role, .invitationSend) }.map(\.stream)
  try world.require(places.map { .objects($0, .invitation) })
  var count = 0
  for place in places {
    count += try world.invitations(in: place).count { $0.sent.by == caller.user }
  }
  return count
}

/// Makes the caller a member; of a group also of all its categories.
func accept(
  _ id: InvitationID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let invitation = try received(id, by: caller, in: &world)
  var drafting = Drafting()
  drafting.add(.invitationAccepted(id), to: invitation.stream)
  drafting.add(.invitationAccepted(id), to: caller.stream)
  try join(invitation.stream, as: invitation.role, by: caller, &drafting, &world)
  return Decision(drafts: try drafting.drafts())
}

/// Makes the caller a member with this role; of a group also of all its categories.
func join(
  _ stream: StreamID, as role: Role, by caller: Caller, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  try world.require([
    .objects(stream, .member), .head(stream),
    .object(caller.stream, ObjectKey(kind: .profile, id: caller.user.uuid)),
  ])
  let categories = try categories(givenBy: stream, in: &world)
  let key = ObjectKey(kind: .member, id: caller.user.uuid)
  try world.require(
    ([stream] + categories).flatMap { stream -> [Need] in
      [.object(stream, key), .head(stream)]
    })
  try refuseFull(joining: stream, with: categories, by: caller, in: &world)
  let person = try person(caller.user, in: &world)
  try admit(person, to: stream, by: .direct(role), drafting: &drafting, in: &world)
  for category in categories {
    try admit(person, to: category, by: .viaGroup(role), drafting: &drafting, in: &world)
  }
}

/// `membersPerCategoryMax` is asked where somebody comes by an own invitation; members of a group, who
/// are bounded by its own limit, are let into its categories beyond it.
private func refuseFull(
  joining stream: StreamID, with categories: [StreamID], by caller: Caller, in world: inout World
) throws(Halt) {
  let present = try world.members(of: stream).count { $0.role != nil && $0.id != caller.user }
  switch stream {
  case .category(let id):
    guard try world.category(id)?.removed == nil else { throw .refused(.gone("category")) }
    guard present < Limits.membersPerCategoryMax else {
      throw .refused(.quota(limit: "members", max: Limits.membersPerCategoryMax))
    }
  case .group(let id):
    guard try world.group(id)?.removed == nil else { throw .refused(.gone("group")) }
    guard present < Limits.membersPerGroupMax else {
      throw .refused(.quota(limit: "members", max: Limits.membersPerGroupMax))
    }
  case .user: return
  }
  // Where somebody is already, nothing is added.
  for places in [[stream], categories] {
    var count = 0
    for place in places where try world.member(caller.user, of: place)?.role == nil { count += 1 }
    if count > 0 { try refuseFull(places[0], of: caller, adding: count, in: &world) }
  }
}

/// Turns an invitation down: also one into a category that is removed by now.
func decline(
  _ id: InvitationID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let invitation = try received(id, by: caller, in: &world)
  var drafting = Drafting()
  drafting.add(.invitationDeclined(id), to: invitation.stream)
  drafting.add(.invitationDeclined(id), to: caller.stream)
  return Decision(drafts: try drafting.drafts())
}

/// Takes a pending invitation or a code back: also one into what is removed by now, since it counts for its sender.
func revoke(
  _ id: InvitationID, in stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  _ = try enter(stream, for: .invitationRevoke, evenRemoved: true, by: caller, in: &world)
  let own = try role(of: caller.user, in: stream, for: .invitationRevoke, in: &world)
  let reason = "nobody takes back an invitation to a role above their own"
  if let code = try world.code(id, in: stream) {
    try refuseAbove(own, code.role, reason)
    return Decision(drafts: [Draft(stream: stream, ops: [.codeEnded(id)])])
  }
  guard let invitation = try world.invitation(id, in: stream) else {
    throw .refused(.notFound("invitation"))
  }
  try refuseAbove(own, invitation.role, reason)
  var drafting = Drafting()
  drafting.add(.invitationRevoked(id), to: stream)
  drafting.add(.invitationRevoked(id), to: .user(invitation.user))
  return Decision(drafts: try drafting.drafts())
}

/// A pending invitation to the caller.
private func received(
  _ id: InvitationID, by caller: Caller, in world: inout World
) throws(Halt) -> Invitation {
  guard let invitation = try world.invitation(id, in: caller.stream) else {
    throw .refused(.notFound("invitation"))
  }
  return invitation
}
