import Domain

// The parameters of the changes of one's own part in a contest, both ways.

extension ContestMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let address = try params.address()
    let change: PostChange =
      switch self {
      case .join: .contest(.join)
      case .withdraw: .contest(.withdraw)
      case .reach: try .reach(params)
      case .claim: .contest(.claim(try params.read(.claimedStep)))
      case .release: .contest(.release(try params.read(.claimedStep)))
      }
    return try .post(.change(address, change, params))
  }
}

extension PostChange {
  fileprivate static func reach(_ params: Params) throws(Refusal) -> PostChange {
    let name = try params.optionalOccurrence()
    let reach = ContestChange.Reach(
      try params.read(.amount), isCorrection: try params.read(.correction, or: false),
      user: try params.optional(.owner))
    return name.map { .occurrence($0, .reach(reach)) } ?? .contest(.reach(reach))
  }
}

extension ContestChange {
  func add(to fields: inout SortedFields) {
    switch self {
    case .join, .withdraw: break
    case .reach(let reach): reach.add(to: &fields)
    case .claim(let step), .release(let step): fields.add(.claimedStep, step)
    }
  }
}

extension ContestChange.Reach {
  func add(to fields: inout SortedFields) {
    fields.add(.amount, amount)
    fields.add(.correction, isCorrection ? true : nil)
    fields.add(.owner, user)
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<StepID> {
  fileprivate static var claimedStep: Self { Self("step", S(), "the step") }
}

extension Parameter where S == IDShape<UserID> {
  fileprivate static var owner: Self {
    .user("for whom a bot says it: the person who owns it; without it, the caller")
  }
}

extension Parameter where S == IntegerShape<Int64> {
  fileprivate static var amount: Self {
    Self("amount", S(range: 0...Limits.amountMax), "how far this person is now")
  }
}

extension Parameter where S == BoolShape {
  fileprivate static var correction: Self {
    Self("correction", S(), "true: the amount may be less than before")
  }
}
