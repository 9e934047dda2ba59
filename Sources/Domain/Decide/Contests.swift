// Decides about contests (Model/Contest.swift):
// - Everybody says how far they are themselves. A bot says it for the person who owns it.
// - Places follow from the order of the log. Who reaches the goal of a race has completed their part by that, and a
//   correction below the goal takes the part back.
// - A race completes when all who are in it have finished, also when the last one who has not withdraws. An editor who
//   completes it for all closes it.
// - A coop completes when all amounts together reach the goal, and opens again when a correction brings them below it.
// - A step of a coop is taken by one person. Anybody may finish it.

func decide(
  _ change: ContestChange, of target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch change {
  case .join: try join(target, by: caller, in: &world)
  case .withdraw: try withdraw(target, by: caller, in: &world)
  case .reach(let reach): try reachAmount(reach, in: target, by: caller, in: &world)
  case .claim(let step): try claim(step, in: target, by: caller, in: &world)
  case .release(let step): try release(step, in: target, by: caller, in: &world)
  }
}

private func join(
  _ target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try openRace(target, for: .contest(.join), by: caller, in: &world)
  guard post.completed == nil else { throw .refused(.postConflict(post, Said.over)) }
  let people = try world.participants(of: post, in: target.stream)
  guard !people.contains(caller.user) else { return unchanged(post) }
  try post.refuseMoreEntries(with: caller.user)
  return said(post, in: target.stream, by: .joined(caller.user))
}

private func withdraw(
  _ target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try openRace(target, for: .contest(.withdraw), by: caller, in: &world)
  var people = try world.participants(of: post, in: target.stream)
  guard people.remove(caller.user) != nil else { return unchanged(post) }
  let done = try world.partsDone(of: post, in: target.stream)
  guard !done.contains(caller.user) else { throw .refused(.postConflict(post, Said.finished)) }
  guard post.completed == nil else { throw .refused(.postConflict(post, Said.over)) }
  try post.refuseMoreEntries(with: caller.user)
  var making = try making(post, in: category, target, for: .contest(.withdraw), caller, &world)
  making.say(.withdrew(caller.user), seq: try world.nextSeq(of: target.stream))
  if !people.isEmpty, people.isSubset(of: done) {
    let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
    making.complete(try world.following(post, stamp, in: category, caller.almanac))
  }
  return try making.decision(in: target.stream).tellingTurn(of: post, by: caller.user)
}

/// Says how far somebody is. `isNamed` says that the caller has named the occurrence, and that it is the present one.
func reachAmount(
  _ reach: ContestChange.Reach, in target: PostTarget, isNamed: Bool = false, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: .contest(.reach), by: caller, in: &world)
  guard let goal = post.goal else { throw .refused(.postConflict(post, Said.goalless)) }
  if !isNamed { try refuseUnclear(post, target) }
  let user = try world.person(of: reach, by: caller, in: target.stream)
  let was = post.amount(of: user)
  guard reach.amount >= was || reach.isCorrection else {
    throw .refused(.postConflict(post, Said.less(than: was)))
  }
  var making = try making(post, in: category, target, for: .contest(.reach), caller, &world)
  if post.contest == .race {
    try world.race(to: reach.amount, user, &making, goal, target, category, caller)
  } else {
    try refuseOthersWork(post, in: target.stream, for: .contest(.reach), by: caller, in: &world)
    try world.cooperate(to: reach.amount, user, &making, goal, target, category, caller)
  }
  return try making.decision(in: target.stream).tellingTurn(of: post, by: caller.user)
}

private func claim(
  _ step: StepID, in target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .contest(.claim), by: caller, in: &world)
  let found = try post.stepOfCoop(step)
  guard found.finished == nil else { throw .refused(.postConflict(post, Said.done)) }
  try refuseOthersWork(post, in: target.stream, for: .contest(.claim), by: caller, in: &world)
  if let share = try world.share(of: step, in: post, of: target.stream) {
    guard share.user == caller.user else { throw .refused(.postConflict(post, Said.taken)) }
    return unchanged(post)
  }
  return said(post, in: target.stream, by: .claimed(step, caller.user))
}

private func release(
  _ step: StepID, in target: PostTarget, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .contest(.release), by: caller, in: &world)
  _ = try post.stepOfCoop(step)
  guard let share = try world.share(of: step, in: post, of: target.stream) else {
    return unchanged(post)
  }
  let role = try role(of: caller.user, in: target.stream, for: .contest(.release), in: &world)
  guard share.user == caller.user || Permission.completesOthersWork(role) else {
    throw .refused(.forbidden("a doer gives back only what they claimed themselves"))
  }
  return said(post, in: target.stream, by: .released(step))
}

private enum Said {
  static let noRace = "This post is no race."
  static let noCoop = "Steps are claimed only in a coop."
  static let goalless = "This post has no goal."
  static func less(than amount: Int64) -> String {
    "The amount is \(amount) already. Send correction: true to set less."
  }
  static let over = "This race is over."
  static let notIn = "You are not in this race. Join it first."
  static let finished = "You have finished. Reopen your part before you withdraw."
  static let done = "This step is done."
  static let taken = "Somebody else has this step."
  static let work = "There is work in this post. Send restart: true to take it back."
}

private func openRace(
  _ target: PostTarget, for method: Method, by caller: Caller, in world: inout World
) throws(Halt) -> (Category, Post) {
  let (category, post) = try open(target, for: method, by: caller, in: &world)
  guard post.contest == .race else { throw .refused(.postConflict(post, Said.noRace)) }
  return (category, post)
}

private func making(
  _ post: Post, in category: Category, _ target: PostTarget, for method: Method, _ caller: Caller,
  _ world: inout World
) throws(Halt) -> PostMaking {
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  let submits = try world.mustSubmit(post, in: target.stream, for: method, by: caller)
  return PostMaking(post, category.counters, stamp, submits: submits)
}

/// A change that makes no version of the post.
private func said(_ post: Post, in stream: StreamID, by op: ContestOp) -> Decision {
  Decision(
    drafts: [Draft(stream: stream, ops: [.contest(post.id, op)])], number: post.number,
    version: post.version)
}

extension Post {
  fileprivate func refuseMoreEntries(with user: UserID) throws(Halt) {
    guard hasRoom(for: user) else {
      throw .refused(.quota(limit: "entries", max: Limits.entriesPerPostMax))
    }
  }

  fileprivate func stepOfCoop(_ id: StepID) throws(Halt) -> Step {
    guard contest == .coop else { throw .refused(.postConflict(self, Said.noCoop)) }
    guard let step = step(id) else { throw .refused(.notFound("step")) }
    return step
  }
}

extension Post {
  /// Returns the op that opens a completed post whose work the edit takes back. Nil for any other.
  func restarted(
    by edit: PostEdit, at time: Timestamp, _ counters: Counters
  ) throws(Halt) -> Op? {
    guard completed != nil, edit.beginsAnew, hasContestWork else { return nil }
    var whole = edited(by: edit).opened
    if edit.due != .keep { whole.overdue = nil }
    whole.version = version + 2
    whole.updatedAt = time
    var counters = counters
    counters.done -= 1
    return .post(.reopened(whole, try counters.adding(whole)))
  }
}

extension World {
  /// Returns the people of a race: these, with those who joined and without those who withdrew.
  mutating func racers(
    in post: Post, among people: Set<UserID>, of stream: StreamID
  ) throws(Halt) -> Set<UserID> {
    let said = post.entries.filter { $0.isIn != nil }
    try require(said.map { .member($0.user, of: stream) })
    var racers = people
    for entry in said {
      guard let member = try member(entry.user, of: stream), member.holds(entry) else { continue }
      if entry.isIn == false {
        racers.remove(entry.user)
      } else if let role = member.role, Permission.allows(role, .post(.complete)) {
        racers.insert(entry.user)
      }
    }
    return racers
  }

  /// Says an amount of this person in the event that is being made.
  mutating func say(
    _ amount: Int64, of user: UserID, _ making: inout PostMaking, in stream: StreamID
  ) throws(Halt) {
    try making.post.refuseMoreEntries(with: user)
    let was = making.post.amount(of: user)
    guard amount != was else { return }
    making.say(.reached(user, amount: amount, was: was), seq: try nextSeq(of: stream))
  }

  /// Returns the person whose amount it is.
  fileprivate mutating func person(
    of reach: ContestChange.Reach, by caller: Caller, in stream: StreamID
  ) throws(Halt) -> UserID {
    guard let user = reach.user, user != caller.user else { return caller.user }
    try require([.profile(caller.user), .member(user, of: stream)])
    guard try profile(of: caller.user)?.owner == user else {
      throw .refused(
        .forbidden("only a bot reports for somebody else, and only for its owner"))
    }
    guard let role = try member(user, of: stream)?.role, Permission.allows(role, .contest(.reach))
    else { throw .refused(.notFound("member")) }
    return user
  }

  fileprivate mutating func race(
    to amount: Int64, _ user: UserID, _ making: inout PostMaking, _ goal: Goal,
    _ target: PostTarget, _ category: Category, _ caller: Caller
  ) throws(Halt) {
    let post = making.post
    let people = try participants(of: post, in: target.stream)
    guard people.contains(user) else { throw .refused(.postConflict(post, Said.notIn)) }
    let isDone = try hasPart(user, in: post, of: target.stream)
    guard post.completed == nil || isDone else { throw .refused(.postConflict(post, Said.over)) }
    try say(amount, of: user, &making, in: target.stream)
    if amount >= goal.amount, !isDone {
      let stamp = Stamp(at: try time(in: target.stream, at: caller.now), by: caller.user)
      let next = try following(post, stamp, in: category, caller.almanac)
      try completePart(of: user, among: people, &making, next, in: target.stream)
    } else if amount < goal.amount, isDone {
      making.reopenPart(of: user)
      making.returnSubmitted()
      if post.completed != nil { try making.reopen() }
    }
  }

  fileprivate mutating func cooperate(
    to amount: Int64, _ user: UserID, _ making: inout PostMaking, _ goal: Goal,
    _ target: PostTarget, _ category: Category, _ caller: Caller
  ) throws(Halt) {
    let before = making.post
    try say(amount, of: user, &making, in: target.stream)
    let total = making.post.contestTotal
    if before.completed == nil, before.submitted == nil, total >= goal.amount {
      let stamp = Stamp(at: try time(in: target.stream, at: caller.now), by: caller.user)
      making.complete(try following(before, stamp, in: category, caller.almanac))
    } else if before.contestTotal >= goal.amount, total < goal.amount {
      making.returnSubmitted()
      if before.completed != nil { try making.reopen() }
    }
  }

  /// Returns who has the step, if that counts.
  fileprivate mutating func share(
    of step: StepID, in post: Post, of stream: StreamID
  ) throws(Halt) -> StepShare? {
    guard let share = post.shares.first(where: { $0.step == step }) else { return nil }
    try require([.member(share.user, of: stream)])
    return try member(share.user, of: stream)?.holds(share) == true ? share : nil
  }
}

extension PostEdit {
  /// Brings the mode to what the contest needs: a race is for each, and a coop is not.
  mutating func settleContest(of post: Post) throws(Halt) {
    var contest = post.contest
    self.contest.apply(to: &contest)
    if case .set = goal, contest == nil {
      throw .refused(.invalid(field: "goal", reason: "needs a contest"))
    }
    switch contest {
    case .race:
      guard mode != .clear else {
        throw .refused(.invalid(field: "mode", reason: "must be each in a race"))
      }
      if post.mode == nil { mode = .set(.each) }
    case .coop:
      if case .set = mode {
        throw .refused(.invalid(field: "mode", reason: "must not be set in a coop"))
      }
      if post.mode != nil { mode = .clear }
    case nil: if post.contest == .race, mode == .keep { mode = .clear }
    }
  }

  /// Whether another mode, contest or goal is set.
  fileprivate var beginsAnew: Bool { mode != .keep || contest != .keep || goal != .keep }

  /// Refuses another mode, contest or goal where people have done something, unless the caller takes it back.
  func refuseWork(in post: Post, restart: Bool) throws(Halt) {
    guard beginsAnew, post.hasContestWork, !restart else { return }
    throw .refused(.postConflict(post, Said.work))
  }
}
