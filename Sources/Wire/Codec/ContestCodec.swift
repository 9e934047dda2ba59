package import Domain

// Reads and writes the contest of a post (protocol §5.21): its members, and the ops about it.

extension Contest: MemberValue {
  static var schema: String { Schema.common("contest") }
  static var example: String { Schema.quoted("race") }

  func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Contest {
    try fields.word(name, Contest.init(rawValue:))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Contest? {
    try params.word(name, of: Contest.allCases.map(\.rawValue), Contest.init(rawValue:))
  }
}

extension Goal: MemberValue {
  static var schema: String { Schema.common("goal") }
  static var example: String { #"{"amount":300,"unit":"pages"}"# }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("amount", amount)
    writer.member("unit", unit)
    writer.endObject()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Goal {
    let goal = try fields.fields(name)
    return Goal(amount: try goal.int64("amount"), unit: try goal.string("unit"))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Goal? {
    let goal = try params.object(name)
    let amount = try goal.int("amount", 1...Limits.amountMax)
    return Goal(amount: amount, unit: try goal.line("unit", 1...Limits.unitScalarsMax))
  }
}

extension Parameter where S == MemberShape<Contest> {
  static var contest: Self {
    Self("contest", S(), "`race`: against each other; `coop`: all together (§5.21)")
  }
}

extension Parameter where S == MemberShape<Goal> {
  static var goal: Self { Self("goal", S(), "how much there is to do in the contest (§5.21)") }
}

extension JSONWriter {
  mutating func member(_ name: String, _ entries: [ContestEntry]) {
    members(name, entries) { entry, writer in
      writer.member("user", entry.user.uuid)
      writer.member("seq", entry.seq)
      if entry.amount > 0 { writer.member("amount", entry.amount) }
      if let isIn = entry.isIn { writer.member("in", isIn) }
    }
  }

  mutating func member(_ name: String, _ shares: [StepShare]) {
    members(name, shares) { share, writer in
      writer.member("step", share.step.uuid)
      writer.member("user", share.user.uuid)
      writer.member("seq", share.seq)
    }
  }
}

extension StoredFields {
  func entries() throws(WireError) -> [ContestEntry] {
    var entries: [ContestEntry] = []
    for element in try elements("entries") {
      let fields = try StoredFields(element)
      entries.append(
        ContestEntry(
          user: UserID(try fields.uuid("user")), seq: try fields.int64("seq"),
          amount: try fields.has("amount") ? fields.int64("amount") : 0,
          isIn: try fields.has("in") ? fields.bool("in") : nil))
    }
    return entries
  }

  func shares() throws(WireError) -> [StepShare] {
    var shares: [StepShare] = []
    for element in try elements("shares") {
      let fields = try StoredFields(element)
      shares.append(
        StepShare(
          step: StepID(try fields.uuid("step")), user: UserID(try fields.uuid("user")),
          seq: try fields.int64("seq")))
    }
    return shares
  }
}

extension ContestOp {
  package enum Kind: String, CaseIterable, Sendable {
    case joined = "contest.joined"
    case withdrew = "contest.withdrew"
    case reached = "contest.reached"
    case claimed = "contest.claimed"
    case released = "contest.released"
  }

  package var kind: Kind {
    switch self {
    case .joined: .joined
    case .withdrew: .withdrew
    case .reached: .reached
    case .claimed: .claimed
    case .released: .released
    }
  }

  func write(of post: PostID, to writer: inout JSONWriter) {
    writer.op(id: post.uuid) { writer in
      switch self {
      case .joined(let user), .withdrew(let user): writer.member("user", user.uuid)
      case .reached(let user, let amount, let was):
        writer.member("user", user.uuid)
        writer.member("amount", amount)
        if was > 0 { writer.member("was", was) }
      case .claimed(let step, let user):
        writer.member("step", step.uuid)
        writer.member("user", user.uuid)
      case .released(let step): writer.member("step", step.uuid)
      }
    }
  }

  init(_ kind: Kind, _ fields: StoredFields) throws(WireError) {
    switch kind {
    case .joined: self = .joined(UserID(try fields.uuid("user")))
    case .withdrew: self = .withdrew(UserID(try fields.uuid("user")))
    case .reached:
      self = .reached(
        UserID(try fields.uuid("user")), amount: try fields.int64("amount"),
        was: try fields.has("was") ? fields.int64("was") : 0)
    case .claimed:
      self = .claimed(StepID(try fields.uuid("step")), UserID(try fields.uuid("user")))
    case .released: self = .released(StepID(try fields.uuid("step")))
    }
  }
}
