// Takes back what an event did to the steps of a post. Each step is a field of the post by its id: whether it is there,
// its text, whether it is finished. The order of the steps is one more field. Each field goes back only if it still is
// as the event made it, like the other fields of a post.

extension [Step] {
  /// Takes back the changes. False when something stays because it was set since.
  mutating func takeBack(_ after: [Step], to before: [Step]) -> Bool {
    guard after != before else { return true }
    var isDone = true
    for step in after where before[step.id] == nil { isDone = takeAway(step) && isDone }
    // The order goes back before other steps come back between these.
    isDone = order(from: after, to: before) && isDone
    for step in before {
      if let made = after[step.id] {
        isDone = takeBack(made, to: step) && isDone
      } else {
        bringBack(step, of: before)
      }
    }
    return isDone
  }

  private subscript(id: StepID) -> Step? { first { $0.id == id } }

  /// Takes away a step that the event added, if nothing at all has happened to it since.
  private mutating func takeAway(_ added: Step) -> Bool {
    guard let step = self[added.id] else { return true }
    guard step == added else { return false }
    removeAll { $0.id == added.id }
    return true
  }

  /// Brings back a step that the event removed, behind the nearest one that stood in front of it. A step whose text was
  /// erased has nothing to bring back.
  private mutating func bringBack(_ step: Step, of before: [Step]) {
    guard self[step.id] == nil, !step.content.isEmpty else { return }
    var place = startIndex
    for other in before.prefix(while: { $0.id != step.id }).reversed() {
      guard let index = firstIndex(where: { $0.id == other.id }) else { continue }
      place = index + 1
      break
    }
    insert(step, at: place)
  }

  private mutating func takeBack(_ after: Step, to before: Step) -> Bool {
    guard after != before else { return true }
    // The step has gone since, and with it its text and finish.
    guard let index = firstIndex(where: { $0.id == after.id }) else { return false }
    let content = before.content.isEmpty ? after.content : before.content
    var isDone = true
    if after.content != content, self[index].content != content {
      isDone = self[index].content == after.content
      if isDone { self[index].content = content }
    }
    guard after.finished != before.finished, self[index].finished != before.finished else {
      return isDone
    }
    guard self[index].finished == after.finished else { return false }
    self[index].finished = before.finished
    return isDone
  }

  /// Orders the steps that were there before, after and now. Others keep their places.
  private mutating func order(from after: [Step], to before: [Step]) -> Bool {
    let shared = Set(before.map(\.id)).intersection(after.map(\.id)).intersection(map(\.id))
    let wanted = before.map(\.id).filter(shared.contains)
    let made = after.map(\.id).filter(shared.contains)
    let now = map(\.id).filter(shared.contains)
    guard made != wanted, now != wanted else { return true }
    guard now == made else { return false }
    let steps = self
    var next = wanted.makeIterator()
    for index in indices where shared.contains(self[index].id) {
      if let step = next.next().flatMap({ steps[$0] }) { self[index] = step }
    }
    return true
  }
}

extension Post {
  /// The post as it may be: open when a step is open, and then without what its completion had finished.
  var settled: Post { completed == nil || !openSteps.isEmpty ? opened : self }

  /// Answers whether the same steps have the same texts in the same order, finished or not.
  func hasSteps(of other: Post) -> Bool {
    steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.id == $1.id && $0.content == $1.content }
  }

  /// Returns the finishes of both posts for steps whose finish differs.
  func finishes(otherThanIn other: Post) -> [StepFinish?] {
    let (mine, theirs) = (finishes, other.finishes)
    return Set(mine.keys).union(theirs.keys).sorted()
      .filter { mine[$0] != theirs[$0] }.flatMap { [mine[$0], theirs[$0]] }
  }

  private var finishes: [StepID: StepFinish] {
    Dictionary(
      steps.compactMap { step in step.finished.map { (step.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
