import Domain

// The parameters of the changes of invitations and codes, both ways.

extension InvitationMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .send:
      .invitation(
        .send(
          try params.read(.newInvitation), try params.read(.list),
          username: try params.read(.invited), try params.read(.offeredRole)))
    case .accept: .invitation(.accept(try params.read(.invitation)))
    case .decline: .invitation(.decline(try params.read(.invitation)))
    case .revoke: .invitation(.revoke(try params.read(.revoked), try params.read(.list)))
    case .makeCode:
      .invitation(
        .makeCode(try params.read(.newCode), try params.read(.list), try NewCode(params)))
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
      fields.add(.newInvitation, id)
      fields.add(.list, stream)
      fields.add(.invited, username)
      fields.add(.offeredRole, role)
    case .revoke(let id, let stream):
      fields.add(.revoked, id)
      fields.add(.list, stream)
    case .makeCode(let id, let stream, let new):
      fields.add(.newCode, id)
      fields.add(.list, stream)
      new.add(to: &fields)
    case .redeem: break
    }
  }
}

extension NewCode {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      role: try params.read(.codeRole), uses: try params.read(.uses, or: 1),
      days: try params.read(.codeDays, or: Limits.codeDays))
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.codeRole, role)
    fields.add(.uses, uses)
    fields.add(.codeDays, days)
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<InvitationID> {
  private static func id(_ meaning: String) -> Self { Self("id", S(), meaning) }

  fileprivate static var newInvitation: Self { id("the id of the new invitation") }
  fileprivate static var newCode: Self { id("the id of the new code, from which it is derived") }
  fileprivate static var invitation: Self { id("the invitation") }
  fileprivate static var revoked: Self { id("the invitation or the code") }
}

extension Parameter where S == RoleShape {
  fileprivate static var offeredRole: Self { .role("the role that is offered (§3.5)") }

  fileprivate static var codeRole: Self {
    .role("the role that the code gives: up to the sender's own, but never `owner`")
  }
}

extension Parameter where S == UsernameShape {
  fileprivate static var invited: Self { .username("who is invited") }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var uses: Self {
    Self("uses", S(range: 1...Int64(Limits.codeUsesMax)), "how many people it lets in")
  }

  fileprivate static var codeDays: Self {
    .days(1...Limits.codeDaysMax, "for how many days it is good")
  }
}

extension Parameter where S == SecretShape {
  static var code: Self {
    Self("code", S(bytes: 1...Limits.codeBytesMax), "the code as somebody typed it (§3.4)")
  }
}
