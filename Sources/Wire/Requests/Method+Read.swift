import Domain

// Reads the parameters of each method. Changes are read in `Commands`, because a batch has them too.

/// The parameters of a request, as its method reads them.
enum ReadRequest {
  /// A change. Its key and its base stand beside it.
  case command(Command)
  case other(Request)
}

extension Method {
  func read(_ params: Params) throws(Refusal) -> ReadRequest {
    switch self {
    case .connection(let method): .other(try method.request(params))
    case .signIn(let method): .other(try method.request(params))
    case .query(let method): .other(.query(try method.query(params)))
    case .moment(let method): .other(.ephemeral(try method.request(params)))
    case .account(let method): .command(try method.command(params))
    case .category(let method): .command(try method.command(params))
    case .post(let method): .command(try method.command(params))
    case .step(let method): .command(try method.command(params))
    case .run(let method): .command(try method.command(params))
    case .contest(let method): .command(try method.command(params))
    case .tag(let method): .command(try method.command(params))
    case .personal(let method): .command(try method.command(params))
    case .group(let method): .command(try method.command(params))
    case .invitation(let method): .command(try method.command(params))
    case .person(let method): .command(try method.command(params))
    case .member(let method): .command(try method.command(params))
    case .link(let method): .command(try method.command(params))
    case .filter(let method): .command(try method.command(params))
    case .bot(let method): .command(try method.command(params))
    case .line(let method): .command(try method.command(params))
    case .single(let method): .command(try method.command(params))
    }
  }
}

extension ConnectionMethod {
  fileprivate func request(_ params: Params) throws(Refusal) -> Request {
    switch self {
    case .hello: .hello(try Hello(params))
    case .ping: .ping
    case .about: .about
    case .open: .open(try params.read(.opened))
    case .close: .close(try params.read(.closed))
    }
  }
}

extension SignInMethod {
  fileprivate func request(_ params: Params) throws(Refusal) -> Request {
    switch self {
    case .register: .register(try RegisterRequest(params))
    case .login: .login(try LoginRequest(params))
    case .recover: .recover(try RecoverRequest(params))
    case .changePassword: .changePassword(try ChangePasswordRequest(params))
    case .logout: .logout
    case .openPairing: .openPairing
    case .pair: .pair(try PairRequest(params))
    case .guest: .guest(try GuestRequest(params))
    case .upgrade: .upgrade(try UpgradeRequest(params))
    case .delete: .deleteAccount(try DeleteAccountRequest(params))
    }
  }
}
