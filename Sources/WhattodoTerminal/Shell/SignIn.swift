import Client
import Domain
import Screen
import Sync
import Text
import Wire

/// Registers and logs in, and keeps the session in the state folder.
struct SignIn {
  let server: ServerAddress
  /// The file with the certificate authorities to trust; nil for the system's.
  let authorities: String?
  let folder: StateFolder

  /// Chooses the server: the one asked for, else that of the saved session, else the usual one. Throws when a password
  /// would go unencrypted over a network without permission.
  init(_ options: Options) throws(ClientError) {
    folder = try StateFolder(path: options.state)
    let saved = try folder.session()
    let server = try ServerAddress(options.server ?? saved?.server ?? ServerAddress.usual)
    let isKnown = saved?.server == server.url
    // A person who signed in there has given the permission.
    guard server.isPrivate || options.allowsPlaintext || isKnown else {
      throw .address(
        "others could read your password on the way to \(server.url): use wss://, or say --insecure-plaintext"
      )
    }
    self.server = server
    let given = options.authorities.map { StateFolder.fullPath($0) }
    authorities = given ?? (isKnown ? saved?.authorities : nil)
  }

  /// Makes a client with this token.
  func client(
    token: String?, streams: StreamSelection = .all, files: AccountFiles? = nil,
    onNews: (@Sendable () -> Void)? = nil
  ) throws(ClientError) -> Client {
    try Client(
      server: server, authorities: authorities, token: token, streams: streams,
      program: SignIn.program, files: files, onNews: onNews)
  }

  /// Returns the session that is saved for this server; nil when there is none. Throws when the folder belongs to
  /// another server, because a token is only sent to the server that gave it.
  func session() throws(ClientError) -> StateFolder.Session? {
    guard let session = try folder.session() else { return nil }
    guard session.server == server.url else {
      throw .folder(
        "you are signed in at \(session.server); for \(server.url) use another folder (--state DIR)"
      )
    }
    return session
  }

  /// Makes a client without a session, for the requests that come before `hello`.
  func anonymous() throws(ClientError) -> Client {
    try client(token: nil, streams: .none)
  }

  static let program = ClientName(name: "whattodo", version: Release.version)

  /// Registers an account, and returns its recovery code, which the person writes down.
  func register(
    _ name: String, password: String, code: String?, kind: UserKind = .person, by client: Client
  ) throws(ClientError) -> String {
    let handle = client.register(
      username: name, password: password, zone: Clock.machineZone(), code: code, kind: kind)
    return try answer(handle, by: client).recoveryCode
  }

  /// Opens a session and keeps it.
  func login(
    _ name: String, password: String, by client: Client
  ) throws(ClientError) -> StateFolder.Session {
    let device = try folder.device()
    let handle = client.login(
      username: name, password: password, client: SignIn.program, device: device)
    return try keep(answer(handle, by: client), name)
  }

  /// Keeps the token of a bot as its session. The server is asked first whether the token is good.
  func login(_ name: String, token: String) throws(ClientError) {
    // The name becomes a line of a file, and a part of a file's name.
    precondition(Text.isUsername(name))
    let client = try client(token: token, streams: .none)
    defer { client.close() }
    let start = Uptime.milliseconds()
    while client.user == nil {
      if case .ended(let reason) = client.standing { throw .ended(reason) }
      let patience = client.standing.isUnreachable ? SignIn.dialPatience : SignIn.patience
      guard Uptime.milliseconds() - start < patience else { throw .timedOut }
      _ = client.waitUntilLevel(milliseconds: SignIn.glanceMilliseconds)
    }
    try folder.save(
      StateFolder.Session(
        server: server.url, username: name, token: token, authorities: authorities))
  }

  /// Opens a session with a code that another device of the person shows.
  func pair(_ code: String, by client: Client) throws(ClientError) -> StateFolder.Session {
    let handle = client.pair(code: code, client: SignIn.program, device: try folder.device())
    let answer = try answer(handle, by: client)
    return try keep(answer, answer.username ?? "")
  }

  /// Opens a session for a guest, without a name and a password.
  func beginAsGuest(by client: Client) throws(ClientError) -> StateFolder.Session {
    let handle = client.beginAsGuest(
      zone: Clock.machineZone(), device: try folder.device(), client: SignIn.program)
    let answer = try answer(handle, by: client)
    return try keep(answer, answer.username ?? "")
  }

  /// Gives a guest a name, and returns the recovery code.
  func upgrade(
    _ session: StateFolder.Session, to name: String, password: String, code: String?,
    by client: Client
  ) throws(ClientError) -> String {
    let handle = client.upgrade(username: name, password: password, code: code)
    let answer = try answer(handle, by: client)
    try folder.save(
      StateFolder.Session(
        server: session.server, username: answer.username, token: session.token,
        authorities: session.authorities, files: session.files))
    return answer.recoveryCode
  }

  private func keep(
    _ answer: LoginResult, _ name: String
  ) throws(ClientError) -> StateFolder.Session {
    // The name becomes a line of a file, and a part of a file's name.
    guard Text.isUsername(name) else { throw .ended(.unreadable) }
    let session = StateFolder.Session(
      server: server.url, username: name, token: answer.token, authorities: authorities)
    try folder.save(session)
    return session
  }

  /// Waits for the answer. Throws `.timedOut` soon when no server listens there.
  func answer<Value>(
    _ handle: Handle<Value>, by client: Client
  ) throws(ClientError) -> Value {
    let start = Uptime.milliseconds()
    while true {
      do throws(ClientError) {
        return try handle.wait(milliseconds: SignIn.glanceMilliseconds)
      } catch {
        let patience = client.standing.isUnreachable ? SignIn.dialPatience : SignIn.patience
        guard case .timedOut = error, Uptime.milliseconds() - start < patience
        else { throw error }
      }
    }
  }

  /// The time to wait for an answer. Hashing a password takes a second on a small machine, and others may be served
  /// first.
  private static let patience: Int64 = 20_000
  /// The time to wait for a connection; a server that restarts is away for a moment.
  private static let dialPatience: Int64 = 3_000
  private static let glanceMilliseconds = 250
}

/// The programs `whattodo register` and `whattodo login`: the password is one line of standard input. `whattodo pair`
/// needs none.
struct SignInScript {
  private let signIn: SignIn

  init(_ options: Options) throws(ClientError) { signIn = try SignIn(options) }

  func register(
    _ name: String, code: String?, isBot: Bool
  ) throws(ClientError) -> ExitCode {
    try run { client, password throws(ClientError) in
      let recovery = try signIn.register(
        name, password: password, code: code, kind: isBot ? .bot : .person, by: client)
      _ = try signIn.login(name, password: password, by: client)
      Output.say([
        Line("registered and signed in as \(name)"), Line("recovery code: \(recovery)"),
      ])
    }
  }

  func login(_ name: String) throws(ClientError) -> ExitCode {
    try run { client, password throws(ClientError) in
      _ = try signIn.login(name, password: password, by: client)
      Output.say([Line("signed in as \(name)")])
    }
  }

  /// Signs in as a bot. The token is one line of standard input.
  func login(tokenOf name: String) throws(ClientError) -> ExitCode {
    guard Text.isUsername(name) else {
      Output.complain("whattodo: the name of the bot is no username")
      return .usage
    }
    return try run(needs: "token") { _, token throws(ClientError) in
      try signIn.login(name, token: token.filter { !$0.isWhitespace })
      Output.say([Line("signed in as \(name)")])
    }
  }

  func pair(_ code: String) throws(ClientError) -> ExitCode {
    try run(needs: nil) { client, _ throws(ClientError) in
      let session = try signIn.pair(code, by: client)
      Output.say([Line("signed in as \(session.username)")])
    }
  }

  func beginAsGuest() throws(ClientError) -> ExitCode {
    try run(needs: nil) { client, _ throws(ClientError) in
      let session = try signIn.beginAsGuest(by: client)
      Output.say([Line("signed in as \(session.username), a guest")])
    }
  }

  func upgrade(to name: String, code: String?) throws(ClientError) -> ExitCode {
    guard let session = try signIn.session() else {
      Output.complain("whattodo: not signed in; whattodo guest begins without a name")
      return .notSignedIn
    }
    guard let password = readLine(strippingNewline: true), !password.isEmpty else {
      Output.complain("whattodo: no password came on standard input")
      return .usage
    }
    let client = try signIn.client(token: session.token, streams: .none)
    defer { client.close() }
    let recovery = try signIn.upgrade(
      session, to: name, password: password, code: code, by: client)
    Output.say([Line("you are \(name) now"), Line("recovery code: \(recovery)")])
    return .done
  }

  /// Does the work with the secret that it needs, such as a password, which is one line of standard input.
  private func run(
    needs secret: String? = "password", _ work: (Client, String) throws(ClientError) -> Void
  ) throws(ClientError) -> ExitCode {
    if let session = try signIn.session() {
      Output.complain("whattodo: signed in as \(session.username) already; log out first")
      return .refused
    }
    let line = secret == nil ? "" : readLine(strippingNewline: true) ?? ""
    if let secret, line.isEmpty {
      Output.complain("whattodo: no \(secret) came on standard input")
      return .usage
    }
    let client = try signIn.anonymous()
    defer { client.close() }
    do throws(ClientError) {
      try work(client, line)
    } catch {
      guard case .timedOut = error else { throw error }
      Output.complain("whattodo: no answer; is a server running at \(signIn.server.url)?")
      return .noConnection
    }
    return .done
  }
}

extension Standing {
  fileprivate var isUnreachable: Bool {
    switch self {
    case .offline(.unreachable, retryMilliseconds: _): true
    case .offline, .connecting, .live, .ended: false
    }
  }
}

extension ClientError {
  /// The advice to a program or person whose logout was forbidden, because no token ends itself. Nil for another error.
  var adviceAtLogout: String? {
    guard case .refused(let error) = self, error.kind == .forbidden else { return nil }
    return "the token is forgotten here; the owner of the bot ends it with: token BOT revoke N"
  }
}
