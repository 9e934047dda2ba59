// Decides what happens to a group as a whole.

func decide(
  _ command: GroupCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .add(let id, let name): try addGroup(id, name: name, by: caller, in: &world)
  case .edit(let id, let edit): try editGroup(id, edit, by: caller, in: &world)
  case .remove(let id): try removeGroup(id, by: caller, in: &world)
  case .restore(let id): try restoreGroup(id, by: caller, in: &world)
  }
}

/// Makes a group with its maker as owner.
func addGroup(
  _ id: GroupID, name: String, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try refuseKnown(id.uuid, in: &world)
  try refuseFull(.group(id), of: caller.user, adding: 1, in: &world)
  let person = try person(caller.user, in: &world)
  var drafting = Drafting()
  let group = Group(id: id, name: name, added: Stamp(at: caller.now, by: caller.user))
  drafting.add(.group(.added(group)), to: .group(id))
  try admit(person, to: .group(id), by: .direct(.owner), drafting: &drafting, in: &world)
  return Decision(drafts: try drafting.drafts())
}

func editGroup(
  _ id: GroupID, _ edit: GroupEdit, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let group = try enter(id, for: .group(.edit), by: caller, in: &world)
  let news = GroupEdit(from: group, to: group.edited(by: edit))
  guard news != GroupEdit() else { return Decision() }
  return Decision(drafts: [Draft(stream: .group(id), ops: [.group(.edited(news))])])
}

/// Removes a group softly, and with it the categories that it has then. Their ids are noted, so that they differ from
/// those that were removed before.
func removeGroup(
  _ id: GroupID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let group = try enter(id, for: .group(.remove), evenRemoved: true, by: caller, in: &world)
  guard group.removed == nil else { return Decision() }
  let categories = try heads(of: world.categories(of: id), in: &world)
    .filter { $0.removed == nil }.map(\.id).sorted()
  var drafting = Drafting()
  let stamp = Stamp(at: try world.time(in: .group(id), at: caller.now), by: caller.user)
  drafting.add(.group(.removed(stamp, with: categories)), to: .group(id))
  for category in categories {
    let stream = StreamID.category(category)
    let stamp = Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user)
    drafting.add(.category(.removed(stamp)), to: stream)
  }
  return Decision(drafts: try drafting.drafts())
}

/// Brings a group back with the categories that were removed with it.
func restoreGroup(
  _ id: GroupID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let group = try enter(id, for: .group(.restore), evenRemoved: true, by: caller, in: &world)
  guard group.removed != nil else { return Decision() }
  var drafting = Drafting()
  drafting.add(.group(.restored), to: .group(id))
  for category in try heads(of: group.removedCategories, in: &world)
  where category.removed != nil {
    drafting.add(.category(.restored), to: .category(category.id))
  }
  return Decision(drafts: try drafting.drafts())
}

/// Returns the categories, loaded in one trip.
private func heads(
  of categories: [CategoryID], in world: inout World
) throws(Halt) -> [Category] {
  try world.require(
    categories.flatMap { id -> [Need] in
      [.object(.category(id), ObjectKey(kind: .category, id: id.uuid)), .head(.category(id))]
    })
  var heads: [Category] = []
  for id in categories { if let head = try world.category(id) { heads.append(head) } }
  return heads
}
