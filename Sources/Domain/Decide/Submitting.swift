// Occurrences that count when an admin says so (protocol §3.6, `confirm`). Who is none and completes one submits it:
// the post stays as it is, open and due, and says who has done it when. An admin who completes it then confirms that:
// the occurrence is over, by whoever submitted it, and the next one comes. `post.reopen` returns it: whoever
// submitted it, or an editor, says that it is not done. A new open step does the same, as it reopens a completed
// post.

extension World {
  /// Whether the caller can only submit it.
  mutating func mustSubmit(
    _ post: Post, in stream: StreamID, for method: Method, by caller: Caller
  ) throws(Halt) -> Bool {
    guard post.repeats?.confirms == true else { return false }
    return !Permission.confirms(
      try role(of: caller.user, in: stream, for: method, in: &self))
  }
}

/// Whoever has to be confirmed does not take that away.
func refuseUnconfirmed(
  _ post: Post, in stream: StreamID, for method: Method, by caller: Caller, in world: inout World
) throws(Halt) {
  guard try world.mustSubmit(post, in: stream, for: method, by: caller) else { return }
  throw .refused(
    .forbidden("an admin confirms this post, and only admins move it or change how it comes again"))
}

/// Of a post that is open: the caller's part, and what was submitted with it.
func reopenPart(
  of post: Post, in stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  guard try world.hasPart(caller.user, in: post, of: stream) else {
    return try returnPost(post, in: stream, by: caller, in: &world)
  }
  try refuseOthersWork(post, in: stream, for: .postReopen, by: caller, in: &world)
  let returned: [PostMark] = post.submitted == nil ? [] : [.returned]
  return changed(post, in: stream, by: [.partReopened(caller.user)] + returned)
}

private func returnPost(
  _ post: Post, in stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  guard post.submitted != nil else { return unchanged(post) }
  let role = try role(of: caller.user, in: stream, for: .postReopen, in: &world)
  guard Permission.allows(role, touching: post.submitted, of: caller.user) else {
    throw .refused(.forbidden("a doer returns only what they submitted themselves"))
  }
  try refuseOthersWork(post, in: stream, for: .postReopen, by: caller, in: &world)
  return changed(post, in: stream, by: [.returned])
}
