import Domain

// The fields of the changes of one post and of its steps, both ways.

extension StepMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let address = try params.address()
    let step = StepID(try params.uuid("step"))
    let change: PostChange =
      switch self {
      case .add: .step(step, .add(content: try params.content()))
      case .edit: .step(step, .edit(content: try params.content()))
      case .remove: .step(step, .remove)
      case .move:
        .step(
          step, .move(before: try params.has("before") ? StepID(params.uuid("before")) : nil))
      case .complete where params.has("occurrence"):
        .occurrence(try params.occurrence(), .finish(step))
      case .complete: .step(step, .complete)
      case .reopen: .step(step, .reopen)
      }
    return try .post(.change(address, change, params))
  }
}

extension PostChange {
  static func edit(_ params: Params) throws(Refusal) -> PostChange {
    guard params.has("occurrence") else { return .edit(try PostEdit(params)) }
    return .occurrence(try params.occurrence(), .edit(try PostEdit(params)))
  }

  static func complete(_ params: Params) throws(Refusal) -> PostChange {
    guard params.has("occurrence") else {
      return try params.isForAll() ? .completeForAll : .complete
    }
    let name = try params.occurrence()
    return .occurrence(name, try params.isForAll() ? .completeForAll : .complete)
  }

  static func remove(_ params: Params) throws(Refusal) -> PostChange {
    params.has("occurrence") ? .occurrence(try params.occurrence(), .remove) : .remove
  }

  static func copy(_ params: Params) throws(Refusal) -> PostChange {
    let (copy, list) = (PostID(try params.uuid("copy")), try params.category("to"))
    let range = -Int64(Limits.copyDaysMax)...Int64(Limits.copyDaysMax)
    let days = try params.has("days") ? Int(params.int("days", range)) : 0
    return .copy(as: copy, to: list, days: days)
  }
}

extension PostChange {
  static func move(_ params: Params) throws(Refusal) -> PostChange {
    let upper = try params.has("after") ? PostID(params.uuid("after")) : nil
    let lower = try params.has("before") ? PostID(params.uuid("before")) : nil
    guard upper != nil || lower != nil else {
      throw params.invalid("after", "or the before must be there")
    }
    return .move(after: upper, before: lower)
  }
}

extension Params {
  func occurrence() throws(Refusal) -> OccurrenceName {
    OccurrenceName(
      Int(try int("occurrence", 1...JSONNumber.integerMax)),
      due: try has("occurrenceDue") ? Due.asked(self, "occurrenceDue") : nil)
  }

  /// The number of the event that is meant.
  func event() throws(Refusal) -> Int64 {
    try int("event", 1...JSONNumber.integerMax)
  }

  func isForAll() throws(Refusal) -> Bool {
    try has("forAll") ? bool("forAll") : false
  }
}

extension PostChange {
  func add(to fields: inout SortedFields, at address: PostAddress) {
    fields.add(address)
    switch self {
    case .edit(let edit): fields.add(edit)
    case .step(let id, let change):
      fields.add("step", id.uuid)
      change.add(to: &fields)
    case .tag(let tag), .untag(let tag): fields.add("tag", tag.uuid)
    case .assign(let user), .unassign(let user): fields.add("user", user.uuid)
    case .occurrence(let name, let change):
      fields.add(name)
      switch change {
      case .edit(let edit): fields.add(edit)
      case .finish(let step): fields.add("step", step.uuid)
      case .completeForAll: fields.addForAll()
      case .complete, .skip, .remove: break
      }
    case .completeForAll: fields.addForAll()
    case .move(let upper, let lower):
      fields.add("after", upper?.uuid)
      fields.add("before", lower?.uuid)
    case .moveTo(let list): fields.add("to", list.uuid)
    case .copy(let id, let list, let days):
      fields.add("copy", id.uuid)
      fields.add("to", list.uuid)
      fields.add("days", days == 0 ? nil : days)
    case .claim(let lease): fields.add("leaseMs", lease)
    case .takeBack(let event): fields.add("event", event)
    case .complete, .reopen, .remove, .restore, .erase, .release: break
    }
  }
}

extension SortedFields {
  fileprivate mutating func add(_ name: OccurrenceName) {
    add("occurrence", name.number)
    guard let due = name.due else { return }
    add("occurrenceDue") { writer in
      writer.key("occurrenceDue")
      due.write(to: &writer)
    }
  }
}

extension StepChange {
  fileprivate func add(to fields: inout SortedFields) {
    switch self {
    case .add(let content), .edit(let content): fields.add("content", content)
    case .move(let next): fields.add("before", next?.uuid)
    case .remove, .complete, .reopen: break
    }
  }
}
