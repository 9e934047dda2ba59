/// Makes a personal category, with its maker as owner, or one of a group, with all its members.
func addCategory(
  _ category: Category, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let id = category.id
  guard let group = category.group else {
    return try addPersonal(category, by: caller, in: &world)
  }
  let stream = StreamID.group(group)
  try world.require([
    .object(stream, ObjectKey(kind: .group, id: group.uuid)),
    .objects(stream, .member), .objects(stream, .groupCategory),
    .object(stream, ObjectKey(kind: .member, id: caller.user.uuid)), .head(stream),
  ])
  _ = try enter(group, for: .categoryAdd, by: caller, in: &world)
  try refuseKnown(id.uuid, in: &world)
  guard try world.categories(of: group).count < Limits.categoriesPerGroupMax else {
    throw .refused(.quota(limit: "categoriesPerGroup", max: Limits.categoriesPerGroupMax))
  }
  let members = try world.members(of: stream)
  // At once: one trip for each member would be hundreds.
  try world.require(
    members.map { .object(.category(id), ObjectKey(kind: .member, id: $0.id.uuid)) })
  var drafting = Drafting()
  drafting.add(.categoryAdded(category), to: .category(id))
  drafting.add(.groupCategoryAdded(id), to: stream)
  for member in members {
    guard let role = member.role else { continue }
    let person = Person(member)
    try admit(
      person, to: .category(id), by: .viaGroup(role), drafting: &drafting, in: &world)
  }
  return Decision(drafts: try drafting.drafts())
}

private func addPersonal(
  _ category: Category, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let id = category.id
  try refuseKnown(id.uuid, in: &world)
  try refuseFull(.category(id), of: caller, adding: 1, in: &world)
  let person = try person(caller.user, in: &world)
  var drafting = Drafting()
  drafting.add(.categoryAdded(category), to: .category(id))
  try admit(person, to: .category(id), by: .direct(.owner), drafting: &drafting, in: &world)
  return Decision(drafts: try drafting.drafts())
}

/// An op for each of the two: a name may be undone, a setting never is.
func editCategory(
  _ id: CategoryID, name: String?, history: CategoryHistory?, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let method = Method.categoryEdit
  let role = try role(of: caller.user, in: .category(id), for: method, in: &world)
  guard history == nil || Permission.setsHistory(role) else {
    throw .refused(.forbidden("only an owner says what members may read of what was"))
  }
  let category = try enter(id, for: method, by: caller, in: &world)
  var ops: [Op] = []
  if let name, name != category.name { ops.append(.categoryEdited(name: name)) }
  if let history, history != category.history { ops.append(.categoryEdited(history: history)) }
  return Decision(drafts: ops.isEmpty ? [] : [Draft(stream: .category(id), ops: ops)])
}

/// Removes a category softly: it keeps its stream and members, and accepts only a restore.
func removeCategory(
  _ id: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let category = try enter(
    id, for: .categoryRemove, evenRemoved: true, by: caller, in: &world)
  guard category.removed == nil else { return Decision() }
  let stream = StreamID.category(id)
  let stamp = Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user)
  return Decision(drafts: [Draft(stream: stream, ops: [.categoryRemoved(stamp)])])
}

func restoreCategory(
  _ id: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let category = try enter(
    id, for: .categoryRestore, evenRemoved: true, by: caller, in: &world)
  guard category.removed != nil else { return Decision() }
  if let group = category.group, try world.group(group)?.removed != nil {
    throw .refused(.gone("group"))
  }
  return Decision(drafts: [Draft(stream: .category(id), ops: [.categoryRestored])])
}

/// Refuses when the caller would be in too many categories or groups.
func refuseFull(
  _ stream: StreamID, of caller: Caller, adding count: Int, in world: inout World
) throws(Halt) {
  let memberships = try world.memberships(of: caller.user)
  let held = memberships.count { $0.stream.letter == stream.letter }
  switch stream {
  case .category where held + count > Limits.categoriesPerUserMax:
    throw .refused(.quota(limit: "categories", max: Limits.categoriesPerUserMax))
  case .group where held + count > Limits.groupsPerUserMax:
    throw .refused(.quota(limit: "groups", max: Limits.groupsPerUserMax))
  case .category, .group, .user: return
  }
}
