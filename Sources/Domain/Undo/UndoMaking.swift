/// Collects the ops of an undo in one category, with what is skipped.
struct UndoMaking {
  let stream: StreamID
  private let user: UserID
  private let role: Role
  private let category: Category
  private let tags: [TagID: Tag]
  /// Whose completion the role may not touch.
  private let others: Set<PostID>
  private let time: Timestamp
  private var counters: Counters
  /// It is archived and stays so: but for its restore nothing in it goes back.
  private var isReadOnly = false
  private(set) var ops: [Op] = []
  private(set) var steps: [UndoStep] = []
  private(set) var skipped: [UndoSkip] = []

  init(
    stream: StreamID, by user: UserID, _ role: Role, category: Category, tags: [TagID: Tag],
    others: Set<PostID>, time: Timestamp
  ) {
    self.stream = stream
    self.user = user
    self.role = role
    self.category = category
    self.tags = tags
    self.others = others
    self.time = time
    counters = category.counters
  }

  /// The category itself and its tags, before its posts. False when it is removed and stays so: then nothing goes
  /// back in it.
  mutating func begin(_ wanted: Reversal) -> Bool {
    if wanted.later.contains(where: { $0.kind != .post }) { skip(nil, .later) }
    let opens = wanted.category.archived == nil && Permission.allows(role, .categoryUnarchive)
    isReadOnly = category.archived != nil && !opens
    let made = category.opsBefore(wanted.category) + wanted.tags.ops(from: tags)
    let taken = isReadOnly ? made.filter { $0.op == .categoryRestored } : made
    if taken.count < made.count { skip(nil, .forbidden) }
    take(taken, of: nil)
    guard category.removed == nil || ops.contains(.categoryRestored) else {
      ops = []
      steps = []
      skip(nil, .removed)
      return false
    }
    return true
  }

  mutating func add(_ post: Post, _ wanted: Reversal) throws(Halt) {
    guard let goal = wanted.posts[post.id] else { return }
    if wanted.later.contains(ObjectKey(kind: .post, id: post.id.uuid)) { skip(post, .later) }
    var counters = counters
    guard let ops = try post.ops(to: goal, at: time, by: user, &counters) else {
      return skip(post, .removed)
    }
    guard allows(post, goal), !isReadOnly || ops.isEmpty else { return skip(post, .forbidden) }
    if take(ops, of: post) { self.counters = counters }
  }

  /// Whether the role may touch the completion of the post and those of its steps.
  private func allows(_ post: Post, _ goal: Post) -> Bool {
    // With an occurrence come its finishes, whoever made them.
    let turns = post.turns(to: goal) != 0
    let steps = turns ? [] : post.finishes(otherThanIn: goal)
    let completions = post.completed == goal.completed ? [] : [post.completed, goal.completed]
    let submissions =
      turns || post.submitted == goal.submitted ? [] : [post.submitted, goal.submitted]
    let parts = turns ? [] : post.partsUnlike(goal)
    if others.contains(post.id),
      turns || !completions.isEmpty || !steps.isEmpty || !submissions.isEmpty || !parts.isEmpty
    {
      return false
    }
    if post.repeats?.confirms == true, post.isEnded(in: goal) || post.isRepeatedAnew(in: goal),
      !Permission.confirms(role)
    {
      return false
    }
    guard Permission.completesOthersWork(role) || parts.allSatisfy({ $0 == user }) else {
      return false
    }
    guard submissions.allSatisfy({ Permission.allows(role, touching: $0, of: user) }) else {
      return false
    }
    if turns, !Permission.allows(role, touching: post.turner(to: goal), of: user) { return false }
    return completions.allSatisfy { Permission.allows(role, touching: $0, of: user) }
      && steps.allSatisfy { Permission.allows(role, touching: $0, of: user) }
  }

  /// The category itself, after its posts.
  mutating func end(_ wanted: Reversal) {
    take(category.opsAfter(wanted.category), of: nil)
  }

  /// All ops of one object or, when the role does not allow one of them, none.
  @discardableResult
  private mutating func take(_ made: [UndoOp], of post: Post?) -> Bool {
    guard made.allSatisfy({ Permission.allows(role, $0.method) }) else {
      skip(post, .forbidden)
      return false
    }
    guard !made.isEmpty else { return true }
    ops += made.map(\.op)
    steps.append(
      UndoStep(stream: stream, post: post?.id, number: post?.number, does: made.map(\.word)))
    return true
  }

  /// Of these it is told elsewhere why they stay.
  mutating func dropSkips(of posts: [PostID]) {
    skipped.removeAll { skip in skip.post.map(posts.contains) ?? false }
  }

  private mutating func skip(_ post: Post?, _ reason: UndoSkip.Reason) {
    skipped.append(UndoSkip(stream: stream, post: post?.id, number: post?.number, reason: reason))
  }
}

extension UndoPlan {
  mutating func add(_ making: UndoMaking, undoing events: [Int64]) {
    skipped += making.skipped
    steps += making.steps
    guard !making.ops.isEmpty else { return }
    drafts.append(Draft(stream: making.stream, ops: making.ops, undoes: events))
  }
}

extension Post {
  /// Whether its occurrence is over there, or the post completed.
  fileprivate func isEnded(in goal: Post) -> Bool {
    turns(to: goal) > 0 || completed == nil && goal.completed != nil
  }

  /// Whether it comes again in another way there, or not at all.
  fileprivate func isRepeatedAnew(in goal: Post) -> Bool {
    repeats != goal.repeats && turns(to: goal) == 0
  }
}
