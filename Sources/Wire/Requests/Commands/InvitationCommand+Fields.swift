import Domain

// The fields of the changes of invitations and codes, both ways.

extension InvitationMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .send:
      .invitation(
        .send(
          try params.invitation(), try params.stream("stream", "cg"),
          username: try params.username(), try params.role()))
    case .accept: .invitation(.accept(try params.invitation()))
    case .decline: .invitation(.decline(try params.invitation()))
    case .revoke: .invitation(.revoke(try params.invitation(), try params.stream("stream", "cg")))
    case .makeCode:
      .invitation(
        .makeCode(try params.invitation(), try params.stream("stream", "cg"), try NewCode(params)))
    case .redeem:
      .invitation(
        .redeem(CodeInHand(text: try params.secret("code", bytes: 1...Limits.codeBytesMax))))
    }
  }
}

extension InvitationCommand {
  /// Adds the members. The code is left out, because it is a secret.
  func add(to fields: inout SortedFields) {
    switch self {
    case .accept(let id), .decline(let id): fields.add("id", id.uuid)
    case .send(let id, let stream, let username, let role):
      fields.add(id, to: stream)
      fields.add("username", username)
      fields.add("role", role.word)
    case .revoke(let id, let stream): fields.add(id, to: stream)
    case .makeCode(let id, let stream, let new):
      fields.add(id, to: stream)
      new.add(to: &fields)
    case .redeem: break
    }
  }
}

extension SortedFields {
  fileprivate mutating func add(_ invitation: InvitationID, to stream: StreamID) {
    add("id", invitation.uuid)
    add("stream", stream)
  }
}

extension NewCode {
  fileprivate init(_ params: Params) throws(Refusal) {
    let role = try params.role()
    let uses = try params.has("uses") ? params.int("uses", 1...Int64(Limits.codeUsesMax)) : 1
    let days =
      try params.has("days")
      ? params.int("days", 1...Int64(Limits.codeDaysMax)) : Int64(Limits.codeDays)
    self.init(role: role, uses: Int(uses), days: Int(days))
  }
}

extension NewCode {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("role", role.word)
    fields.add("uses", uses)
    fields.add("days", days)
  }
}
