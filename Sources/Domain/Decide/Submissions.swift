// Some occurrences count only when an admin confirms them (protocol §3.6, `confirm`). A member who is no admin and
// completes one submits it: the post stays as it is, open and due, and says who has done it and when. An admin who
// completes it then confirms that: the occurrence is over, completed by the person who submitted it, and the next one
// comes. `post.reopen` returns it: the person who submitted it, or an editor, says that it is not done. A new open step
// does the same, as it reopens a completed post. `Permission.confirms` says which roles confirm.

extension World {
  /// Answers whether the caller can only submit the post.
  mutating func mustSubmit(
    _ post: Post, in stream: StreamID, for method: Method, by caller: Caller
  ) throws(Halt) -> Bool {
    guard post.repeats?.confirms == true else { return false }
    return !Permission.confirms(
      try role(of: caller.user, in: stream, for: method, in: &self))
  }
}

/// Refuses callers who would take the need to confirm away although they have to be confirmed.
func refuseUnconfirmed(
  _ post: Post, in stream: StreamID, for method: Method, by caller: Caller, in world: inout World
) throws(Halt) {
  guard try world.mustSubmit(post, in: stream, for: method, by: caller) else { return }
  throw .refused(
    .forbidden("an admin confirms this post, and only admins move it or change how it comes again"))
}

/// Opens the caller's part of an open post, and returns what was submitted with it.
func reopenPart(
  of post: Post, in stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  guard try world.hasPart(caller.user, in: post, of: stream) else {
    return try returnPost(post, in: stream, by: caller, in: &world)
  }
  try refuseOthersWork(post, in: stream, for: .post(.reopen), by: caller, in: &world)
  let returned: [PostMark] = post.submitted == nil ? [] : [.returned]
  return changed(post, in: stream, by: [.partReopened(caller.user)] + returned)
}

private func returnPost(
  _ post: Post, in stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  guard post.submitted != nil else { return unchanged(post) }
  let role = try role(of: caller.user, in: stream, for: .post(.reopen), in: &world)
  guard Permission.allows(role, touching: post.submitted, of: caller.user) else {
    throw .refused(.forbidden("a doer returns only what they submitted themselves"))
  }
  try refuseOthersWork(post, in: stream, for: .post(.reopen), by: caller, in: &world)
  return changed(post, in: stream, by: [.returned])
}
