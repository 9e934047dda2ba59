// Decides what happens to a category as a whole.

func decide(
  _ command: CategoryCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .add(let id, let new): try addCategory(id, new, by: caller, in: &world)
  case .edit(let id, let edit): try editCategory(id, edit, by: caller, in: &world)
  case .remove(let id): try removeCategory(id, by: caller, in: &world)
  case .restore(let id): try restoreCategory(id, by: caller, in: &world)
  case .archive(let id): try archive(id, by: caller, in: &world)
  case .unarchive(let id): try unarchive(id, by: caller, in: &world)
  case .move(let id, let other): try moveList(id, before: other, by: caller, in: &world)
  }
}

/// Makes a personal category, with its maker as owner, or a category of a group, with all its members.
func addCategory(
  _ id: CategoryID, _ new: NewCategory, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  guard let group = new.group else { return try addPersonal(id, new, by: caller, in: &world) }
  let stream = StreamID.group(group)
  try world.require([
    .object(stream, ObjectKey(kind: .group, id: group.uuid)),
    .objects(stream, .member), .objects(stream, .groupCategory),
    .object(stream, ObjectKey(kind: .member, id: caller.user.uuid)), .head(stream),
    .object(caller.stream, ObjectKey(kind: .profile, id: caller.user.uuid)),
  ])
  _ = try enter(group, for: .category(.add), by: caller, in: &world)
  try refuseKnown(id.uuid, in: &world)
  try refuseFull(group, in: &world)
  let members = try world.members(of: stream)
  // They are loaded at once: one trip for each member would be hundreds.
  try world.require(
    members.flatMap { member -> [Need] in
      [
        .object(.category(id), ObjectKey(kind: .member, id: member.id.uuid)),
        .head(.user(member.id)),
      ]
    })
  var drafting = Drafting()
  drafting.add(.category(.added(try made(id, new, by: caller, in: &world))), to: .category(id))
  drafting.add(.group(.categoryAdded(id)), to: stream)
  for member in members {
    guard let role = member.role else { continue }
    let person = Person(member)
    try admit(
      person, to: .category(id), by: .viaGroup(role), drafting: &drafting, in: &world)
  }
  return Decision(drafts: try drafting.drafts())
}

private func addPersonal(
  _ id: CategoryID, _ new: NewCategory, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try refuseKnown(id.uuid, in: &world)
  try refuseFull(.category(id), of: caller.user, adding: 1, in: &world)
  let person = try person(caller.user, in: &world)
  var drafting = Drafting()
  drafting.add(.category(.added(try made(id, new, by: caller, in: &world))), to: .category(id))
  try admit(person, to: .category(id), by: .direct(.owner), drafting: &drafting, in: &world)
  return Decision(drafts: try drafting.drafts())
}

private func made(
  _ id: CategoryID, _ new: NewCategory, by caller: Caller, in world: inout World
) throws(Halt) -> Category {
  let added = Stamp(at: caller.now, by: caller.user)
  var category = Category(
    id: id, name: new.name, group: new.group, history: new.history, added: added)
  if let zone = try world.profile(of: caller.user)?.zone { category.zone = zone }
  if let zone = new.zone { category.zone = zone }
  category.color = new.color
  return category
}

/// Edits a category. `history` gets an op of its own: an undo may take back a list's name and looks, and never that
/// setting.
func editCategory(
  _ id: CategoryID, _ edit: CategoryEdit, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let method = Method.category(.edit)
  let role = try role(of: caller.user, in: .category(id), for: method, in: &world)
  guard edit.history == nil || Permission.setsHistory(role) else {
    throw .refused(.forbidden("only an owner says what members may read of what was"))
  }
  guard edit.talk == nil || Permission.setsTalk(role) else {
    throw .refused(.forbidden("only admins and owners switch talk off and on"))
  }
  let category = try enter(id, for: method, by: caller, in: &world)
  var news = CategoryEdit(from: category, to: category.edited(by: edit))
  let setting = CategoryEdit(history: news.history)
  news.history = nil
  let ops = [news, setting].filter { $0 != CategoryEdit() }.map { Op.category(.edited($0)) }
  return Decision(drafts: ops.isEmpty ? [] : [Draft(stream: .category(id), ops: ops)])
}

/// Removes a category softly: it keeps its stream and members, and accepts only a restore.
func removeCategory(
  _ id: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let category = try enter(
    id, for: .category(.remove), evenRemoved: true, by: caller, in: &world)
  guard category.removed == nil else { return Decision() }
  let stream = StreamID.category(id)
  let stamp = Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user)
  return Decision(drafts: [Draft(stream: stream, ops: [.category(.removed(stamp))])])
}

func restoreCategory(
  _ id: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let category = try enter(
    id, for: .category(.restore), evenRemoved: true, by: caller, in: &world)
  guard category.removed != nil else { return Decision() }
  if let group = category.group, try world.group(group)?.removed != nil {
    throw .refused(.gone("group"))
  }
  return Decision(drafts: [Draft(stream: .category(id), ops: [.category(.restored)])])
}

/// Refuses when the group has so many categories that it takes no more.
private func refuseFull(_ group: GroupID, in world: inout World) throws(Halt) {
  let streams = try world.categories(of: group).map { StreamID.category($0) }
  let (max, uncounted) = (Limits.categoriesPerGroupMax, Limits.removedCategoriesUncountedMax)
  let present = try counted(streams, beyond: max - 1, uncounted, in: &world)
  guard present < max else { throw .refused(.quota(limit: "categoriesPerGroup", max: max)) }
}

/// Refuses when the user would be in too many categories or groups.
func refuseFull(
  _ stream: StreamID, of user: UserID, adding count: Int, in world: inout World
) throws(Halt) {
  let held = try world.memberships(of: user).map(\.stream)
    .filter { $0.letter == stream.letter }
  let (limit, max, uncounted): (String, Int, Int)
  switch stream {
  case .category:
    (limit, max, uncounted) =
      ("categories", Limits.categoriesPerUserMax, Limits.removedCategoriesUncountedMax)
  case .group:
    (limit, max, uncounted) =
      ("groups", Limits.groupsPerUserMax, Limits.removedGroupsUncountedMax)
  case .user: return
  }
  let present = try counted(held, beyond: max - count, uncounted, in: &world)
  guard present + count <= max else { throw .refused(.quota(limit: limit, max: max)) }
}

/// Returns how many of these places count for a limit. Removed places do not count, up to `uncounted` of them. They are
/// looked at only when there are more than `limit` places.
private func counted(
  _ streams: [StreamID], beyond limit: Int, _ uncounted: Int, in world: inout World
) throws(Halt) -> Int {
  guard streams.count > limit else { return streams.count }
  try world.require(streams.map { .object($0, $0.headKey) })
  var removed = 0
  for stream in streams where try world.isRemoved(stream) { removed += 1 }
  return streams.count - min(removed, uncounted)
}
