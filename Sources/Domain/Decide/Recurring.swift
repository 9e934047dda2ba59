// Posts that come again (Model/Repetition.swift) follow these rules:
// - a repetition needs a due and goes with it; a due that is set alone moves this occurrence for once, and a due that
//   is set together with a repetition is its first one;
// - completing an occurrence, or leaving it out, sets the same post to the next one: one event, and the steps are open
//   again. Completing the last one completes the post for good. The last one cannot be left out, and removing it
//   removes the post;
// - whoever completes says which occurrence they mean, by its name (`OccurrenceName`) or by the version of the post:
//   when two people complete the same one at once, the second is refused, and the next one stays open.

/// Decides one change of one occurrence.
func decide(
  _ change: OccurrenceChange, of name: OccurrenceName, in target: PostTarget, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: change.method, by: caller, in: &world)
  if post.completed != nil, change.method == .post(.complete) { return unchanged(post) }
  guard let occurrence = post.occurrence, name.means(occurrence), post.completed == nil
  else { throw .refused(.conflict(post)) }
  if case .edit(let edit) = change { return try editPost(target, edit, by: caller, in: &world) }
  if case .reach(let reach) = change {
    return try reachAmount(reach, in: target, isNamed: true, by: caller, in: &world)
  }
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  let submits = try world.mustSubmit(post, in: target.stream, for: change.method, by: caller)
  var making = PostMaking(post, category.counters, stamp, submits: submits)
  switch change {
  case .complete, .completeForAll, .finish:
    try refuseOthersWork(post, in: target.stream, for: change.method, by: caller, in: &world)
    let next = try world.following(post, stamp, in: category, caller.almanac)
    guard case .finish(let id) = change else {
      try world.complete(
        &making, next, in: target.stream, isForAll: change == .completeForAll, by: caller)
      break
    }
    guard let step = post.step(id) else { throw .refused(.notFound("step")) }
    making.complete(step, next)
  case .remove where post.skipped(almanac: caller.almanac) == nil:
    return try removePost(target, by: caller, in: &world)
  case .skip, .remove:
    guard let next = post.skipped(almanac: caller.almanac) else {
      throw .refused(.invalid(field: "occurrence", reason: "is the last one"))
    }
    making.move(.skipped(stamp), to: next)
  case .edit, .reach: preconditionFailure("it changes no occurrence")
  }
  return try making.decision(in: target.stream).tellingTurn(of: post, by: caller.user)
}

/// Refuses to complete a post that comes again when nothing says which occurrence is meant.
func refuseUnclear(_ post: Post, _ target: PostTarget) throws(Halt) {
  guard post.occurrence != nil, post.completed == nil, target.ifVersion == nil else { return }
  throw .refused(.invalid(field: "occurrence", reason: "is missing; the post comes again"))
}

extension PostEdit {
  /// Returns the whole edit of a post that will have this version, with the repetition as it begins then.
  func whole(
    of post: Post, version: Int, categoryZone: String, _ almanac: Almanac
  ) throws(Halt) -> PostEdit {
    var edit = self
    try edit.settleContest(of: post)
    try edit.refuseRoleWithoutMode(of: post)
    var due = post.due
    self.due.apply(to: &due)
    switch repeats {
    case .clear: break
    case .keep: if due == nil, post.repeats != nil { edit.repeats = .clear }
    case .set(let wish):
      guard let due else {
        throw .refused(.invalid(field: "recurrence", reason: "needs a due"))
      }
      let (settled, timed) = try wish.settled(for: due, categoryZone: categoryZone, almanac)
      if timed != due { edit.due = .set(timed) }
      edit.repeats = .set(
        try post.repeating(as: settled, from: timed, version: version, almanac))
    }
    return edit
  }
}

extension Repetition {
  /// Returns the repetition with a rule for days alone, and the due with the time that the rule named.
  fileprivate func settled(
    for due: Due, categoryZone: String, _ almanac: Almanac
  ) throws(Halt) -> (Repetition, Due) {
    do throws(RecurrenceProblem) {
      let (rule, due) = try rule.settled(for: due, categoryZone: categoryZone, almanac: almanac)
      return (asking(rule), due)
    } catch {
      throw .refused(.invalid(field: "recurrence.rule", reason: error.reason))
    }
  }
}

extension Post {
  /// Returns the repetition that a wish makes. When everything was already so, it stays and nothing begins anew.
  fileprivate func repeating(
    as wish: Repetition, from due: Due, version: Int, _ almanac: Almanac
  ) throws(Halt) -> Repetition {
    if let repeats, due == self.due, repeats.grants(wish, at: due) { return repeats }
    do throws(RecurrenceProblem) {
      let begun = try wish.begun(
        at: due, number: version, last: occurrence?.last, almanac: almanac)
      guard let repeats, let occurrence, var first = begun.occurrence else { return begun }
      // Another time of day on the same day leaves the days as they are: the 30th may stand for a 31st.
      if repeats.hasDays(of: wish), due.day == occurrence.due.day {
        first = first.counted(from: occurrence.start)
      }
      // The turns go on when nothing of the rotation is changed.
      if wish.rotation == repeats.rotation { first = first.goingOn(with: occurrence) }
      return begun.at(first)
    } catch {
      throw .refused(.invalid(field: "recurrence.rule", reason: error.reason))
    }
  }
}
