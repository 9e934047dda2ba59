// Saves a person's filters in their own `u:`. A filter that is saved again under its id replaces the old one.

func decide(
  _ command: FilterCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .save(let filter): try save(filter, by: caller, in: &world)
  case .remove(let id): try removeFilter(id, by: caller, in: &world)
  }
}

func save(
  _ filter: Filter, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.objects(caller.stream, .filter), .head(caller.stream)])
  let filters = try world.filters(of: caller.user)
  guard !filters.contains(filter) else { return Decision() }
  guard !filters.contains(where: filter.isTwin) else { throw .refused(.exists(field: "name")) }
  guard filters.contains(where: { $0.id == filter.id }) || filters.count < Limits.filtersMax else {
    throw .refused(.quota(limit: "filters", max: Limits.filtersMax))
  }
  return Decision(drafts: [Draft(stream: caller.stream, ops: [.filter(.saved(filter))])])
}

func removeFilter(
  _ id: FilterID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.objects(caller.stream, .filter), .head(caller.stream)])
  guard try world.filters(of: caller.user).contains(where: { $0.id == id }) else {
    return Decision()
  }
  return Decision(drafts: [Draft(stream: caller.stream, ops: [.filter(.removed(id))])])
}

extension World {
  /// Returns the filters in the order of their ids.
  fileprivate mutating func filters(of user: UserID) throws(Halt) -> [Filter] {
    try objects(.filter, in: .user(user)).compactMap {
      guard case .filter(let it) = $0 else { return nil }
      return it
    }
  }
}
