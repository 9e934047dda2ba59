/// The posts of an undo in which somebody's own work counts.
struct UndoWork {
  /// The posts in which the user's own part is done.
  var parts: Set<PostID> = []
  /// The posts whose completion the user's role may not touch.
  var others: Set<PostID> = []
}

/// Collects the ops of an undo in one category, with what is skipped.
struct UndoMaking {
  let stream: StreamID
  private let user: UserID
  private let role: Role
  private let category: Category
  private let tags: [TagID: Tag]
  /// The posts in which the user's own work counts, or that of others.
  private let work: UndoWork
  private let time: Timestamp
  private var counters: Counters
  /// Whether the category is archived and stays so. Then nothing in it goes back but its restore.
  private var isReadOnly = false
  private(set) var ops: [Op] = []
  private(set) var steps: [UndoStep] = []
  private(set) var skipped: [UndoSkip] = []
  /// The posts that stay as they are though they should not.
  private(set) var left: Set<PostID> = []

  init(
    stream: StreamID, by user: UserID, _ role: Role, category: Category, tags: [TagID: Tag],
    work: UndoWork, time: Timestamp
  ) {
    self.stream = stream
    self.user = user
    self.role = role
    self.category = category
    self.tags = tags
    self.work = work
    self.time = time
    counters = category.counters
  }

  /// Returns the result for these posts, which are as they are now. Posts that go together all stay when one of them
  /// does.
  func made(of posts: [Post], _ wanted: Reversal) throws(Halt) -> UndoMaking {
    var kept: Set<PostID> = []
    while true {
      var making = self
      guard making.begin(wanted) else { return making }
      for post in posts {
        if kept.contains(post.id) {
          making.leave(post, .forbidden)
        } else {
          try making.add(post, wanted)
        }
      }
      let more = wanted.companions(of: making.left)
      guard !more.isEmpty else {
        making.end(wanted)
        return making
      }
      kept.formUnion(more)
    }
  }

  /// Begins with the category itself and its tags. Answers false when the category is removed and stays so: then
  /// nothing goes back in it.
  private mutating func begin(_ wanted: Reversal) -> Bool {
    if wanted.later.contains(where: { $0.kind != .post }) { skip(nil, .later) }
    let opens = wanted.category.archived == nil && Permission.allows(role, .category(.unarchive))
    isReadOnly = category.archived != nil && !opens
    let made = category.opsBefore(wanted.category) + wanted.tags.ops(from: tags)
    let taken = isReadOnly ? made.filter { $0.op == .category(.restored) } : made
    if taken.count < made.count { skip(nil, .forbidden) }
    takeHead(taken)
    guard category.removed == nil || ops.contains(.category(.restored)) else {
      ops = []
      steps = []
      skip(nil, .removed)
      return false
    }
    return true
  }

  private mutating func add(_ post: Post, _ wanted: Reversal) throws(Halt) {
    guard let goal = wanted.posts[post.id] else { return }
    if wanted.later.contains(ObjectKey(kind: .post, id: post.id.uuid)) { skip(post, .later) }
    var counters = counters
    let endings = wanted.endings[post.id]
    guard let ops = try post.ops(to: goal, over: endings, at: time, by: user, &counters) else {
      return leave(post, .removed)
    }
    guard !wanted.forbidden.contains(post.id), allows(post, goal, over: endings),
      !isReadOnly || ops.isEmpty, take(ops, of: post)
    else { return leave(post, .forbidden) }
    self.counters = counters
  }

  private mutating func leave(_ post: Post, _ reason: UndoSkip.Reason) {
    left.insert(post.id)
    skip(post, reason)
  }

  /// Answers whether the role may touch the completion of the post and those of its steps.
  private func allows(_ post: Post, _ goal: Post, over endings: [Ending]?) -> Bool {
    // With an occurrence come its finishes, whoever made them.
    let turns = post.turns(to: goal) != 0
    // Everything that is done again of the next occurrence is new here.
    let arrives = post.turns(to: goal) > 0
    // A person who opens their own part opens the post with it, whoever completed or submitted it. The last person who
    // does their part again completes the post.
    let opens = !turns && work.parts.contains(post.id) && !goal.parts.contains(user)
    let closes = !turns && goal.parts.contains(user) && !post.parts.contains(user)
    let start = opens && goal.completed == nil ? post.opened : post
    let end = closes && post.completed == nil ? goal.opened : goal
    let steps =
      turns
      ? arrives ? goal.steps.compactMap(\.finished) : [] : start.finishes(otherThanIn: end)
    let completions =
      start.completed?.stamp == end.completed?.stamp
      ? [] : [start.completed?.stamp, end.completed?.stamp]
    let submissions =
      turns
      ? [arrives ? goal.submitted : nil]
      : post.submitted == goal.submitted || opens && goal.submitted == nil
        || closes && post.submitted == nil
        ? [] : [post.submitted, goal.submitted]
    let parts =
      turns
      ? (endings ?? []).parts(besides: post) + (arrives ? goal.parts.map(\.user) : [])
      : post.partsUnlike(goal) + post.amountsUnlike(goal)
    if work.others.contains(post.id),
      turns || start != post || end != goal || !completions.isEmpty || !steps.isEmpty
        || !submissions.isEmpty
        || !parts.isEmpty
    {
      return false
    }
    if post.repeats?.confirms == true, !Permission.confirms(role),
      post.isEnded(in: goal, over: endings) || post.isRepeatedAnew(in: goal)
    {
      return false
    }
    guard Permission.completesOthersWork(role) || parts.allSatisfy({ $0 == user }) else {
      return false
    }
    let turners = turns ? (endings ?? []).map(\.completed) : []
    return (completions + submissions + turners).allSatisfy {
      Permission.allows(role, touching: $0, of: user)
    } && steps.allSatisfy { Permission.allows(role, touching: $0, of: user) }
  }

  /// Ends with the ops of the category itself that come after its posts.
  private mutating func end(_ wanted: Reversal) {
    takeHead(category.opsAfter(wanted.category))
  }

  private mutating func takeHead(_ made: [UndoOp]) {
    if !take(made, of: nil) { skip(nil, .forbidden) }
  }

  /// Takes all ops of one object, or none when the role does not allow one of them.
  private mutating func take(_ made: [UndoOp], of post: Post?) -> Bool {
    guard made.allSatisfy({ isAllowed($0) }) else { return false }
    guard !made.isEmpty else { return true }
    ops += made.map(\.op)
    steps.append(
      UndoStep(stream: stream, post: post?.id, number: post?.number, does: made.map(\.word)))
    return true
  }

  private func isAllowed(_ made: UndoOp) -> Bool {
    if case .category(.edited(let edit)) = made.op, edit.talk != nil, !Permission.setsTalk(role) {
      return false
    }
    return Permission.allows(role, made.method)
  }

  /// Drops the skips of these posts: another part of the answer says why they stay.
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

extension [Ending] {
  /// Returns the people whose parts these endings complete anew.
  fileprivate func parts(besides post: Post) -> [UserID] {
    guard let first, first.news.over == post.occurrence?.number else { return [] }
    return first.parts.map(\.user).filter { !post.parts.contains($0) }
      + dropFirst().flatMap { $0.parts.map(\.user) }
  }
}

extension Post {
  /// Answers whether an occurrence is completed on the way to the goal, or the post is. One that was left out does not
  /// count.
  fileprivate func isEnded(in goal: Post, over endings: [Ending]?) -> Bool {
    if completed == nil, goal.completed != nil { return true }
    return turns(to: goal) > 0 && endings?.allSatisfy { $0.completed == nil } != true
  }

  /// Answers whether the goal comes again in another way, or not at all.
  fileprivate func isRepeatedAnew(in goal: Post) -> Bool {
    repeats != goal.repeats && turns(to: goal) == 0
  }
}
