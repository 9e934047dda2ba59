// A bot follows its owner (protocol §5.12). Where the owner goes, the bot goes in the same transaction. Where the owner
// gets a lower role, the bot has none above it: whoever holds a token of the bot could otherwise do what its owner may
// not do any more. Somebody else may give a bot a role above its owner's afterwards.

/// Lets the bots of a member follow the member, whose grants change in a category, or in a group and its categories.
/// `change` takes the grants of the member in one of these places, and returns the grants there afterwards.
func letBots(
  of owner: UserID, follow change: (Grants, StreamID) -> Grants, in stream: StreamID,
  _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  try world.require([.bots(owner)])
  for bot in try world.bots(of: owner) {
    try letBot(bot, of: owner, follow: change, in: stream, &drafting, &world)
  }
}

private func letBot(
  _ bot: UserID, of owner: UserID, follow change: (Grants, StreamID) -> Grants,
  in stream: StreamID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  let places = [stream] + (try categories(givenBy: stream, in: &world))
  try world.require(
    places.flatMap { place -> [Need] in
      [
        .member(bot, of: place), .member(owner, of: place), .objects(place, .invitation),
        .objects(place, .invitationCode), .objects(place, .link), .head(place),
      ]
    })
  /// The grants of the bot in the group afterwards. Nil when the bot is not in the group.
  var inGroup: Grants?
  for place in places {
    guard let member = try world.member(bot, of: place), member.role != nil else { continue }
    var grants = member.grants
    if place != stream, let inGroup { grants = grants.inCategory(of: inGroup) }
    if let held = try world.member(owner, of: place)?.grants {
      grants = grants.following(from: held.role, to: change(held, place).role)
    }
    if place == stream, stream.isGroup { inGroup = grants }
    guard grants != member.grants else { continue }
    try reduce(
      member, in: place, to: grants, reason: .removed, isTold: false, &drafting, &world)
  }
}

/// Revokes the invitations of the bots of a member who has less now: by a bot the member would have it again.
func revokeInvitations(
  toBotsOf owner: UserID, in stream: StreamID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  let bots = try world.bots(of: owner)
  guard !bots.isEmpty else { return }
  let places = [stream] + (try categories(givenBy: stream, in: &world))
  try world.require(places.map { .objects($0, .invitation) })
  for place in places {
    guard let role = drafting.roles(in: place)[owner] else { continue }
    let beyond = try world.invitations(in: place).filter { it in
      bots.contains(it.user) && role.map { it.role > $0 } ?? true
    }
    try revoke(beyond, &drafting, &world)
  }
}

/// Refuses a change of a member whose bot follows in this place, though it has a role above the caller's own.
func refuseBotsAbove(
  _ own: Role, of owner: UserID, in stream: StreamID, _ drafting: Drafting, _ world: inout World
) throws(Halt) {
  let changed = drafting.roles(in: stream)
  for bot in try world.bots(of: owner) where changed.keys.contains(bot) {
    guard let role = try world.member(bot, of: stream)?.role else { continue }
    try refuseAbove(own, role, "a bot of this member is above you, and would follow")
  }
}

extension Grants {
  /// Returns the grants in a category of a group, after the grants in the group have become these.
  fileprivate func inCategory(of group: Grants) -> Grants {
    group.role.map(withGroup) ?? without(.group)
  }

  /// Returns the grants of a bot, after the role of its owner in the same place has become another one. The role that a
  /// group gives the bot changes only with the group.
  fileprivate func following(from before: Role?, to after: Role?) -> Grants {
    guard let before else { return self }
    guard let after else { return without(.direct) }
    guard after < before, let role, role > after else { return self }
    guard let viaGroup, viaGroup > after else { return set(to: after) }
    return Grants(direct: direct.map { min($0, after) }, viaGroup: viaGroup)
  }
}
