package import Domain

/// A request of a client (protocol §8): one case per way of handling it.
///
/// Texts are normalised and within their limits. Secrets are as they were sent.
package enum Request: Equatable, Sendable {
  case hello(Hello)
  case ping
  /// Asks about the server, also before `hello`: somebody may want to know to whom they give their name.
  case about
  case open([Cursor])
  case close([StreamID])
  case register(RegisterRequest)
  case login(LoginRequest)
  case recover(RecoverRequest)
  case changePassword(ChangePasswordRequest)
  /// Asks for a code for another device of the sender.
  case openPairing
  /// Signs that other device in.
  case pair(PairRequest)
  case guest(GuestRequest)
  case upgrade(UpgradeRequest)
  case deleteAccount(DeleteAccountRequest)
  case logout
  /// Asks for any other change. It is never `registerAccount`, `recoverAccount`, `changePassword` or `deleteAccount`:
  /// these carry what only the server knows, and have a request with its own case above. `base` says how far the
  /// sender's copy of the home stream went when the person acted.
  case command(Command, key: CommandKey, base: CommandBase? = nil)
  case query(Query)
  case ephemeral(EphemeralRequest)

  /// The number of requests that it counts as. A ping counts as none, and things that hold for a moment have a rate of
  /// their own.
  package var cost: Int {
    switch self {
    case .ping, .ephemeral: 0
    case .command(let command, key: _, base: _): command.cost
    case .about, .hello, .open, .close, .register, .login, .recover, .changePassword, .logout,
      .query, .openPairing, .pair, .guest, .upgrade, .deleteAccount:
      1
    }
  }

  /// Whether it has a token, a password or a code. Such a message is never compressed (protocol §2.6).
  package var hasSecret: Bool {
    switch self {
    case .hello, .register, .login, .recover, .changePassword, .pair, .guest, .upgrade: true
    case .deleteAccount: true
    case .command(.invitation(.redeem), key: _, base: _): true
    case .ping, .about, .open, .close, .logout, .command, .query, .ephemeral, .openPairing: false
    }
  }
}

extension Command {
  /// The number of requests that it counts as: a batch as many as its commands, an undo as many as its events, and a
  /// try of a code as many as keep anybody from guessing.
  package var cost: Int {
    if case .batch(let commands) = self { return commands.reduce(0) { $0 + $1.cost } }
    if case .undo(let target) = self { return target.events.count }
    if case .invitation(.redeem) = self { return Limits.codeTryCost }
    return 1
  }
}

/// A request that was understood, and how to answer it.
package struct RequestEnvelope: Equatable, Sendable {
  package let id: RequestID
  package let method: Method
  package let request: Request
  /// The method and parameters as JSON with sorted members, without `id`, `key`, secrets and unknown members: equal for
  /// equal requests. It is the input of the idempotency hash (protocol §10).
  package let canonical: [UInt8]

  package init(id: RequestID, method: Method, request: Request, canonical: [UInt8]) {
    self.id = id
    self.method = method
    self.request = request
    self.canonical = canonical
  }
}

/// The client's own name for a request, returned with its answer (JSON-RPC 2.0 §4).
package enum RequestID: Hashable, Sendable {
  /// A number within ±(2⁵³ − 1), like every integer of a message.
  case number(Int64)
  /// A text of at most `textBytesMax` bytes of UTF-8.
  case text(String)

  package static let textBytesMax = 64
}
