// Decides who may reach a person (`Model/Reach.swift`). Everything about it is in the person's own `u:`.

func decide(
  _ command: PersonCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .block(let username): try block(username, by: caller, in: &world)
  case .unblock(let user): try unblock(user, by: caller, in: &world)
  }
}

/// Blocks a user: from now on the person hears of no invitation of that user, and those that wait go. The user is not
/// told.
func block(
  _ username: String, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([
    .username(username), .objects(caller.stream, .block), .objects(caller.stream, .invitation),
    .head(caller.stream),
  ])
  guard let user = try world.user(named: username) else { throw .refused(.notFound("user")) }
  guard user != caller.user else {
    throw .refused(.invalid(field: "username", reason: "is yourself"))
  }
  if try world.block(of: user, by: caller.user) != nil { return Decision() }
  guard try world.objects(.block, in: caller.stream).count < Limits.blocksMax else {
    throw .refused(.quota(limit: "blocks", max: Limits.blocksMax))
  }
  let now = try world.time(in: caller.stream, at: caller.now)
  var ops = [Op.block(.blocked(Block(user: user, username: username, at: now)))]
  // Only here: in its place it waits on.
  for invitation in try world.invitations(in: caller.stream) where invitation.sent.by == user {
    ops.append(.invitation(.declined(invitation.id)))
  }
  return Decision(drafts: [Draft(stream: caller.stream, ops: ops)])
}

/// Unblocks a user. Invitations that were held back meanwhile stay so.
func unblock(_ user: UserID, by caller: Caller, in world: inout World) throws(Halt) -> Decision {
  guard try world.block(of: user, by: caller.user) != nil else { return Decision() }
  return Decision(drafts: [Draft(stream: caller.stream, ops: [.block(.unblocked(user))])])
}

extension World {
  /// Answers whether the person lets this user invite them.
  mutating func mayInvite(_ sender: UserID, _ receiver: UserID) throws(Halt) -> Bool {
    switch try profile(of: receiver)?.invitedBy ?? .anybody {
    case .anybody: return true
    case .nobody: return false
    case .shared:
      let places = Set(try memberships(of: sender).map(\.stream))
      return try memberships(of: receiver).contains { places.contains($0.stream) }
    }
  }

  mutating func block(of user: UserID, by owner: UserID) throws(Halt) -> Block? {
    let key = ObjectKey(kind: .block, id: user.uuid)
    guard case .block(let it) = try object(key, in: .user(owner)) else { return nil }
    return it
  }

  mutating func declines(of user: UserID, to stream: StreamID) throws(Halt) -> Int {
    let key = ObjectKey(kind: .declines, id: stream.uuid)
    guard case .declines(let it) = try object(key, in: .user(user)) else { return 0 }
    return it.times
  }
}
