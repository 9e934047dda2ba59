import Domain

// The fields of the changes of who is a member, and of who may reach a person, both ways.

extension MemberMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let stream = try params.stream("stream", "cg")
    return switch self {
    case .leave:
      .member(
        .leave(
          stream, successor: try params.has("successor") ? UserID(params.uuid("successor")) : nil))
    case .remove: .member(.remove(stream, UserID(try params.uuid("user"))))
    case .setRole: .member(.setRole(stream, UserID(try params.uuid("user")), try params.role()))
    }
  }
}

extension MemberCommand {
  func add(to fields: inout SortedFields) {
    fields.add("stream", stream)
    switch self {
    case .leave(_, let successor): fields.add("successor", successor?.uuid)
    case .remove(_, let user): fields.add("user", user.uuid)
    case .setRole(_, let user, let role):
      fields.add("user", user.uuid)
      fields.add("role", role.word)
    }
  }
}

extension PersonMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .block: .person(.block(username: try params.username()))
    case .unblock: .person(.unblock(UserID(try params.uuid("user"))))
    }
  }
}

extension PersonCommand {
  func add(to fields: inout SortedFields) {
    switch self {
    case .block(let username): fields.add("username", username)
    case .unblock(let user): fields.add("user", user.uuid)
    }
  }
}
