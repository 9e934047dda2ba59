extension Post {
  /// Carries out an op on the steps. A step with a text makes the post one that is not erased any more.
  mutating func apply(_ op: StepOp) {
    switch op {
    case .added(let step):
      steps.removeAll { $0.id == step.id }
      steps.append(step)
      erased = nil
    case .edited(let id, let content):
      changeSteps([id]) { $0.content = content }
      erased = nil
    case .removed(let id):
      steps.removeAll { $0.id == id }
      if !shares.isEmpty { shares.removeAll { $0.step == id } }
    case .moved(let id, let next): steps.move(id, before: next)
    case .completed(let ids, let finish): changeSteps(ids) { $0.finished = finish }
    case .reopened(let id): changeSteps([id]) { $0.finished = nil }
    case .set(let steps):
      self.steps = steps
      shares = shares.filter { share in steps.contains { $0.id == share.step } }
    }
  }

  private mutating func changeSteps(_ ids: [StepID], _ change: (inout Step) -> Void) {
    let ids = Set(ids)
    for index in steps.indices where ids.contains(steps[index].id) { change(&steps[index]) }
  }
}

extension [Step] {
  /// Moves a step in front of `next`, or behind all others. A step that is to stand in front of itself stays where it
  /// is.
  mutating func move(_ id: StepID, before next: StepID?) {
    guard id != next, let index = firstIndex(where: { $0.id == id }) else { return }
    let step = remove(at: index)
    insert(step, at: firstIndex { $0.id == next } ?? endIndex)
  }

  /// Returns the steps with empty texts.
  var withoutText: [Step] { map { Step(id: $0.id, content: "", finished: $0.finished) } }
}

extension StepOp {
  /// Returns the op with empty texts of its steps.
  var withoutText: StepOp {
    switch self {
    case .added(let step): .added([step].withoutText[0])
    case .edited(let id, _): .edited(id, content: "")
    case .set(let steps): .set(steps.withoutText)
    case .removed, .moved, .completed, .reopened: self
    }
  }
}
