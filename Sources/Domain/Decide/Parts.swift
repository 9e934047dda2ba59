// Posts that everybody completes for themselves (Model/PostMode.swift). `post.complete` completes the caller's part,
// and the post with the last one; `post.reopen` opens the caller's part, and the post if it was completed. An editor
// who has no part in it, or who says `forAll`, closes the post for all, and opens it again without touching what
// others have done. Nothing looks for such posts when somebody leaves: that would cost a search of the whole list in
// every leave, so where the last who has not completed theirs goes, whoever completes theirs again or for all closes
// it.

extension World {
  /// Completes the post, or what of it is the caller's. `next`: the occurrence that follows then. `isForAll`: the
  /// caller means the post, also with a part in it; only who completes others' work may.
  mutating func complete(
    _ making: inout PostMaking, _ next: Occurrence?, in stream: StreamID, isForAll: Bool,
    by caller: Caller
  ) throws(Halt) {
    let post = making.post
    // What all have done and submitted is confirmed as a whole.
    let confirms = post.submitted != nil && !making.submits
    guard post.mode == .each, !confirms else { return making.complete(next) }
    let people = try participants(of: post, in: stream)
    guard people.contains(caller.user), !isForAll else {
      let role = try role(of: caller.user, in: stream, for: .postComplete, in: &self)
      guard Permission.completesOthersWork(role) else {
        let own = isForAll ? "" : ", and has none in this"
        throw .refused(.forbidden("a doer completes only an own part\(own)"))
      }
      return making.complete(next)
    }
    var done = try partsDone(of: post, in: stream)
    if done.insert(caller.user).inserted {
      guard post.parts.count < Limits.partsPerPostMax else {
        throw .refused(.quota(limit: "parts", max: Limits.partsPerPostMax))
      }
      making.completePart(of: caller.user)
    }
    if people.isSubset(of: done) { making.complete(next) }
  }

  /// Who has a part in it now: whose work it is, or everybody.
  mutating func participants(
    of post: Post, in stream: StreamID
  ) throws(Halt) -> Set<UserID> {
    let workers = try workers(on: post, in: stream)
    if !workers.isEmpty { return Set(workers) }
    return Set(try members(of: stream).filter(\.sharesInAll).map(\.id))
  }

  /// Whose part is completed, of those that count.
  mutating func partsDone(of post: Post, in stream: StreamID) throws(Halt) -> Set<UserID> {
    try require(post.parts.map { .member($0.user, of: stream) })
    var done: Set<UserID> = []
    for part in post.parts where try member(part.user, of: stream)?.holds(part) == true {
      done.insert(part.user)
    }
    return done
  }

  /// Whether this person's part is completed; not with one from before they left and came in anew.
  mutating func hasPart(
    _ user: UserID, in post: Post, of stream: StreamID
  ) throws(Halt) -> Bool {
    guard let part = post.parts.first(where: { $0.user == user }) else { return false }
    return try member(user, of: stream)?.holds(part) == true
  }
}

extension PostMaking {
  fileprivate mutating func completePart(of user: UserID) { mark(.partCompleted(user)) }

  /// The own part of whoever reopens it; nothing when it is not completed.
  mutating func reopenPart(of user: UserID) {
    if post.parts.contains(user) { mark(.partReopened(user)) }
  }
}
