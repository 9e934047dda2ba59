// Decides about runs: what a program does about a post (Model/PostRun.swift).
//
// - A run never completes its post, however it ends.
// - Whoever started a run says how it goes and how it ended. Editors may cancel the runs of others.
// - A program that begins again while its own run goes on has lost that run. So has one whose access has ended: then
//   anybody may start another.
// - A run that is held to be lost may turn out to be alive. Whoever started it then says once how it ended.

func decide(
  _ change: RunChange, of run: RunID, in target: PostTarget, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: change.method, by: caller, in: &world)
  switch change {
  case .start(let lease, let phase):
    return try start(run, lease, phase, of: post, target, by: caller, in: &world)
  case .phase(let phase):
    let live = try post.live(run)
    guard live.user == caller.user else { throw .refused(.forbidden(RunRefusal.others)) }
    guard live.phase != phase else { return unchanged(post) }
    return told(post, in: target.stream, by: [.phase(run, phase)])
  case .end(let outcome, let text):
    return try end(run, outcome, text, of: post, target, by: caller, in: &world)
  }
}

private func start(
  _ run: RunID, _ lease: Int64, _ phase: String?, of post: Post, _ target: PostTarget,
  by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  guard post.completed == nil else {
    throw .refused(.postConflict(post, RunRefusal.completed))
  }
  guard post.lastRun?.id != run else { throw .refused(.exists(field: "run")) }
  var ops: [RunOp] = []
  if let live = post.run {
    guard live.id != run else {
      guard live.user == caller.user else { throw .refused(.exists(field: "run")) }
      return unchanged(post)
    }
    try world.require([.member(live.user, of: target.stream)])
    let counts = try world.member(live.user, of: target.stream)?.holds(live) == true
    guard live.user == caller.user || !counts else {
      throw .refused(.postConflict(post, RunRefusal.busy))
    }
    ops.append(.ended(post.end(of: live, .lost)))
  }
  ops.append(.started(run, caller.user, lease: lease, phase: phase))
  return told(post, in: target.stream, by: ops)
}

private func end(
  _ run: RunID, _ outcome: RunOutcome, _ text: String?, of post: Post, _ target: PostTarget,
  by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  if let last = post.lastRun, last.id == run, last.user == caller.user {
    if last.outcome == outcome, last.text == text { return unchanged(post) }
    if last.outcome == .lost {
      return told(
        post, in: target.stream, by: [.ended(post.correction(of: last, outcome, text))])
    }
  }
  let live = try post.live(run)
  if live.user != caller.user {
    let role = try role(of: caller.user, in: target.stream, for: .run(.end), in: &world)
    guard Permission.completesOthersWork(role), outcome == .cancelled else {
      throw .refused(.forbidden(RunRefusal.others))
    }
  }
  var end = post.end(of: live, outcome, text)
  end.tookTime(until: try world.time(in: target.stream, at: caller.now))
  return told(post, in: target.stream, by: [.ended(end)])
}

/// Ends a run that is lost. Nil when it does not go on. It does so in a removed or archived list too: otherwise a list
/// that comes back would show an old run.
package func loseRun(_ run: LiveRun, in world: inout World) throws(Halt) -> Draft? {
  let address = run.address
  try world.require([
    .head(address.stream), .object(address.stream, ObjectKey(kind: .post, id: address.post.uuid)),
  ])
  guard let post = try world.post(address.post, in: address.category), let live = post.run,
    live.id == run.id
  else { return nil }
  return Draft(
    stream: address.stream, ops: [.run(post.id, .ended(post.end(of: live, .lost)))])
}

private enum RunRefusal {
  static let others = "only who started a run says how it goes; editors may cancel it"
  static let completed = "This post is completed, so nothing runs for it."
  static let busy = "Another run of this post goes on."
  static let ended = "This run has ended."
}

/// A change that makes no version of the post.
private func told(_ post: Post, in stream: StreamID, by ops: [RunOp]) -> Decision {
  Decision(
    drafts: [Draft(stream: stream, ops: ops.map { .run(post.id, $0) })], number: post.number,
    version: post.version)
}

extension Post {
  /// Returns the run that goes on. Refused when it is another one or has ended.
  fileprivate func live(_ id: RunID) throws(Halt) -> PostRun {
    guard let run, run.id == id else {
      if lastRun?.id == id { throw .refused(.postConflict(self, RunRefusal.ended)) }
      guard completed == nil else { throw .refused(.postConflict(self, RunRefusal.completed)) }
      throw .refused(.notFound("run"))
    }
    return run
  }

  fileprivate func end(
    of live: PostRun, _ outcome: RunOutcome, _ text: String? = nil
  ) -> RunEnd {
    RunEnd(
      run: live.id, user: live.user, outcome: outcome, startedAt: live.startedAt, text: text,
      usual: lastRun?.usual, recovers: outcome == .ok && lastRun?.outcome.isFailure == true)
  }

  /// Returns the better word about a run that was held to be lost. How long it took is not known: it was not seen to
  /// end.
  fileprivate func correction(
    of lost: EndedRun, _ outcome: RunOutcome, _ text: String?
  ) -> RunEnd {
    RunEnd(
      run: lost.id, user: lost.user, outcome: outcome, startedAt: lost.startedAt, text: text,
      usual: lost.usual, recovers: outcome == .ok)
  }
}

extension RunEnd {
  /// Counts the time of a run that ended well.
  fileprivate mutating func tookTime(until end: Timestamp) {
    guard outcome == .ok else { return }
    let took = end.milliseconds - startedAt.milliseconds
    usual = usual.map { ($0 * 3 + took) / 4 } ?? took
  }
}
