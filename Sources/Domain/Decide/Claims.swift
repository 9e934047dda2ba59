// Claims ("I'm on it", Model/PostClaim.swift) are for people and for programs that work through a list.
//
// `claimNext` takes the first post of the list in the list's own order, which everybody sees and in which new posts
// come last. So every list is a queue, and to have something done first one moves it up. A program that prefers other
// posts (urgent ones, those that are due) looks for them and claims them one by one; of two that want the same post,
// the second is refused. Two that ask at once never get the same post: commands take effect one after the other.
//
// A request may say how long its claim lasts, and `Limits.claimMilliseconds` holds when it does not.
// Sync/Deadlines/ClaimEnds.swift says when claims end whose time is over.

func claimPost(
  _ target: PostTarget, for lease: Int64, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .post(.claim), by: caller, in: &world)
  guard post.completed == nil, post.submitted == nil else { throw .refused(.conflict(post)) }
  let role = try role(of: caller.user, in: target.stream, for: .post(.claim), in: &world)
  if !Permission.completesOthersWork(role),
    try world.isOthersWork(post, in: target.stream, than: caller.user)
  {
    throw .refused(.forbidden("a doer claims only what is nobody's work or their own"))
  }
  let now = try world.time(in: target.stream, at: caller.now)
  if let claim = try world.claim(of: post, in: target.stream, at: now), claim.user != caller.user {
    throw .refused(.conflict(post))
  }
  return claimed(post, in: target.stream, until: now.after(lease), by: caller)
}

/// Claims the first open post that nobody is on and that is nobody else's work. Posts that are for each are in no
/// queue: such a post would be the first again for everybody who has done their part. When there is none, that is a
/// refusal: a program that waits for work asks often, and a refusal is written nowhere.
func claimNextPost(
  of category: CategoryID, for lease: Int64, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = StreamID.category(category)
  try world.require([
    .head(stream), .object(stream, stream.headKey),
    .object(stream, ObjectKey(kind: .member, id: caller.user.uuid)),
    .queue(category, for: caller.user),
  ])
  _ = try enter(category, for: .post(.claimNext), by: caller, in: &world)
  let now = try world.time(in: stream, at: caller.now)
  for candidate in try world.queue(of: category, for: caller.user) {
    guard let post = try world.post(candidate.id, in: category), post.completed == nil,
      post.removed == nil, post.submitted == nil, post.mode == nil,
      try world.claim(of: post, in: stream, at: now) == nil,
      try !world.isOthersWork(post, in: stream, than: caller.user)
    else { continue }
    return claimed(post, in: stream, until: now.after(lease), by: caller)
  }
  throw .refused(.notFound("post"))
}

/// Releases the caller's own claim. Editors also release the claims of others.
func releasePost(
  _ target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .post(.release), by: caller, in: &world)
  let now = try world.time(in: target.stream, at: caller.now)
  guard let claim = try world.claim(of: post, in: target.stream, at: now) else {
    return unchanged(post)
  }
  let role = try role(of: caller.user, in: target.stream, for: .post(.release), in: &world)
  guard claim.user == caller.user || Permission.completesOthersWork(role) else {
    throw .refused(.forbidden("a doer gives back only what they claimed themselves"))
  }
  return changed(
    post, in: target.stream, by: .claim(post.id, .released(version: post.version + 1)))
}

/// Ends the claims whose time is over, in one event. Nil when there are none. It does so in a removed list too:
/// otherwise a list that comes back would show old claims.
package func endClaims(
  _ posts: [PostID], in category: CategoryID, at now: Timestamp, in world: inout World
) throws(Halt) -> Draft? {
  let stream = StreamID.category(category)
  try world.require(
    [.head(stream)] + posts.map { .object(stream, ObjectKey(kind: .post, id: $0.uuid)) })
  var ops: [Op] = []
  for id in posts {
    guard let claim = try world.post(id, in: category)?.claim, claim.until <= now else { continue }
    ops.append(.claim(id, .ended))
  }
  return ops.isEmpty ? nil : Draft(stream: stream, ops: ops)
}

private func claimed(
  _ post: Post, in stream: StreamID, until: Timestamp, by caller: Caller
) -> Decision {
  let version = post.version + 1
  return changed(
    post, in: stream, by: .claim(post.id, .taken(caller.user, until: until, version: version)))
}

extension Timestamp {
  fileprivate func after(_ lease: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds + lease)
  }
}

extension World {
  /// Returns the claim that counts at this moment. Nil when there is none.
  mutating func claim(
    of post: Post, in stream: StreamID, at now: Timestamp
  ) throws(Halt) -> PostClaim? {
    guard let claim = post.claim, now < claim.until,
      try member(claim.user, of: stream)?.holds(claim) == true
    else { return nil }
    return claim
  }
}
