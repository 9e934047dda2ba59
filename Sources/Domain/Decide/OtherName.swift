// Another name of a person is shown in every list and group that they are in (protocol §8 `profile.edit`). One person
// may be in hundreds of them. So the change goes to all groups and the first lists, and the ledger tells the rest
// afterwards, some at a time between the work of others. The store remembers how far it is, so a crash loses nothing.

extension Limits {
  /// The number of lists that are told of another name in one transaction.
  package static let listsToldAtOnce = 3
}

/// Tells the person's name in the next lists, in the order of the streams. `place` is the last list that shows it; nil
/// when none does, and no group either. Groups come first, since a new list of a group takes the names of its members
/// from there.
func tellName(
  _ name: String, of user: UserID, after place: StreamID?, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) -> AccountChange {
  let all = try world.memberships(of: user).map(\.stream).sorted()
  let groups = place == nil ? all.filter(\.isGroup) : []
  let rest = all.filter { stream in !stream.isGroup && place.map { $0 < stream } ?? true }
  let next = rest.prefix(Limits.listsToldAtOnce)
  try world.require(
    (groups + next).map { .object($0, ObjectKey(kind: .member, id: user.uuid)) })
  for place in groups + next {
    // A person who came in meanwhile came with the present name.
    guard let member = try world.member(user, of: place), member.name != name else { continue }
    drafting.add(.member(.updated(user, name: name)), to: place)
  }
  guard next.count < rest.count, let last = next.last else { return .nameTold(user) }
  return .nameLeft(user, after: last, places: rest.count - next.count)
}

/// Tells the person's present name in the next lists after this one.
package func tellName(
  of user: UserID, after place: StreamID, in world: inout World
) throws(Halt) -> Decision {
  let own = StreamID.user(user)
  try world.require([.object(own, own.headKey), .objects(own, .membership), .head(own)])
  // An account that has ended leaves its places by other ways.
  guard let profile = try world.profile(of: user) else {
    return Decision(accounts: [.nameTold(user)])
  }
  var drafting = Drafting()
  let change = try tellName(profile.name, of: user, after: place, &drafting, &world)
  return Decision(drafts: try drafting.drafts(), accounts: [change])
}
