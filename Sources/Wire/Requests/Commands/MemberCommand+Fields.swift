import Domain

// The parameters of the changes of who is a member, and of who may reach a person, both ways.

extension MemberMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let stream = try params.read(.list)
    return switch self {
    case .leave: .member(.leave(stream, successor: try params.optional(.successor)))
    case .remove: .member(.remove(stream, try params.read(.member)))
    case .setRole: .member(.setRole(stream, try params.read(.member), try params.read(.memberRole)))
    }
  }
}

extension MemberCommand {
  func add(to fields: inout SortedFields) {
    fields.add(.list, stream)
    switch self {
    case .leave(_, let successor): fields.add(.successor, successor)
    case .remove(_, let user): fields.add(.member, user)
    case .setRole(_, let user, let role):
      fields.add(.member, user)
      fields.add(.memberRole, role)
    }
  }
}

extension PersonMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .block: .person(.block(username: try params.read(.blocked)))
    case .unblock: .person(.unblock(try params.read(.unblocked)))
    }
  }
}

extension PersonCommand {
  func add(to fields: inout SortedFields) {
    switch self {
    case .block(let username): fields.add(.blocked, username)
    case .unblock(let user): fields.add(.unblocked, user)
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<UserID> {
  fileprivate static var member: Self { .user("the member") }
  fileprivate static var unblocked: Self { .user("who is no longer kept away") }

  fileprivate static var successor: Self {
    Self("successor", S(), "a member who becomes an owner first; only owners name one")
  }
}

extension Parameter where S == RoleShape {
  fileprivate static var memberRole: Self { .role("the role that the member has then") }
}

extension Parameter where S == UsernameShape {
  fileprivate static var blocked: Self { .username("who is kept away") }
}
