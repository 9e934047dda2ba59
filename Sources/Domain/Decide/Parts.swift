// Completes posts that are for each (Model/PostMode.swift). `post.complete` completes the caller's part, and with the
// last part the post. `post.reopen` opens the caller's part, and the post if it was completed. An editor who has no
// part in it, or who says `forAll`, completes the post for all, and opens it again without touching what others have
// done. Nothing looks for such posts when somebody leaves or gets another role: that would cost a search of the whole
// list each time. So when the last person without a completed part leaves, or has no part any more, the post is
// completed by the next one who completes their part again or completes it for all.

extension World {
  /// Completes the post, or the caller's part of it. `next` is the occurrence that follows then. `isForAll` says that
  /// the caller means the post, even if they have a part in it; only a member who may complete others' work may do
  /// that.
  mutating func complete(
    _ making: inout PostMaking, _ next: Occurrence?, in stream: StreamID, isForAll: Bool,
    by caller: Caller
  ) throws(Halt) {
    let post = making.post
    // A post that all have done and submitted is confirmed as a whole.
    let confirms = post.submitted != nil && !making.submits
    guard post.mode == .each, !confirms else { return making.complete(next) }
    let people = try participants(of: post, in: stream)
    guard people.contains(caller.user), !isForAll else {
      let role = try role(of: caller.user, in: stream, for: .post(.complete), in: &self)
      guard Permission.completesOthersWork(role) else {
        let own = isForAll ? "" : ", and has none in this"
        throw .refused(.forbidden("a doer completes only an own part\(own)"))
      }
      return making.complete(next)
    }
    try completePart(of: caller.user, among: people, &making, next, in: stream)
  }

  /// Completes this person's part, and with the last one of `people` the post. Who finishes a race with a goal has
  /// reached the goal.
  mutating func completePart(
    of user: UserID, among people: Set<UserID>, _ making: inout PostMaking, _ next: Occurrence?,
    in stream: StreamID
  ) throws(Halt) {
    let post = making.post
    var done = try partsDone(of: post, in: stream)
    if done.insert(user).inserted {
      guard post.parts.count < Limits.partsPerPostMax else {
        throw .refused(.quota(limit: "parts", max: Limits.partsPerPostMax))
      }
      if post.contest == .race, let goal = post.goal, post.amount(of: user) < goal.amount,
        post.hasRoom(for: user)
      {
        try say(goal.amount, of: user, &making, in: stream)
      }
      making.completePart(of: user)
    }
    if people.isSubset(of: done) { making.complete(next) }
  }

  /// Returns the people who have a part in it now: its assignees, or everybody with its role. In a race others may have
  /// joined, and some have withdrawn.
  mutating func participants(
    of post: Post, in stream: StreamID
  ) throws(Halt) -> Set<UserID> {
    let workers = try workers(on: post, in: stream)
    let people =
      try workers.isEmpty
      ? members(of: stream).filter { post.isShared(with: $0) }.map(\.id) : workers
    return try racers(in: post, among: Set(people), of: stream)
  }

  /// Returns the people whose part is completed and counts.
  mutating func partsDone(of post: Post, in stream: StreamID) throws(Halt) -> Set<UserID> {
    try require(post.parts.map { .member($0.user, of: stream) })
    var done: Set<UserID> = []
    for part in post.parts where try member(part.user, of: stream)?.holds(part) == true {
      done.insert(part.user)
    }
    return done
  }

  /// Answers whether this person's part is completed. A part from before they left and came in anew does not count.
  mutating func hasPart(
    _ user: UserID, in post: Post, of stream: StreamID
  ) throws(Halt) -> Bool {
    guard let part = post.parts.first(where: { $0.user == user }) else { return false }
    return try member(user, of: stream)?.holds(part) == true
  }
}

extension PostEdit {
  /// Refuses a role where the post has no mode after this edit.
  func refuseRoleWithoutMode(of post: Post) throws(Halt) {
    guard case .set = modeRole else { return }
    var mode = post.mode
    self.mode.apply(to: &mode)
    guard mode != nil else {
      throw .refused(.invalid(field: "modeRole", reason: "needs the mode each"))
    }
  }
}

extension PostMaking {
  fileprivate mutating func completePart(of user: UserID) { mark(.partCompleted(user)) }

  /// Opens the own part of the person who reopens the post. Does nothing when it is not completed.
  mutating func reopenPart(of user: UserID) {
    if post.parts.contains(user) { mark(.partReopened(user)) }
  }
}
