// Takes back what an event did to the tags of a category and to those of a post. A tag that an event added stays:
// others may have put it on their posts since, and nobody has counted how many. A tag that it removed comes back to all
// posts that still hold its id, unless another tag has its name by now.

extension [TagID: Tag] {
  /// Takes back a change of a tag. False when something stays because it was set since.
  mutating func takeBack(_ before: Tag?, _ after: Tag?) -> Bool {
    switch (before, after) {
    case (let before?, let after?): takeBack(after, to: before)
    case (let before?, nil): bringBack(before)
    case (nil, let after?): takeAway(after)
    case (nil, nil): true
    }
  }

  private mutating func takeBack(_ after: Tag, to before: Tag) -> Bool {
    guard var tag = self[before.id] else { return false }
    var isDone = true
    if after.name != before.name, tag.name != before.name {
      var named = tag
      named.name = before.name
      isDone = tag.name == after.name && !values.contains(where: named.isTwin)
      if isDone { tag = named }
    }
    if after.color != before.color, tag.color != before.color {
      if tag.color == after.color { tag.color = before.color } else { isDone = false }
    }
    self[tag.id] = tag
    return isDone
  }

  private mutating func takeAway(_ restored: Tag) -> Bool {
    guard let tag = self[restored.id] else { return true }
    guard tag == restored else { return false }
    self[tag.id] = nil
    return true
  }

  private mutating func bringBack(_ tag: Tag) -> Bool {
    if let present = self[tag.id] { return present == tag }
    guard count < Limits.tagsPerCategoryMax, !values.contains(where: tag.isTwin) else {
      return false
    }
    self[tag.id] = tag
    return true
  }

  /// Returns the ops that bring the tags from their present values to these, by id.
  func ops(from present: [TagID: Tag]) -> [UndoOp] {
    Set(keys).union(present.keys).sorted().compactMap { id in
      switch (present[id], self[id]) {
      case (let now?, let tag?):
        guard now != tag else { return nil }
        let edit = TagEdit(from: now, to: tag)
        return UndoOp(op: .tag(.edited(id, edit)), method: .tag(.edit), word: .edit)
      case (nil, let tag?):
        return UndoOp(op: .tag(.restored(tag)), method: .tag(.add), word: .restore)
      case (_?, nil): return UndoOp(op: .tag(.removed(id)), method: .tag(.remove), word: .remove)
      case (nil, nil): return nil
      }
    }
  }
}

extension Event {
  /// Answers whether this is a tag that the event added, or a post that it brought here or took away: these stay.
  func adds(_ key: ObjectKey) -> Bool {
    ops.contains { op in
      switch op {
      case .tag(.added(let tag)): key == ObjectKey(kind: .tag, id: tag.id.uuid)
      case .post(.movedIn(let post, _)): key == ObjectKey(kind: .post, id: post.id.uuid)
      case .post(.movedOut(let id, _, _, _)): key == ObjectKey(kind: .post, id: id.uuid)
      default: false
      }
    }
  }
}

extension Post {
  /// Takes back changes of tags and people, each by itself: one that the event put on goes, one that it took off comes
  /// back. False when there is no room for that.
  mutating func takeBackMarks(_ after: Post, to before: Post) -> Bool {
    tags.removeAll { after.tags.contains($0) && !before.tags.contains($0) }
    let back = before.tags.filter { !after.tags.contains($0) && !tags.contains($0) }
    let hasRoom = back.isEmpty || tags.count + back.count <= Limits.tagsPerPostMax
    if hasRoom { tags = (tags + back).sorted() }
    let isDone = takeBackSubmission(after, to: before)
    let hasParts = takeBackParts(after, to: before)
    let hasAmounts = takeBackAmounts(after, to: before)
    return takeBackAssignees(after, to: before) && hasRoom && isDone && hasParts && hasAmounts
  }

  /// Takes back each person's assignment. A person who was assigned anew goes too: the earlier assignment did not count
  /// any more.
  private mutating func takeBackAssignees(_ after: Post, to before: Post) -> Bool {
    assignees.removeAll { now in
      guard after.assignees.contains(now.user) else { return false }
      let old = before.assignees.first { $0.user == now.user }
      return old == nil || old != now && after.assignees.contains(now)
    }
    let back = before.assignees.filter {
      !after.assignees.contains($0.user) && !assignees.contains($0.user)
    }
    let hasRoom = back.isEmpty || assignees.count + back.count <= Limits.assigneesPerPostMax
    if hasRoom { for assignment in back { assignees = assignees.with(assignment) } }
    return hasRoom
  }
}
