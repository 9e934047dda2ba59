// Undo is a command like any other (DESIGN §4): it appends the inverse, judged as if its author now sent it. Redo is
// the undo of an undo's event. The order of what is asked:
//   is there such a list, is the caller a member, may the role undo?   notFound, forbidden
//   are there such events, and may the caller read them?               notFound
//   are they the caller's own, or is the caller an admin?              forbidden
//   can any of it be undone at all?                                    forbidden
//   was it looked at before (needed for what others did)?              invalid
//   is everything so already, or set by others since?                  no drafts: `changed: false`
// Preview and command are one function on one kind of world, so the preview shows what the command does.

func undo(
  _ target: UndoTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let plan = try undoPlan(target, by: caller, in: &world)
  if let seen = target.seen {
    guard seen == plan.seen else {
      throw .refused(.invalid(field: "seen", reason: "is of another state; preview it again"))
    }
  } else if !plan.isOwn {
    throw .refused(
      .invalid(field: "seen", reason: "is missing; what others did is undone after a preview"))
  }
  var decision = Decision(drafts: plan.drafts, skipped: plan.skipped)
  decision.unseen = plan.unseen
  return decision
}

/// Returns the plan of an undo at this moment.
package func undoPlan(
  _ target: UndoTarget, by actor: Actor, at now: Timestamp, in world: inout World
) throws(Halt) -> UndoPlan {
  // The values that it brings back were worked out when they came about.
  let caller = Caller(user: actor.user, session: actor.session, now: now, almanac: .none)
  let plan = try undoPlan(target, by: caller, in: &world)
  try plan.refuseElsewhere(by: actor.token)
  return plan
}

private func undoPlan(
  _ target: UndoTarget, by caller: Caller, in world: inout World
) throws(Halt) -> UndoPlan {
  let role = try role(of: caller.user, in: target.stream, for: .single(.undo), in: &world)
  let first = try pastEvents(target.events, of: target.stream, by: caller, in: &world)
  let isOwn = first.allSatisfy { $0.event.by == caller.user }
  guard isOwn || Permission.undoesOthers(role) else {
    throw .refused(.forbidden("only admins and owners undo what others did"))
  }
  if let only = first.first, first.count == 1, only.onlyMoves {
    var plan = UndoPlan()
    plan.isOwn = isOwn
    var mark = Fingerprint()
    let others = try companions(of: only, in: target.stream, by: caller, &world)
      .flatMap { stream, _, past in past.filter(\.onlyMoves).map { (stream, $0) } }
    try planMovesBack(
      [(target.stream, only)] + others, by: caller, to: &plan, { mark.add($0) }, &world)
    plan.seen = mark.text
    return plan
  }
  var all = [(target.stream, role, first)]
  if let only = first.first, first.count == 1 {
    all += try companions(of: only, in: target.stream, by: caller, &world)
  }
  guard all.contains(where: { $0.2.contains { $0.event.ops.contains(where: \.isTakenBack) } })
  else {
    throw .refused(
      .forbidden(
        "members, invitations, profiles, claims, runs and the beginning of a list "
          + "are never undone"))
  }
  var plan = UndoPlan()
  plan.isOwn = isOwn
  var mark = Fingerprint()
  for (stream, role, past) in all.sorted(by: { $0.0 < $1.0 }) {
    try add(past, of: stream, role, by: caller, to: &plan, &mark, in: &world)
  }
  plan.seen = mark.text
  return plan
}

// MARK: The events to take back

/// Returns the events with these numbers, ascending. They are read one after the other, so that the bytes stay bounded.
private func pastEvents(
  _ numbers: [Int64], of stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> [PastEvent] {
  let first = try firstRead(by: caller.user, in: stream, &world)
  var events: [PastEvent] = []
  var bytes = 0
  for seq in numbers {
    guard seq >= first, let past = try world.past(StreamPosition(stream: stream, seq: seq)) else {
      throw .refused(.notFound("event"))
    }
    bytes += past.bytes
    guard events.isEmpty || bytes <= Limits.undoBytesMax else {
      throw .refused(.tooLarge(field: "events", max: events.count))
    }
    events.append(past)
  }
  return events
}

/// Returns the number of the first event of a stream that a member may read (`history`, protocol §8).
func firstRead(
  by user: UserID, in stream: StreamID, _ world: inout World
) throws(Halt) -> Int64 {
  let joinedSeq = try world.member(user, of: stream)?.joinedSeq ?? 0
  guard case .category(let id) = stream, let category = try world.category(id) else {
    return joinedSeq
  }
  return category.history.begins(joinedSeq: joinedSeq)
}

/// Returns the events of the same command in other streams where the caller may undo. Those elsewhere are not
/// mentioned.
private func companions(
  of past: PastEvent, in stream: StreamID, by caller: Caller, _ world: inout World
) throws(Halt) -> [(StreamID, Role, [PastEvent])] {
  guard let by = past.event.by, let key = past.event.key else { return [] }
  let own = StreamPosition(stream: stream, seq: past.event.seq)
  let found = try events(ofCommand: key, by: by, at: own, caller, &world)
  var companions: [(StreamID, Role, [PastEvent])] = []
  for position in found where position.stream != stream {
    guard position.stream.letter != caller.stream.letter,
      let member = try world.member(caller.user, of: position.stream), let role = member.role,
      position.seq >= (try firstRead(by: caller.user, in: position.stream, &world)),
      Permission.allows(role, .single(.undo)),
      by == caller.user || Permission.undoesOthers(role),
      let other = try world.past(position), other.event.transaction == past.event.transaction
    else { continue }
    companions.append((position.stream, role, [other]))
  }
  return companions
}

/// Returns every event of the command that wrote one of them. The answer of a command about several lists lives in the
/// first one's log: mostly that of the event, or else in one of the caller's.
private func events(
  ofCommand key: CommandKey, by user: UserID, at own: StreamPosition, _ caller: Caller,
  _ world: inout World
) throws(Halt) -> [StreamPosition] {
  for home in [own.stream, .user(user)] {
    let found = try world.events(ofCommand: key, by: user, home: home)
    if found.contains(own) { return found }
  }
  let others = try world.memberships(of: caller.user).map(\.stream)
  try world.require(others.map { .commandEvents(home: $0, by: user, key) })
  for home in others {
    let found = try world.events(ofCommand: key, by: user, home: home)
    if found.contains(own) { return found }
  }
  return []
}

// MARK: One stream

private func add(
  _ past: [PastEvent], of stream: StreamID, _ role: Role, by caller: Caller,
  to plan: inout UndoPlan, _ mark: inout Fingerprint, in world: inout World
) throws(Halt) {
  if past.contains(where: { $0.event.ops.contains(where: \.isMissedByUndo) }) {
    plan.skipped.append(UndoSkip(stream: stream, post: nil, number: nil, reason: .never))
  }
  guard case .category(let id) = stream else { return }
  let moved = try movedPosts(past, of: id, &world)
  plan.skipped += moved
  let posts = try posts(of: past, in: stream, &world)
  guard let category = try world.category(id) else { throw .refused(.notFound(stream.noun)) }
  if category.removed != nil, let group = category.group,
    try world.group(group)?.removed != nil
  {
    plan.skipped.append(UndoSkip(stream: stream, post: nil, number: nil, reason: .removed))
    return
  }
  let time = try world.time(in: stream, at: caller.now)
  let tags = try tags(of: past, in: stream, &world)
  let occurrences = try occurrences(of: past, in: stream, &world)
  var wanted = Reversal(category: category, posts: posts, tags: tags, occurrences: occurrences)
  for event in past.reversed() {
    wanted.takeBack(event, in: stream, stamp: Stamp(at: time, by: caller.user))
  }
  wanted.settle(posts)
  try wanted.dismissFormer(posts, in: stream, &world)
  wanted.follow(posts)
  try wanted.settleParts(posts, in: stream, role, caller.user, &world)
  let work = try work(in: posts, of: stream, for: role, caller.user, &world)
  let begun = UndoMaking(
    stream: stream, by: caller.user, role, category: category, tags: tags, work: work, time: time)
  var making = try begun.made(of: posts, wanted)
  making.dropSkips(of: moved.compactMap(\.post))
  plan.add(making, undoing: wanted.events.sorted())
  mark.add(
    "\(stream) \(past.map(\.event.seq)) \(category.name) \(String(describing: category.removed?.at))"
  )
  mark.add("\(category.zone) \(String(describing: category.color))")
  if let archived = category.archived { mark.add("archived \(archived.at)") }
  if category.talk == .off { mark.add("talk off") }
  for post in posts { mark.add("\(post.id) \(post.version)") }
  for tag in tags.values.sorted(by: { $0.id < $1.id }) { mark.add("\(tag)") }
  for step in making.steps { mark.add("\(String(describing: step.post)) \(step.does)") }
  for skip in making.skipped {
    mark.add("\(String(describing: skip.post)) \(skip.reason.rawValue)")
  }
}

/// Notes whose work these posts are. They are given as they are now.
private func work(
  in posts: [Post], of stream: StreamID, for role: Role, _ user: UserID, _ world: inout World
) throws(Halt) -> UndoWork {
  var work = UndoWork()
  for post in posts {
    if try world.hasPart(user, in: post, of: stream) { work.parts.insert(post.id) }
    guard !Permission.completesOthersWork(role) else { continue }
    if try world.isOthersWork(post, in: stream, than: user) { work.others.insert(post.id) }
  }
  return work
}

/// Returns the ends of occurrences by these events and, as far as they are kept, by the events that they took back, but
/// no more of those than one undo may read.
private func occurrences(
  of past: [PastEvent], in stream: StreamID, _ world: inout World
) throws(Halt) -> OccurrenceHistory {
  let undone = try undoneEvents(by: past, in: stream, &world)
  var occurrences = OccurrenceHistory()
  for event in past {
    for seq in event.event.undoes {
      if let undone = undone[seq] { occurrences.add(undone) }
    }
    occurrences.add(event)
  }
  return occurrences
}

/// Returns, by number, the events that were taken back when these brought occurrences back. They are asked for some at
/// a time: each question begins the decision anew.
private func undoneEvents(
  by past: [PastEvent], in stream: StreamID, _ world: inout World
) throws(Halt) -> [Int64: PastEvent] {
  let all = past.filter(\.event.bringsOccurrencesBack).flatMap(\.event.undoes)
  var rest = all.prefix(Limits.undoEventsMax)
  var (found, bytes): ([Int64: PastEvent], Int) = ([:], 0)
  while !rest.isEmpty, bytes <= Limits.undoBytesMax {
    let part = rest.prefix(Limits.undoEventsAtOnce)
    rest = rest.dropFirst(part.count)
    try world.require(part.map { .past(StreamPosition(stream: stream, seq: $0)) })
    for seq in part {
      guard let event = try world.past(StreamPosition(stream: stream, seq: seq)) else { continue }
      found[seq] = event
      bytes += event.bytes
    }
  }
  return found
}

/// Returns all tags of the category when the events are about one of them, and none otherwise.
private func tags(
  of past: [PastEvent], in stream: StreamID, _ world: inout World
) throws(Halt) -> [TagID: Tag] {
  let isAbout = past.contains { past in
    past.event.ops.contains { if case .tag = $0 { true } else { false } }
  }
  guard isAbout else { return [:] }
  return Dictionary(
    try world.tags(of: stream).map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
}

/// Returns the posts that the events are about, as they are now, by number.
private func posts(
  of past: [PastEvent], in stream: StreamID, _ world: inout World
) throws(Halt) -> [Post] {
  var keys: Set<ObjectKey> = []
  for event in past {
    for op in event.event.ops where op.isUndone {
      guard let key = op.touches(in: stream).first, key.kind == .post else { continue }
      keys.insert(key)
    }
  }
  guard keys.count <= Limits.undoPostsMax else {
    throw .refused(.quota(limit: "undoPosts", max: Limits.undoPostsMax))
  }
  let category = ObjectKey(kind: .category, id: stream.uuid)
  let sorted = keys.sorted()
  try world.require((sorted + [category]).map { .object(stream, $0) } + [.head(stream)])
  var posts: [Post] = []
  for key in sorted {
    if case .post(let post) = try world.object(key, in: stream) { posts.append(post) }
  }
  return posts.sorted { $0.number < $1.number }
}

/// FNV-1a of 64 bits. It tells states apart and protects nothing.
private struct Fingerprint {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ line: String) {
    for byte in line.utf8 { mix(byte) }
    mix(0x0A)
  }

  var text: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private mutating func mix(_ byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
