// The ops that bring a post or a category from what it is to what it shall be. There is no op of its own
// for an undo: one that comes back with old fields comes whole, by `post.reopened` when it is open again
// then, else by `post.restored`, which carries the completion as it was, with its own number and moment.
// Steps go back all at once, by `steps.set`.

/// One op of an undo with the method that would do the same, for the permission.
struct UndoOp {
  let op: Op
  let method: Method
  let word: UndoStep.Word
}

extension Post {
  /// None when nothing differs; nil when the post is removed and shall stay so, but differs.
  func ops(
    to wanted: Post, at time: Timestamp, by user: UserID, _ counters: inout Counters
  ) throws(Halt) -> [UndoOp]? {
    guard !hasContent(of: wanted) else { return [] }
    guard removed == nil || wanted.removed == nil else { return nil }
    var present = wanted
    present.removed = nil
    present.version = version
    present.updatedAt = time
    // `post.occurred` takes it away, also when the next occurrence is due at the same time.
    present.overdue = due == wanted.due && turns(to: wanted) <= 0 ? overdue : nil
    // An op that brings back a whole post ends what somebody has claimed since, as what it takes back did.
    present.claim = nil
    // Where it came from is nothing that an undo changes, and what it brings back is a person's now.
    var origin = source
    origin?.note(PostEdit(from: self, to: present))
    present.source = origin
    var ops = try changes(to: &present, by: user, &counters)
    if let stamp = wanted.removed {
      let before = present
      present.removed = stamp
      present.version += 1
      try counters.move(from: before, to: present)
      let op = Op.postRemoved(id, version: present.version, stamp, counters)
      ops.append(UndoOp(op: op, method: .postRemove, word: .remove))
    }
    return ops
  }

  /// To a post that is not removed.
  private func changes(
    to present: inout Post, by user: UserID, _ counters: inout Counters
  ) throws(Halt) -> [UndoOp] {
    guard !hasContent(of: present) else { return [] }
    try present.refuseMoreSteps(than: self)
    present.version += 1
    try counters.move(from: self, to: present)
    if removed != nil {
      let op = Op.postRestored(present, counters)
      return [UndoOp(op: op, method: .postRestore, word: .restore)]
    }
    if completed != present.completed {
      // The op carries the whole post: other fields in it are an edit, which the role must allow too.
      let isEdited =
        (turns(to: present) == 0
          ? !hasFields(of: present) || !hasSteps(of: present) || !hasSets(of: present)
          : !hasFieldsBesideOccurrence(of: present)) || position != present.position
      let isOpen = present.completed == nil
      let op = isOpen ? Op.postReopened(present, counters) : .postRestored(present, counters)
      let method = isOpen ? Method.postReopen : .postComplete
      return [
        UndoOp(
          op: op, method: isEdited ? .postEdit : method, word: isOpen ? .reopen : .complete)
      ]
    }
    if turns(to: present) < 0 {
      let isEdited = !hasFieldsBesideOccurrence(of: present)
      // One that was left out was never over, and nobody is told that it is open again.
      let wasSkipped = occurrence?.last == nil
      let op = wasSkipped ? Op.postRestored(present, counters) : .postReopened(present, counters)
      let method = wasSkipped ? Method.postSkip : .postReopen
      return [
        UndoOp(
          op: op, method: isEdited ? .postEdit : method, word: wasSkipped ? .restore : .reopen)
      ]
    }
    guard let turn = turning(to: present, by: user, counters) else {
      return edits(to: &present, counters)
    }
    return [turn.op] + turn.post.edits(to: &present, counters)
  }
}

extension Post {
  /// Of what is not its completion; each op is a version of its own.
  private func edits(to present: inout Post, _ counters: Counters) -> [UndoOp] {
    var ops: [UndoOp] = []
    present.version = version
    let edit = PostEdit(from: self, to: present)
    if edit != PostEdit() {
      present.version += 1
      let op = Op.postEdited(id, version: present.version, edit)
      ops.append(UndoOp(op: op, method: .postEdit, word: .edit))
      if overdue != nil, present.overdue == nil {
        let op = Op.postOverdue(id, .taken, counters)
        ops.append(UndoOp(op: op, method: .postEdit, word: .edit))
      }
    }
    if steps != present.steps {
      present.version += 1
      let op = Op.step(id, version: present.version, .set(present.steps))
      let method = hasSteps(of: present) ? Method.stepComplete : .stepEdit
      ops.append(UndoOp(op: op, method: method, word: .edit))
    }
    for mark in edited(by: edit).marks(to: present) {
      present.version += 1
      let op = Op.postMarked(id, version: present.version, mark)
      ops.append(UndoOp(op: op, method: mark.method, word: .edit))
    }
    if position != present.position {
      present.version += 1
      let op = Op.postMoved(id, version: present.version, present.position)
      ops.append(UndoOp(op: op, method: .postMove, word: .edit))
    }
    return ops
  }

  /// What comes back must find room.
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
  /// What comes before the posts' ops: a removed category accepts nothing but its restore, and in an archived one
  /// nothing changes.
  func opsBefore(_ wanted: Category) -> [UndoOp] {
    var ops: [UndoOp] = []
    if removed != nil, wanted.removed == nil {
      ops.append(UndoOp(op: .categoryRestored, method: .categoryRestore, word: .restore))
    }
    if archived != nil, wanted.archived == nil {
      ops.append(UndoOp(op: .categoryUnarchived, method: .categoryUnarchive, word: .restore))
    }
    let edit = CategoryEdit(from: self, to: wanted)
    if edit != CategoryEdit() {
      ops.append(UndoOp(op: .categoryEdited(edit), method: .categoryEdit, word: .edit))
    }
    return ops
  }

  /// What comes after them.
  func opsAfter(_ wanted: Category) -> [UndoOp] {
    var ops: [UndoOp] = []
    if archived == nil, let stamp = wanted.archived {
      ops.append(UndoOp(op: .categoryArchived(stamp), method: .categoryArchive, word: .remove))
    }
    if removed == nil, let stamp = wanted.removed {
      ops.append(UndoOp(op: .categoryRemoved(stamp), method: .categoryRemove, word: .remove))
    }
    return ops
  }
}

extension Counters {
  /// Refused when the category would have too many open posts.
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
