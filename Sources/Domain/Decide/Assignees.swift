// Assigns posts to people. A person to whom somebody else assigns a post is told in their `u:`, in the same
// transaction.

func assignPost(
  _ target: PostTarget, to user: UserID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = target.stream
  let (_, post) = try open(target, for: .post(.assign), by: caller, in: &world)
  guard try world.member(user, of: stream)?.role != nil else {
    throw .refused(.notFound("member"))
  }
  if let known = post.assignees.first(where: { $0.user == user }),
    try world.counts(known, in: stream)
  {
    return unchanged(post)
  }
  var marks = [PostMark.assigned(user)]
  if !post.assignees.contains(user), post.assignees.count >= Limits.assigneesPerPostMax {
    // An assignment that does not count any more makes room.
    let workers = try world.workers(on: post, in: stream)
    guard let former = post.assignees.first(where: { !workers.contains($0.user) }) else {
      throw .refused(.quota(limit: "assignees", max: Limits.assigneesPerPostMax))
    }
    marks.insert(.unassigned(former.user), at: 0)
  }
  var decision = changed(post, in: stream, by: marks)
  guard user != caller.user else { return decision }
  var drafting = Drafting()
  for draft in decision.drafts { drafting.add(draft) }
  drafting.add(.personal(.assignmentAdded(stream, post.id)), to: .user(user))
  decision.drafts = try drafting.drafts()
  return decision
}

/// Takes an assignment away, also from a person who has left.
func unassignPost(
  _ target: PostTarget, from user: UserID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .post(.unassign), by: caller, in: &world)
  guard post.assignees.contains(user) else { return unchanged(post) }
  return changed(post, in: target.stream, by: [.unassigned(user)])
}

/// Refuses doers who complete or reopen posts that are others' work. They may do so with their own and with nobody's.
func refuseOthersWork(
  _ post: Post, in stream: StreamID, for method: Method, by caller: Caller, in world: inout World
) throws(Halt) {
  let role = try role(of: caller.user, in: stream, for: method, in: &world)
  guard !Permission.completesOthersWork(role),
    try world.isOthersWork(post, in: stream, than: caller.user)
  else { return }
  // A person who has joined a race does their own part of others' work, and none of its steps.
  let isOwnPart = method == .post(.complete) || method == .post(.reopen)
  if isOwnPart, post.contest == .race,
    try world.participants(of: post, in: stream).contains(caller.user)
  {
    return
  }
  throw .refused(.forbidden("a doer completes and reopens only what is nobody's or their own"))
}

extension World {
  mutating func counts(_ assignment: Assignment, in stream: StreamID) throws(Halt) -> Bool {
    try member(assignment.user, of: stream)?.holds(assignment) == true
  }

  /// Returns the assignees who count, in their order. Empty when the post is nobody's work.
  mutating func workers(on post: Post, in stream: StreamID) throws(Halt) -> [UserID] {
    try require(post.assignees.map { .object(stream, ObjectKey(kind: .member, id: $0.user.uuid)) })
    var people: [UserID] = []
    for assignment in post.assignees where try counts(assignment, in: stream) {
      people.append(assignment.user)
    }
    return people
  }

  /// Answers whether the post is somebody's work, and not this person's.
  mutating func isOthersWork(
    _ post: Post, in stream: StreamID, than user: UserID
  ) throws(Halt) -> Bool {
    let workers = try workers(on: post, in: stream)
    return !workers.isEmpty && !workers.contains(user)
  }
}
