import Domain

// The parameters of the changes of one post and of its steps, both ways.

extension StepMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let address = try params.address()
    let step = try params.read(self == .add ? .newStep : .step)
    let change: PostChange =
      switch self {
      case .add: .step(step, .add(content: try params.read(.content)))
      case .edit: .step(step, .edit(content: try params.read(.content)))
      case .remove: .step(step, .remove)
      case .move: .step(step, .move(before: try params.optional(.stepBefore)))
      case .complete:
        try params.optionalOccurrence().map { .occurrence($0, .finish(step)) }
          ?? .step(step, .complete)
      case .reopen: .step(step, .reopen)
      }
    return try .post(.change(address, change, params))
  }
}

extension PostChange {
  static func edit(_ params: Params) throws(Refusal) -> PostChange {
    guard let name = try params.optionalOccurrence() else { return .edit(try PostEdit(params)) }
    return .occurrence(name, .edit(try PostEdit(params)))
  }

  static func complete(_ params: Params) throws(Refusal) -> PostChange {
    let name = try params.optionalOccurrence()
    let isForAll = try params.read(.forAll, or: false)
    guard let name else { return isForAll ? .completeForAll : .complete }
    return .occurrence(name, isForAll ? .completeForAll : .complete)
  }

  static func remove(_ params: Params) throws(Refusal) -> PostChange {
    try params.optionalOccurrence().map { .occurrence($0, .remove) } ?? .remove
  }

  static func copy(_ params: Params) throws(Refusal) -> PostChange {
    .copy(
      as: try params.read(.copy), to: try params.read(.copyCategory),
      days: try params.read(.copyDays, or: 0))
  }

  static func move(_ params: Params) throws(Refusal) -> PostChange {
    let upper = try params.optional(.postAfter)
    let lower = try params.optional(.postBefore)
    try params.needsOne(from: "after", or: "the before", upper != nil || lower != nil)
    return .move(after: upper, before: lower)
  }
}

extension Params {
  func occurrence() throws(Refusal) -> OccurrenceName {
    OccurrenceName(try read(.occurrence), due: try optional(.occurrenceDue))
  }

  func optionalOccurrence() throws(Refusal) -> OccurrenceName? {
    guard let number = try optional(.occurrence) else { return nil }
    return OccurrenceName(number, due: try optional(.occurrenceDue))
  }
}

extension PostChange {
  func add(to fields: inout SortedFields) {
    switch self {
    case .edit(let edit): fields.add(edit)
    case .step(let id, let change):
      fields.add(.step, id)
      change.add(to: &fields)
    case .tag(let tag): fields.add(.newTag, tag)
    case .untag(let tag): fields.add(.oldTag, tag)
    case .assign(let user): fields.add(.newAssignee, user)
    case .unassign(let user): fields.add(.oldAssignee, user)
    case .occurrence(let name, let change):
      fields.add(.occurrence, name.number)
      fields.add(.occurrenceDue, name.due)
      change.add(to: &fields)
    // `forAll` is left out where it is false, so that the hashed bytes are those of a client that does not know it.
    case .completeForAll: fields.add(.forAll, true)
    case .move(let upper, let lower):
      fields.add(.postAfter, upper)
      fields.add(.postBefore, lower)
    case .moveTo(let list): fields.add(.otherCategory, list)
    case .copy(let id, let list, let days):
      fields.add(.copy, id)
      fields.add(.copyCategory, list)
      fields.add(.copyDays, days == 0 ? nil : days)
    case .claim(let lease): fields.add(.lease, lease)
    case .takeBack(let event): fields.add(.event, event)
    case .run(let run, let change):
      fields.add(.run, run)
      change.add(to: &fields)
    case .contest(let change): change.add(to: &fields)
    case .complete, .reopen, .remove, .restore, .erase, .release: break
    }
  }
}

extension OccurrenceChange {
  fileprivate func add(to fields: inout SortedFields) {
    switch self {
    case .edit(let edit): fields.add(edit)
    case .reach(let reach): reach.add(to: &fields)
    case .finish(let step): fields.add(.step, step)
    case .completeForAll: fields.add(.forAll, true)
    case .complete, .skip, .remove: break
    }
  }
}

extension StepChange {
  fileprivate func add(to fields: inout SortedFields) {
    switch self {
    case .add(let content), .edit(let content): fields.add(.content, content)
    case .move(let next): fields.add(.stepBefore, next)
    case .remove, .complete, .reopen: break
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<StepID> {
  fileprivate static var newStep: Self { Self("step", S(), "the id of the new step") }
  fileprivate static var step: Self { Self("step", S(), "the step") }

  fileprivate static var stepBefore: Self {
    Self("before", S(), "the step in front of which it stands then; without it, it is the last")
  }
}

extension Parameter where S == LineShape {
  fileprivate static var content: Self {
    Self("content", S(scalars: 1...Limits.stepScalarsMax, named: "step"), "one line")
  }
}

extension Parameter where S == IDShape<PostID> {
  fileprivate static var copy: Self { Self("copy", S(), "the id of the copy, a new post") }

  fileprivate static var postAfter: Self {
    Self("after", S(), "another post: the one above the new place")
  }

  fileprivate static var postBefore: Self {
    Self("before", S(), "another post: the one below the new place")
  }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var occurrence: Self {
    Self(
      "occurrence", S(range: 1...JSONNumber.integerMax),
      "the number of the occurrence that the sender sees (§3.6)")
  }

  fileprivate static var copyDays: Self {
    .days(-Limits.copyDaysMax...Limits.copyDaysMax, "so many days later the copy is due")
  }
}

extension Parameter where S == BoolShape {
  fileprivate static var forAll: Self {
    Self("forAll", S(), "true: a post that is for each (`mode`) is completed for everybody")
  }
}
