/// A post that one command changes by several ops. Each op is on top of those before it and makes a version of its own.
struct PostMaking {
  private(set) var post: Post
  private var counters: Counters
  private let stamp: Stamp
  /// Whether completing the post only submits it (`Submissions`).
  let submits: Bool
  private var ops: [Op] = []

  /// Begins with the post before the command. `counters` are those of its category then, and `stamp` says who acts and
  /// when.
  init(_ post: Post, _ counters: Counters, _ stamp: Stamp, submits: Bool = false) {
    self.post = post
    self.counters = counters
    self.stamp = stamp
    self.submits = submits
  }

  mutating func change(_ op: StepOp) {
    post.version += 1
    post.apply(op)
    ops.append(.step(post.id, version: post.version, op))
  }

  mutating func finish(_ step: StepID) { change(.completed([step], StepFinish(stamp))) }

  /// Completes the post with its open steps or, when there is a next occurrence, the present occurrence.
  mutating func complete(_ next: Occurrence? = nil) {
    if submits { return submit() }
    let done = post.submitted ?? stamp
    if let next { return move(.completed(done), to: next) }
    let open = post.openSteps
    if !open.isEmpty { change(.completed(open, StepFinish(stamp, withPost: true))) }
    post.version += 1
    counters.add(post, -1)
    counters.done += 1
    ops.append(.post(.completed(post.id, version: post.version, done, counters)))
  }

  /// Says something in the contest. `seq` is the number that the event will have.
  mutating func say(_ op: ContestOp, seq: Int64) {
    post.apply(op, seq: seq)
    ops.append(.contest(post.id, op))
  }

  private mutating func submit() {
    if post.submitted == nil { mark(.submitted(stamp)) }
  }

  /// Takes a submission back: what somebody said was done is not.
  mutating func returnSubmitted() {
    if post.submitted != nil { mark(.returned) }
  }

  mutating func mark(_ mark: PostMark) {
    post.version += 1
    switch mark {
    case .submitted, .returned: post.applyToSubmission(mark)
    case .partReopened(let user): post.parts.removeAll { $0.user == user }
    // The event of the op gives the part its number.
    case .partCompleted: break
    case .tagged, .untagged, .assigned, .unassigned: preconditionFailure("no part of a completion")
    }
    ops.append(.post(.marked(post.id, version: post.version, mark)))
  }

  /// Turns the post to the next occurrence. The post stays open and is not overdue any more.
  mutating func move(_ reason: NextOccurrence.Reason, to next: Occurrence) {
    guard let over = post.occurrence else { preconditionFailure("it does not come again") }
    let news = NextOccurrence(over.number, reason, next)
    post.version += 1
    counters.add(post, -1)
    post.apply(news)
    counters.add(post, 1)
    ops.append(.post(.occurred(post.id, version: post.version, news, counters)))
  }

  /// Reopens the post with exactly the steps that its completion finished. Refused when too many posts are open.
  mutating func reopen() throws(Halt) {
    counters.done -= 1
    post = post.opened
    counters = try counters.adding(post)
    post.version += 1
    post.updatedAt = stamp.at
    ops.append(.post(.reopened(post, counters)))
  }

  func decision(in stream: StreamID) -> Decision {
    Decision(
      drafts: ops.isEmpty ? [] : [Draft(stream: stream, ops: ops)], number: post.number,
      version: post.version)
  }
}
