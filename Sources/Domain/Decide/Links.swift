// A link lets guests in: whoever brings its code sees one category as a viewer does, and nothing else.
//
// - Members who may invite may make one. It ends at `endsAt`, with its maker's right to make it, in the same
//   transaction, and when somebody who may make one takes it back.
// - Its id is good once, as that of a code (`UsedOnce`).
// - It lets nobody into a removed category (readers see to that) until that is restored.
// - It is no member: it counts for no limit of members, has no role, and nothing is ever sent to it.

func decide(
  _ command: LinkCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .make(let id, let category, let new):
    try makeLink(id, to: category, new, by: caller, in: &world)
  case .revoke(let id, let category):
    try revokeLink(id, in: category, by: caller, in: &world)
  }
}

private func makeLink(
  _ id: LinkID, to category: CategoryID, _ new: NewLink, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = StreamID.category(category)
  _ = try enter(category, for: .link(.make), by: caller, in: &world)
  let links = try world.links(in: stream)
  let mark = UsedOnce.link(id, category)
  let isUsed = try world.isSpent(mark)
  guard !isUsed, !links.contains(where: { $0.id == id }) else {
    throw .refused(.exists(field: "id"))
  }
  let now = try world.time(in: stream, at: caller.now)
  let over = links.filter { $0.isOver(at: now) }
  guard links.count - over.count < Limits.linksPerCategoryMax else {
    throw .refused(.quota(limit: "links", max: Limits.linksPerCategoryMax))
  }
  let seq = try world.nextSeq(of: stream)
  let link = GuestLink(
    id: id, guest: new.guest ?? UserID(id.uuid.asLinkGuest),
    made: Stamp(at: now, by: caller.user), endsAt: now.after(days: new.days), seq: seq)
  // Links whose time is over make room: nothing else takes them out of the state.
  let ops = over.map { Op.link(.ended($0.id)) } + [.link(.made(link))]
  return Decision(
    drafts: [Draft(stream: stream, ops: ops)], accounts: [.codeSpent(mark, by: caller.user)])
}

private func revokeLink(
  _ id: LinkID, in category: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  _ = try enter(category, for: .link(.revoke), evenRemoved: true, by: caller, in: &world)
  let stream = StreamID.category(category)
  guard try world.links(in: stream).contains(where: { $0.id == id }) else {
    throw .refused(.notFound("link"))
  }
  return Decision(drafts: [Draft(stream: stream, ops: [.link(.ended(id))])])
}

/// Ends the links of somebody who may make none with the role that is left to them.
func endLinks(
  of maker: UserID, beyond role: Role?, in stream: StreamID, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  guard case .category = stream else { return }
  if let role, Permission.allows(role, .link(.make)) { return }
  for link in try world.links(in: stream) where link.made.by == maker {
    drafting.add(.link(.ended(link.id)), to: stream)
  }
}
