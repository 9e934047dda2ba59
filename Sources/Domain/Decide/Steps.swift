// A post depends on its steps by these rules (DESIGN §3):
// - finishing the last open step completes the post; a post without steps never completes by itself, and taking a step
//   away completes nothing;
// - adding a step to a completed post, or reopening one in it, reopens the post;
// - completing a post finishes its open steps, and reopening it reopens exactly those;
// - in a post that is for each, steps complete nothing: they are done once, for all.
// So a completed post has no open step. The op of the post is in the same event, behind the op of the step.

/// Decides one change of a step.
func decide(
  _ change: StepChange, of id: StepID, in target: PostTarget, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: change.method, by: caller, in: &world)
  let stamp = Stamp(at: try world.time(in: target.stream, at: caller.now), by: caller.user)
  let submits = try world.mustSubmit(post, in: target.stream, for: change.method, by: caller)
  var making = PostMaking(post, category.counters, stamp, submits: submits)
  if case .add(let content) = change {
    try making.add(Step(id: id, content: content))
    return making.decision(in: target.stream)
  }
  guard let step = post.step(id) else { throw .refused(.notFound("step")) }
  switch change {
  case .add: break
  case .edit(let content): try making.edit(step, to: content)
  case .remove: making.change(.removed(id))
  case .move(let next): try making.move(id, before: next)
  case .complete:
    try refuseUnclear(post, target)
    try refuseOthersWork(post, in: target.stream, for: .step(.complete), by: caller, in: &world)
    making.complete(step, try world.following(post, stamp, in: category, caller.almanac))
  case .reopen:
    let role = try role(of: caller.user, in: target.stream, for: .step(.reopen), in: &world)
    guard
      Permission.allows(role, touching: step.finished, of: caller.user),
      Permission.allows(role, touching: post.completed, of: caller.user),
      Permission.allows(role, touching: post.submitted, of: caller.user)
    else { throw .refused(.forbidden("a doer reopens only what they completed themselves")) }
    try refuseOthersWork(post, in: target.stream, for: .step(.reopen), by: caller, in: &world)
    try making.reopen(step)
  }
  return try making.decision(in: target.stream).tellingTurn(of: post, by: caller.user)
}

extension PostMaking {
  fileprivate mutating func add(_ step: Step) throws(Halt) {
    guard post.step(step.id) == nil else { throw .refused(.exists(field: "step")) }
    guard post.steps.count < Limits.stepsPerPostMax else {
      throw .refused(.quota(limit: "steps", max: Limits.stepsPerPostMax))
    }
    try refuseTooMuch(with: step.content, insteadOf: "")
    change(.added(step))
    if post.completed != nil { try reopen() }
    returnSubmitted()
  }

  fileprivate mutating func edit(_ step: Step, to content: String) throws(Halt) {
    guard content != step.content else { return }
    try refuseTooMuch(with: content, insteadOf: step.content)
    change(.edited(step.id, content: content))
  }

  fileprivate mutating func move(_ id: StepID, before next: StepID?) throws(Halt) {
    if let next, post.step(next) == nil { throw .refused(.notFound("step")) }
    var moved = post.steps
    moved.move(id, before: next)
    if moved != post.steps { change(.moved(id, before: next)) }
  }

  /// Finishes a step. `next` is the occurrence that follows when this was the last open step.
  mutating func complete(_ step: Step, _ next: Occurrence?) {
    guard step.finished == nil else { return }
    finish(step.id)
    if post.completed == nil, post.mode == nil, post.openSteps.isEmpty { complete(next) }
  }

  fileprivate mutating func reopen(_ step: Step) throws(Halt) {
    guard step.finished != nil else { return }
    change(.reopened(step.id))
    if post.completed != nil { try reopen() }
    returnSubmitted()
  }

  private func refuseTooMuch(with text: String, insteadOf old: String) throws(Halt) {
    let more = text.unicodeScalars.count - old.unicodeScalars.count
    guard more <= 0 || post.stepsScalars + more <= Limits.stepsScalarsMax else {
      throw .refused(.quota(limit: "stepsScalars", max: Limits.stepsScalarsMax))
    }
  }
}
