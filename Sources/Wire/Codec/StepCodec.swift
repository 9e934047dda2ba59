package import Domain

// Reads and writes steps in their post (protocol §6) and in ops (§7): `f.step` names one, `f.steps` several.

extension JSONWriter {
  mutating func member(_ name: String, _ steps: [Step]) {
    key(name)
    beginArray()
    for step in steps { write(step) }
    endArray()
  }

  private mutating func member(_ name: String, _ step: Step) {
    key(name)
    write(step)
  }

  private mutating func write(_ step: Step) {
    beginObject()
    member("id", step.id.uuid)
    member("content", step.content)
    if let finished = step.finished { member("finished", finished) }
    endObject()
  }

  private mutating func member(_ name: String, _ finish: StepFinish) {
    key(name)
    beginObject()
    member("at", finish.at)
    member("by", finish.by.uuid)
    if finish.withPost { member("withPost", true) }
    endObject()
  }

  /// Writes the members of `f`.
  mutating func writeFields(of op: StepOp) {
    switch op {
    case .added(let step): member("step", step)
    case .edited(let id, let content):
      member("step", id.uuid)
      member("content", content)
    case .removed(let id), .reopened(let id): member("step", id.uuid)
    case .moved(let id, let next):
      member("step", id.uuid)
      member("before", ifPresent: next?.uuid)
    case .completed(let ids, let finish):
      member("steps", ids.map(\.uuid))
      member("finished", finish)
    case .set(let steps): member("steps", steps)
    }
  }
}

extension Step {
  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      id: StepID(try fields.uuid("id")), content: try fields.string("content"),
      finished: try fields.optionalFields("finished").map(StepFinish.init))
  }
}

extension StepFinish {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      at: try fields.time("at"), by: UserID(try fields.uuid("by")),
      withPost: try fields.has("withPost") ? fields.bool("withPost") : false)
  }
}

extension StoredFields {
  /// Reads the steps of a post. Empty when it has none.
  func steps() throws(WireError) -> [Step] {
    var steps: [Step] = []
    guard has("steps") else { return steps }
    for element in try elements("steps") { steps.append(try Step(StoredFields(element))) }
    return steps
  }

  func step() throws(WireError) -> StepID { StepID(try uuid("step")) }
}

extension StepOp {
  package enum Kind: String, CaseIterable, Sendable {
    case added = "step.added"
    case edited = "step.edited"
    case removed = "step.removed"
    case moved = "step.moved"
    case completed = "step.completed"
    case reopened = "step.reopened"
    case set = "steps.set"
  }

  package var kind: Kind {
    switch self {
    case .added: .added
    case .edited: .edited
    case .removed: .removed
    case .moved: .moved
    case .completed: .completed
    case .reopened: .reopened
    case .set: .set
    }
  }

  /// Reads the `f` of an op of this kind.
  init(_ kind: Kind, _ f: StoredFields) throws(WireError) {
    switch kind {
    case .added: self = .added(try Step(f.fields("step")))
    case .edited: self = .edited(try f.step(), content: try f.string("content"))
    case .removed: self = .removed(try f.step())
    case .moved:
      self = .moved(try f.step(), before: try f.optionalUUID("before").map(StepID.init))
    case .completed:
      self = .completed(
        try f.uuids("steps").map(StepID.init), try StepFinish(f.fields("finished")))
    case .reopened: self = .reopened(try f.step())
    case .set: self = .set(try f.steps())
    }
  }
}
