import Domain
import Wire

// The requests that a token allows (protocol §5.12). The decision shows besides whether something is written elsewhere
// (`Domain/Decide/TokenReach.swift`).

extension RequestEnvelope {
  /// Returns the answer to a request that the token does not allow; nil for one that it allows. Every token allows the
  /// methods of the connection, which only say who is there and what is followed.
  func failure(by token: Token, of user: UserID) -> Failure? {
    for method in request.methodsCalled(method) {
      guard method.row.isOpenToTokens else {
        return .refused(.forbidden("no token may call \(method.name)"))
      }
      if let methods = token.methods, method.row.kind != .session, !methods.contains(method) {
        return .refused(.forbidden("this token does not allow \(method.name)"))
      }
    }
    guard token.lists != nil else { return nil }
    return request.isWithin(token, of: user) ? nil : .refused(.tokenIsForOthers)
  }
}

extension Command {
  /// Returns the places that the command names: the home of its key, and the list to which a post goes or is copied.
  fileprivate func places(of user: UserID) -> [StreamID] {
    switch self {
    case .post(.change(_, .moveTo(let list), ifVersion: _)),
      .post(.change(_, .copy(as: _, to: let list, days: _), ifVersion: _)):
      [home(of: user), .category(list)]
    default: [home(of: user)]
    }
  }
}

extension Request {
  /// Returns the methods that a token has to allow. A batch is judged by its commands.
  fileprivate func methodsCalled(_ method: Method) -> [Method] {
    if case .command(.batch(let commands), _, _) = self { return commands.map(\.method) }
    return [method]
  }

  /// Answers whether a request is about nothing but the lists of a token. The reader sees to the streams that are
  /// followed.
  fileprivate func isWithin(_ token: Token, of user: UserID) -> Bool {
    switch self {
    case .command(.batch(let commands), _, _):
      commands.allSatisfy { $0.places(of: user).allSatisfy(token.isFor) }
    case .command(let command, _, _): command.places(of: user).allSatisfy(token.isFor)
    case .query(let query): query.stream.map(token.isFor) ?? false
    case .ephemeral(let request): token.isFor(request.stream)
    case .hello, .ping, .about, .open, .close, .register, .login, .recover, .changePassword,
      .logout, .openPairing, .pair, .guest, .upgrade, .deleteAccount:
      true
    }
  }
}
