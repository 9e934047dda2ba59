// A post goes to another list. Both lists get one event in one transaction. In this list the post is gone, and the
// event does not say where to; in the other list it comes whole, as it is now. The post's earlier events stay in this
// list's log. So nobody learns anything of a list that they are not in.
//
// A rest without text stays here: the number, by which members of both lists are told where the post is. When the post
// comes back, it has that number again. The lists that it has been in are kept beside the events (`PostTrail`), so that
// erasing its text takes it out of all of them.

func transferPost(
  _ target: PostTarget, to destination: CategoryID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: .post(.moveTo), by: caller, in: &world)
  let (from, to) = (target.address.category, destination)
  guard from != to else {
    throw .refused(.invalid(field: "to", reason: "must be another category"))
  }
  try refuseUnconfirmed(post, in: target.stream, for: .post(.moveTo), by: caller, in: &world)
  try world.require(Need.toChange(PostAddress(category: to, post: post.id), by: caller.user))
  let home = try enter(to, for: .post(.moveTo), by: caller, in: &world)
  let old = try world.post(post.id, in: to)
  if let old, old.moved == nil { throw .refused(.exists(field: "id")) }
  let trail = try trail(of: post, from: from, to: to, in: &world)
  var arriving = Arrival(post, from: from, to: to, seq: try world.nextSeq(of: .category(to)))
  try arriving.take(number: old?.number ?? home.lastPost + 1, caller, &world)
  let there = try home.counters.adding(arriving.post)
  var here = category.counters
  here.add(post, -1)
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  var drafting = Drafting()
  drafting.add(
    Draft(
      stream: target.stream,
      ops: [.post(.movedOut(post.id, version: post.version + 1, stamp, here))],
      trails: [PostTrail(post: post.id, lists: [to])]))
  drafting.add(
    Draft(
      stream: .category(to),
      ops: arriving.tags.map { .tag(.added($0)) } + [.post(.movedIn(arriving.post, there))],
      trails: [PostTrail(post: post.id, lists: trail)]))
  return Decision(
    drafts: try drafting.drafts(), number: arriving.post.number, version: arriving.post.version)
}

/// Returns the lists where the post has been, without the one where it goes. Refused when there are too many to be
/// erased at once.
private func trail(
  of post: Post, from: CategoryID, to: CategoryID, in world: inout World
) throws(Halt) -> [CategoryID] {
  var lists = Set(try world.formerLists(of: post, in: from) + [from])
  lists.remove(to)
  guard lists.count <= Limits.listsPerPostMax else {
    throw .refused(.quota(limit: "postLists", max: Limits.listsPerPostMax))
  }
  lists.remove(from)
  return lists.sorted() + [from]
}

/// A post as it is in the list where it arrives.
struct Arrival {
  private(set) var post: Post
  /// The tags that are made for it.
  private(set) var tags: [Tag] = []
  private let from: StreamID
  private let to: StreamID
  private let seq: Int64

  init(_ post: Post, from: CategoryID, to: CategoryID, seq: Int64) {
    self.post = post
    self.from = .category(from)
    self.to = .category(to)
    self.seq = seq
  }

  /// Takes the post into the list. `version` is nil for the next one.
  mutating func take(
    number: Int, version: Int? = nil, _ caller: Caller, _ world: inout World
  ) throws(Halt) {
    let before = post
    post.number = number
    post.position = nil
    post.version = version ?? post.version + 1
    post.updatedAt = try world.time(in: to, at: caller.now)
    post.came = seq
    // The new list tells anew that its deadline has passed: each list's log tells it once, and days end by its own
    // zone.
    post.overdue = nil
    post.endWork()
    post.lastRun = nil
    post.completed = before.completed.map { Completion(at: $0.at, by: $0.by, seq: seq) }
    try takeTags(before.tags, &world)
    try takeAssignees(before.assignees, &world)
    try takeParts(&world)
    try takeContest(&world)
  }

  /// Takes the tags by name. Tags that the list lacks are made, as far as there is room.
  mutating func takeTags(_ ids: [TagID], _ world: inout World) throws(Halt) {
    guard !ids.isEmpty, from != to else { return }
    try world.require([.objects(from, .tag), .objects(to, .tag)])
    let (old, present) = (try world.tags(of: from), try world.tags(of: to))
    var taken: [TagID] = []
    for id in ids {
      guard let tag = old.first(where: { $0.id == id }) else { continue }
      if let same = present.first(where: { $0.id == id || $0.isTwin(of: tag) }) {
        taken.append(same.id)
      } else if present.count + tags.count < Limits.tagsPerCategoryMax {
        tags.append(tag)
        taken.append(id)
      }
    }
    post.tags = Set(taken).sorted()
  }

  /// Takes the parts of people who are in the list too.
  private mutating func takeParts(_ world: inout World) throws(Halt) {
    try world.require(
      post.parts.flatMap { part in
        [from, to].map { .object($0, ObjectKey(kind: .member, id: part.user.uuid)) }
      })
    var taken: [PostPart] = []
    for it in post.parts where try world.member(it.user, of: from)?.holds(it) == true {
      guard try world.member(it.user, of: to)?.role != nil else { continue }
      taken.append(PostPart(user: it.user, at: it.at, seq: seq))
    }
    post.parts = taken
  }

  /// Takes all amounts, and of people who are in the list too who joined, who withdrew and who took a step.
  private mutating func takeContest(_ world: inout World) throws(Halt) {
    guard post.contest != nil else { return }
    let people = Set(post.entries.map(\.user) + post.shares.map(\.user)).sorted()
    try world.require(people.flatMap { user in [from, to].map { .member(user, of: $0) } })
    var entries: [ContestEntry] = []
    for entry in post.entries {
      let isHeld = try world.member(entry.user, of: from)?.holds(entry) == true
      let isHere = try world.member(entry.user, of: to)?.role != nil
      let taken = ContestEntry(
        user: entry.user, seq: seq, amount: entry.amount,
        isIn: isHeld && isHere ? entry.isIn : nil)
      entries = entries.with(taken)
    }
    var shares: [StepShare] = []
    for share in post.shares where try world.member(share.user, of: from)?.holds(share) == true {
      guard try world.member(share.user, of: to)?.role != nil else { continue }
      shares.append(StepShare(step: share.step, user: share.user, seq: seq))
    }
    (post.entries, post.shares) = (entries, shares)
  }

  /// Takes the assignments of people who are in the list too.
  private mutating func takeAssignees(
    _ assignments: [Assignment], _ world: inout World
  ) throws(Halt) {
    try world.require(
      assignments.flatMap { assignment in
        [from, to].map { .object($0, ObjectKey(kind: .member, id: assignment.user.uuid)) }
      })
    var taken: [Assignment] = []
    for it in assignments where try world.counts(it, in: from) {
      guard try world.member(it.user, of: to)?.role != nil else { continue }
      taken.append(Assignment(user: it.user, seq: seq))
    }
    post.assignees = taken
    if let occurrence = post.occurrence {
      post.repeats = post.repeats?.at(occurrence.kept(for: taken.map(\.user)))
    }
  }
}

extension World {
  /// Returns the other lists that a post which is here has been in.
  mutating func formerLists(of post: Post, in list: CategoryID) throws(Halt) -> [CategoryID] {
    guard let came = post.came else { return [] }
    return try trails(at: StreamPosition(stream: .category(list), seq: came)).lists(of: post.id)
  }

  /// Returns the refusal for a post that went away. Where it went is told only to a caller who may see it there. One
  /// step is enough: a caller who is in both lists is told the next one there.
  mutating func whereabouts(
    of post: Post, from list: CategoryID, for user: UserID
  ) throws(Halt) -> Refusal {
    guard let went = post.moved,
      let next = try trails(at: StreamPosition(stream: .category(list), seq: went))
        .lists(of: post.id).last,
      try member(user, of: .category(next))?.role != nil,
      let there = try self.post(post.id, in: next), there.moved == nil
    else { return .gone("post") }
    return .moved(to: next)
  }
}

extension Post {
  /// Returns the rest of the post in a list that it has left. It has no text.
  func left(_ stamp: Stamp, by event: Event, version: Int) -> Post {
    var rest = Post(
      id: id, number: number, title: "", notes: "", addedBy: addedBy, createdAt: createdAt,
      updatedAt: event.at, version: version, removed: stamp, erased: erased)
    rest.moved = event.seq
    // The source by which it is found stays, so that a repeated import does not add it again, until this event is
    // forgotten.
    rest.source = source.map { Source(name: $0.name, id: $0.id) }
    return rest
  }
}
