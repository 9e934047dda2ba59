// An archived category stays as it was: nothing in it changes, its deadlines are not told, and views leave it out. It
// can be read, searched and copied from, and people come in and leave as anywhere. Whoever may archive it takes it out
// again.

func archive(
  _ id: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let category = try enter(id, for: .category(.archive), by: caller, in: &world)
  guard category.archived == nil else { return Decision() }
  let stream = StreamID.category(id)
  let stamp = Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user)
  return Decision(drafts: [Draft(stream: stream, ops: [.category(.archived(stamp))])])
}

func unarchive(
  _ id: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let category = try enter(id, for: .category(.unarchive), by: caller, in: &world)
  guard category.archived != nil else { return Decision() }
  return Decision(drafts: [Draft(stream: .category(id), ops: [.category(.unarchived)])])
}

extension Category {
  /// Refuses a method that changes something in an archived category.
  func refuseArchived(for method: Method) throws(Halt) {
    guard archived != nil, !method.row.worksInArchive else { return }
    throw .refused(.forbidden("the category is archived"))
  }
}
