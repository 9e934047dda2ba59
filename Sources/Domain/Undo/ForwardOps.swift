// Collects the ops that bring a post forward to a goal: one by one through the occurrences that are over by then, then
// to the goal's fields, and last to its completion. Each is the op by which a command does the same, so it is told and
// counted in the same way.

struct ForwardOps {
  private(set) var post: Post
  /// The counters after the ops.
  private(set) var counters: Counters
  private(set) var ops: [UndoOp] = []

  init(_ post: Post, _ counters: Counters) {
    self.post = post
    self.counters = counters
  }

  /// Turns the post on to the goal's occurrence. `endings` are those of the occurrences before it; nil when they are
  /// not known.
  mutating func turn(to goal: Post, over endings: [Ending]?, by user: UserID) {
    guard post.turns(to: goal) > 0, let over = post.occurrence, let next = goal.occurrence else {
      return
    }
    guard let endings else {
      let stamp = Stamp(at: goal.updatedAt, by: user)
      let reason: NextOccurrence.Reason = next.last.map { .completed($0) } ?? .skipped(stamp)
      // A member who may do any of it may skip.
      return turn(NextOccurrence(over.number, reason, next), .post(.skip))
    }
    for (index, ending) in endings.enumerated() {
      for part in ending.parts where !post.parts.contains(part.user) {
        post.version += 1
        post.parts = post.parts.with(part)
        let op = Op.post(.marked(post.id, version: post.version, .partCompleted(part.user)))
        ops.append(UndoOp(op: op, method: .post(.complete), word: .complete))
      }
      let news = ending.news
      let to = index == endings.indices.last ? next : news.next
      turn(
        NextOccurrence(news.over, news.reason, to),
        ending.completed == nil ? .post(.skip) : .post(.complete))
    }
  }

  private mutating func turn(_ news: NextOccurrence, _ method: Method) {
    let before = post
    post.apply(news)
    post.version += 1
    counters.add(before, -1)
    counters.add(post, 1)
    let op = Op.post(.occurred(post.id, version: post.version, news, counters))
    let word: UndoStep.Word = if case .completed = news.reason { .complete } else { .edit }
    ops.append(UndoOp(op: op, method: method, word: word))
  }

  /// Brings the post to the goal in everything but completion and removal. Each op makes a version of its own.
  mutating func edit(to goal: Post) {
    let edit = PostEdit(from: post, to: goal)
    if edit != PostEdit() { change(edit, to: goal) }
    if post.steps != goal.steps {
      let method = post.hasSteps(of: goal) ? Method.step(.complete) : .step(.edit)
      post.version += 1
      post.steps = goal.steps
      add(.step(post.id, version: post.version, .set(goal.steps)), method)
    }
    for mark in post.marks(to: goal) {
      post.version += 1
      add(.post(.marked(post.id, version: post.version, mark)), mark.method)
    }
    for op in post.amounts(to: goal) {
      post.apply(op, seq: 0)
      add(.contest(post.id, op), .contest(.reach))
    }
    if post.position != goal.position {
      post.version += 1
      post.position = goal.position
      add(.post(.moved(post.id, version: post.version, goal.position)), .post(.move))
    }
  }

  private mutating func change(_ edit: PostEdit, to goal: Post) {
    post = post.edited(by: edit)
    post.version += 1
    add(.post(.edited(post.id, version: post.version, edit)), .post(.edit))
    guard post.overdue != nil, goal.overdue == nil else { return }
    counters.add(post, -1)
    post.overdue = nil
    counters.add(post, 1)
    add(.post(.overdue(post.id, .taken, counters)), .post(.edit))
  }

  /// Completes the post again, by the same person and at the same time as before.
  mutating func complete(_ completion: Completion) {
    post.version += 1
    counters.add(post, -1)
    counters.done += 1
    let op = Op.post(.completed(post.id, version: post.version, completion.stamp, counters))
    ops.append(UndoOp(op: op, method: .post(.complete), word: .complete))
  }

  private mutating func add(_ op: Op, _ method: Method) {
    ops.append(UndoOp(op: op, method: method, word: .edit))
  }
}
