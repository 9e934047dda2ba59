import Domain

// The parameters of the changes of invitations and codes, both ways.

extension InvitationMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .send:
      .invitation(
        .send(
          try params.read(.invitation), try params.read(.list),
          username: try params.read(.invited), try params.read(.role)))
    case .accept: .invitation(.accept(try params.read(.invitation)))
    case .decline: .invitation(.decline(try params.read(.invitation)))
    case .revoke: .invitation(.revoke(try params.read(.invitation), try params.read(.list)))
    case .makeCode:
      .invitation(
        .makeCode(try params.read(.invitation), try params.read(.list), try NewCode(params)))
    case .redeem: .invitation(.redeem(CodeInHand(text: try params.read(.code))))
    }
  }
}

extension InvitationCommand {
  /// Adds the members. The code is left out, because it is a secret.
  func add(to fields: inout SortedFields) {
    switch self {
    case .accept(let id), .decline(let id): fields.add(.invitation, id)
    case .send(let id, let stream, let username, let role):
      fields.add(.invitation, id)
      fields.add(.list, stream)
      fields.add(.invited, username)
      fields.add(.role, role)
    case .revoke(let id, let stream):
      fields.add(.invitation, id)
      fields.add(.list, stream)
    case .makeCode(let id, let stream, let new):
      fields.add(.invitation, id)
      fields.add(.list, stream)
      new.add(to: &fields)
    case .redeem: break
    }
  }
}

extension NewCode {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      role: try params.read(.role), uses: try params.read(.uses, or: 1),
      days: try params.read(.codeDays, or: Limits.codeDays))
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.role, role)
    fields.add(.uses, uses)
    fields.add(.codeDays, days)
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<InvitationID> {
  fileprivate static var invitation: Self { Self("id", S(), "the invitation or the code") }
}

extension Parameter where S == UsernameShape {
  fileprivate static var invited: Self { .username("who is invited") }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var uses: Self {
    Self("uses", S(range: 1...Int64(Limits.codeUsesMax)), "how many people may use it")
  }

  fileprivate static var codeDays: Self { .days(1...Limits.codeDaysMax, "how long it is good") }
}

extension Parameter where S == SecretShape {
  static var code: Self {
    Self("code", S(bytes: 1...Limits.codeBytesMax), "the code as somebody typed it (§3.4)")
  }
}
