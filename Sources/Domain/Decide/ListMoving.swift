// Moves a list among the other lists of a person (`ListOrder`). It concerns their own `u:` and nothing else. No role is
// needed, and a removed or archived list may be moved too, because it has its place when it comes back. All memberships
// of a person are looked at, which are some hundreds; so there is always room.

func moveList(
  _ id: CategoryID, before other: CategoryID?, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.objects(caller.stream, .membership), .head(caller.stream)])
  let own = try world.memberships(of: caller.user).listsInOrder
  guard let index = own.firstIndex(where: { $0.stream == .category(id) }) else {
    throw .refused(.notFound("category"))
  }
  guard other != id else {
    throw .refused(.invalid(field: "before", reason: "must be another category"))
  }
  var row = own
  let moved = row.remove(at: index)
  var place = row.endIndex
  if let other {
    guard let found = row.firstIndex(where: { $0.stream == .category(other) }) else {
      throw .refused(.notFound("category"))
    }
    place = found
  }
  guard place != index else { return Decision() }
  let coming = try world.placeOfNewList(of: caller.user, with: Drafting())
  let ops = ListPlacing.moves(of: moved, to: place, in: row, coming: coming).map {
    Op.membership(.moved($0.stream, $0.position))
  }
  return Decision(drafts: [Draft(stream: caller.stream, ops: ops)])
}

extension World {
  /// Returns the place of a list that lets somebody in now: behind all that they have. `drafting` holds what the
  /// command does before.
  mutating func placeOfNewList(
    of user: UserID, with drafting: Drafting
  ) throws(Halt) -> Position {
    let own = StreamID.user(user)
    let others = (opsTried(in: own) + drafting.ops(of: own)).count { $0.takesPlace }
    return .ofList(comingAt: try nextSeq(of: own), behind: others)
  }
}

extension Op {
  /// Whether the op may put a list behind all others.
  fileprivate var takesPlace: Bool {
    switch self {
    case .membership(.added(let it)): it.stream.category != nil
    case .membership(.moved): true
    default: false
    }
  }
}
