// Makes the ops that bring a post or a category from its present value to a goal. An undo has no op of its own. A post
// that comes back comes whole, by `post.reopened` when it is open then, else by `post.restored`. A redo continues from
// the present post, by the ops that a command has for it (`ForwardOps`). Steps go back all at once, by `steps.set`.

/// One op of an undo with the method that would do the same, for the permission.
struct UndoOp {
  let op: Op
  let method: Method
  let word: UndoStep.Word
}

extension Post {
  /// Returns the ops. Empty when nothing differs; nil when the post is removed and shall stay so, but differs.
  /// `endings` are those of the occurrences between the two; nil when they are not known.
  func ops(
    to wanted: Post, over endings: [Ending]?, at time: Timestamp, by user: UserID,
    _ counters: inout Counters
  ) throws(Halt) -> [UndoOp]? {
    guard !hasContent(of: wanted) else { return [] }
    guard removed == nil || wanted.removed == nil else { return nil }
    var present = wanted
    present.removed = nil
    present.version = version
    present.updatedAt = time
    // `post.occurred` takes the mark away, also when the next occurrence is due at the same time.
    present.overdue = due == wanted.due && turns(to: wanted) <= 0 ? overdue : nil
    // An op that brings back a whole post ends a claim that somebody has made since, as the op that it takes back did.
    present.claim = nil
    // Runs tell what happened meanwhile.
    present.run = run
    present.lastRun = lastRun
    // An undo never changes the origin of a post, and fields that it brings back are a person's now.
    var origin = source
    origin?.note(PostEdit(from: self, to: present))
    present.source = origin
    var ops = try changes(to: &present, over: endings, by: user, &counters)
    if let stamp = wanted.removed {
      let before = present
      present.removed = stamp
      present.version += 1
      try counters.move(from: before, to: present)
      let op = Op.post(.removed(id, version: present.version, stamp, counters))
      ops.append(UndoOp(op: op, method: .post(.remove), word: .remove))
    }
    return ops
  }

  /// Returns the ops to a post that is not removed.
  private func changes(
    to present: inout Post, over endings: [Ending]?, by user: UserID, _ counters: inout Counters
  ) throws(Halt) -> [UndoOp] {
    guard !hasContent(of: present) else { return [] }
    try present.refuseMoreSteps(than: self)
    let before = counters
    try counters.move(from: self, to: present)
    guard let whole = wholeOp(to: present, over: endings) else {
      var forward = ForwardOps(self, before)
      forward.turn(to: present, over: endings, by: user)
      forward.edit(to: present)
      if completed == nil, let completion = present.completed { forward.complete(completion) }
      present.version = forward.post.version
      return forward.ops
    }
    present.version += 1
    let op: Op =
      whole.word == .reopen
      ? .post(.reopened(present, counters)) : .post(.restored(present, counters))
    return [UndoOp(op: op, method: whole.method, word: whole.word)]
  }

  /// Returns the method and the word of a post that comes back whole by one op. Nil when the post goes on from here.
  private func wholeOp(
    to present: Post, over endings: [Ending]?
  ) -> (method: Method, word: UndoStep.Word)? {
    if removed != nil { return (.post(.restore), .restore) }
    let turns = turns(to: present)
    // The op carries the whole post: other fields in it are an edit, which the role must allow too.
    let isEdited =
      (turns == 0
        ? !hasFields(of: present) || !hasSteps(of: present) || !hasSets(of: present)
        : !hasFieldsBesideOccurrence(of: present)) || position != present.position
    if let completed, completed.stamp != present.completed?.stamp {
      let isOpen = present.completed == nil
      let method = isOpen ? Method.post(.reopen) : .post(.complete)
      return (isEdited ? .post(.edit) : method, isOpen ? .reopen : .complete)
    }
    guard turns < 0 else { return nil }
    // An occurrence that was left out was never over, so nobody is told that it is open again. A member who may bring
    // that back may bring back all.
    let known = endings.map { endings in endings.map { $0.completed != nil } }
    let isSkipped = known?.contains(false) ?? true
    let isReopened = known?.contains(true) ?? (occurrence?.last != nil)
    let method = isSkipped ? Method.post(.skip) : .post(.reopen)
    return (isEdited ? .post(.edit) : method, isReopened ? .reopen : .restore)
  }

  /// Refuses steps that find no room when they come back.
  private func refuseMoreSteps(than present: Post) throws(Halt) {
    guard steps.count <= max(present.steps.count, Limits.stepsPerPostMax) else {
      throw .refused(.quota(limit: "steps", max: Limits.stepsPerPostMax))
    }
    guard stepsScalars <= max(present.stepsScalars, Limits.stepsScalarsMax) else {
      throw .refused(.quota(limit: "stepsScalars", max: Limits.stepsScalarsMax))
    }
  }
}

extension Category {
  /// Returns the category's ops that come before those of the posts: a removed category accepts nothing but its
  /// restore, and nothing changes in an archived one.
  func opsBefore(_ wanted: Category) -> [UndoOp] {
    var ops: [UndoOp] = []
    if removed != nil, wanted.removed == nil {
      ops.append(UndoOp(op: .category(.restored), method: .category(.restore), word: .restore))
    }
    if archived != nil, wanted.archived == nil {
      ops.append(UndoOp(op: .category(.unarchived), method: .category(.unarchive), word: .restore))
    }
    let edit = CategoryEdit(from: self, to: wanted)
    if edit != CategoryEdit() {
      ops.append(UndoOp(op: .category(.edited(edit)), method: .category(.edit), word: .edit))
    }
    return ops
  }

  /// Returns the category's ops that come after those of the posts.
  func opsAfter(_ wanted: Category) -> [UndoOp] {
    var ops: [UndoOp] = []
    if archived == nil, let stamp = wanted.archived {
      ops.append(
        UndoOp(op: .category(.archived(stamp)), method: .category(.archive), word: .remove))
    }
    if removed == nil, let stamp = wanted.removed {
      ops.append(UndoOp(op: .category(.removed(stamp)), method: .category(.remove), word: .remove))
    }
    return ops
  }
}

extension Counters {
  /// Counts a post as changed. Refused when the category would have too many open posts.
  mutating func move(from before: Post, to after: Post) throws(Halt) {
    let openBefore = open
    add(before, -1)
    add(after, 1)
    guard open <= max(openBefore, Limits.postsOpenPerCategoryMax) else {
      throw .refused(.quota(limit: "postsOpen", max: Limits.postsOpenPerCategoryMax))
    }
  }

  mutating func add(_ post: Post, _ count: Int) {
    guard post.removed == nil else { return }
    guard post.completed == nil else { return done += count }
    open += count
    if post.overdue != nil { overdue += count }
  }
}
