// A bot follows its owner (protocol §5.12). Where the owner goes, the bot goes in the same transaction. Where the owner
// gets a lower role, the bot has none above it: whoever holds a token of the bot could otherwise do what its owner may
// not do any more. Somebody else may give a bot a role above its owner's afterwards.

/// Lets the bots of a member follow a change of the member's grants. `change` returns the grants of the member in this
/// place or, for a group, in one of its categories as they are afterwards.
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

extension Grants {
  /// Returns the grants in a category of a group, after the grants in the group have become these.
  fileprivate func inCategory(of group: Grants) -> Grants {
    group.role.map(inGroup) ?? without(.group)
  }

  /// Returns the grants of a bot, after the role of its owner in the same place has become another one. The role that a
  /// group gives the bot changes only with the group.
  fileprivate func following(from before: Role?, to after: Role?) -> Grants {
    guard let before else { return self }
    guard let after else { return without(.direct) }
    guard after < before, let role, role > after else { return self }
    return set(to: max(after, viaGroup ?? after))
  }
}

extension Drafting {
  /// Returns the members who are no owners of a place by what is drafted: they go, or their role is a lower one.
  func notOwners(of place: StreamID) -> Set<UserID> {
    Set(
      ops(of: place).compactMap { op in
        switch op {
        case .member(.removed(let user, _)): user
        case .member(.granted(let user, let grants)) where grants.role != .owner: user
        default: nil
        }
      })
  }
}
