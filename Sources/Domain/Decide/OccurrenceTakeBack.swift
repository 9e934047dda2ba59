// Takes back the last completed occurrence of a post that comes again (protocol §8 `post.take_back`). The post is again
// at the occurrence that was completed last, with its due, steps, parts and turns as they were before, and that
// completion does not count any more. An undo does the same, but only for the person who did it and for admins. This is
// judged like reopening a completed post: editors take back anybody's, doers their own. The caller names the event that
// completed the occurrence, so only that one goes back, and saying it twice has the effect of saying it once. Other
// changes by the same command stay as they are. Rules:
// - Only the last one goes back: when another was completed or left out since, or the post comes again in another way,
//   it stays.
// - All of it goes back or nothing: when the next one was begun, or is due at another time, that is refused with the
//   field that has changed.

func takeBackPost(
  _ target: PostTarget, ended seq: Int64, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (category, post) = try open(target, for: .post(.takeBack), by: caller, in: &world)
  let stream = target.stream
  guard seq >= (try firstRead(by: caller.user, in: stream, &world)),
    let past = try world.past(StreamPosition(stream: stream, seq: seq)),
    let ending = PastEnding(of: post.id, in: past), case .completed(let stamp) = ending.news.reason
  else { throw .refused(.notFound("event")) }
  let role = try role(of: caller.user, in: stream, for: .post(.takeBack), in: &world)
  guard Permission.allows(role, touching: stamp, of: caller.user) else {
    throw .refused(.forbidden("a doer takes back only what they completed themselves"))
  }
  try refuseOthersWork(post, in: stream, for: .post(.takeBack), by: caller, in: &world)
  if post.completed == nil, post.occurrence?.number == ending.news.over { return unchanged(post) }
  if let field = ending.overlap(with: post, in: stream) {
    throw .refused(.overlap(post, field: field))
  }
  var occurrences = OccurrenceHistory()
  occurrences.add(past)
  var wanted = Reversal(category: category, posts: [post], tags: [:], occurrences: occurrences)
  let time = try world.time(in: stream, at: caller.now)
  wanted.takeBack(ending.past, in: stream, stamp: Stamp(at: time, by: caller.user))
  // A step that was done then may be gone by now.
  guard wanted.later.isEmpty else { throw .refused(.overlap(post, field: "steps")) }
  wanted.settle([post])
  try wanted.dismissFormer([post], in: stream, &world)
  wanted.follow([post])
  try wanted.settleParts([post], in: stream, role, caller.user, &world)
  var counters = category.counters
  guard let goal = wanted.posts[post.id],
    let made = try post.ops(
      to: goal, over: wanted.endings[post.id], at: time, by: caller.user, &counters),
    !made.isEmpty
  else { return unchanged(post) }
  return Decision(
    drafts: [Draft(stream: stream, ops: made.map(\.op), undoes: ending.isAll ? [seq] : [])],
    number: post.number, version: post.version + made.count)
}

/// The end of an occurrence: the part of an event that ended it.
private struct PastEnding {
  let news: NextOccurrence
  /// The event with only the ops that belong to that end: the end itself, and the last step or part that caused it.
  let past: PastEvent
  /// Whether an undo of the event would take back nothing else.
  let isAll: Bool

  /// Finds the end in an event. Nil where the event ended no occurrence of this post.
  init?(of post: PostID, in whole: PastEvent) {
    let ops = whole.event.ops
    let end = ops.lastIndex { if case .post(.occurred(post, _, _, _)) = $0 { true } else { false } }
    guard let end, case .post(.occurred(_, _, let news, _)) = ops[end],
      whole.before.objects.count == ops.count
    else { return nil }
    self.news = news
    let first = end > 0 && ops[end - 1].completesAlso(post) ? end - 1 : end
    let event = Event(
      seq: whole.event.seq, transaction: whole.event.transaction, at: whole.event.at,
      by: whole.event.by, key: whole.event.key, ops: Array(ops[first...end]))
    let before = Before(objects: Array(whole.before.objects[first...end]))
    past = PastEvent(event: event, before: before, bytes: whole.bytes)
    isAll = ops.count(where: \.isTakenBack) == end - first + 1
  }

  /// Returns the member of the post that has changed since and would go back. Nil when none has.
  func overlap(with post: Post, in stream: StreamID) -> String? {
    guard case .post(let after)? = past.changes(in: stream).first?.after else {
      return "recurrence"
    }
    if post.completed != nil { return "completed" }
    guard post.occurrence?.number == after.occurrence?.number, post.repeats == after.repeats else {
      return "recurrence"
    }
    if post.due != after.due { return "due" }
    if !post.finishes(otherThanIn: after).isEmpty { return "steps" }
    if post.parts != after.parts || post.mode != after.mode { return "parts" }
    if !post.hasContest(of: after) || post.amounts != after.amounts { return "entries" }
    return post.submitted == after.submitted ? nil : "submitted"
  }
}

extension Op {
  /// Answers whether the op finishes the step or the part with which a post is completed.
  fileprivate func completesAlso(_ post: PostID) -> Bool {
    switch self {
    case .post(.step(post, _, .completed)), .post(.marked(post, _, .partCompleted)): true
    default: false
    }
  }
}
