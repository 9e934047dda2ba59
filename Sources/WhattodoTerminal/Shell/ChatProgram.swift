import Client
import Domain
import Glibc
import Screen
import Wire

/// The program `whattodo` without arguments: signs in if nobody is signed in, then chats.
struct ChatProgram {
  private let signIn: SignIn

  init(_ options: Options) throws(ClientError) { signIn = try SignIn(options) }

  func run() throws(ClientError) -> ExitCode {
    guard isatty(0) == 1, isatty(1) == 1 else {
      Output.complain("whattodo: the chat wants a terminal; for scripts: whattodo do 'COMMAND'")
      return .usage
    }
    var saved = try signIn.session()
    if saved == nil { saved = try askWho() }
    guard let session = saved else { return .notSignedIn }
    // The terminal is opened before the client starts its thread, because threads inherit which signals are blocked.
    guard let terminal = openTerminal() else { return .usage }
    let waker = terminal.waker
    let files = openFiles(of: session)
    let client = try signIn.client(
      token: session.token, files: files, onNews: { waker.wake() })
    defer { client.close() }
    return Self.run(
      Chat(
        terminal: terminal, client: client, files: files, folder: signIn.folder, session: session
      ))
  }

  /// Opens the file that keeps what is not sent. Without it the chat works too, and says so; then the result is nil.
  private func openFiles(of session: StateFolder.Session) -> AccountFiles? {
    do throws(ClientError) {
      return try AccountFiles(in: signIn.folder, of: session)
    } catch {
      Output.complain("whattodo: \(error)")
      return nil
    }
  }

  private func openTerminal() -> Terminal? {
    do throws(TerminalError) {
      return try Terminal(name: Self.environment("TERM") ?? "dumb", colors: Self.hasColors)
    } catch {
      Self.complain(error)
      return nil
    }
  }

  private static func run(_ chat: Chat) -> ExitCode {
    defer { chat.terminal.leaveRaw() }
    do throws(TerminalError) {
      try chat.terminal.enterRaw()
      return try chat.run()
    } catch {
      chat.terminal.leaveRaw()
      complain(error)
      return .usage
    }
  }

  private static func complain(_ error: TerminalError) {
    Output.complain("whattodo: the terminal cannot be used (\(error))")
  }

  // MARK: The first start

  private func askWho() throws(ClientError) -> StateFolder.Session? {
    Output.tell("Welcome to WhatTODO at \(signIn.server.url).")
    let takesGuests = try takesGuests()
    let question = "register, login, \(takesGuests ? "guest, " : "")pair or recover? "
    while true {
      guard let word = Prompt.ask(question)?.lowercased() else { return nil }
      do throws(ClientError) {
        switch word.first {
        case "r" where word.hasPrefix("rec"): if let it = try recover() { return it }
        case "r": if let it = try register() { return it }
        case "l": if let it = try login() { return it }
        case "p": if let it = try pair() { return it }
        case "g":
          return try withClient { client throws(ClientError) in
            try signIn.beginAsGuest(by: client)
          }
        case "q": return nil
        default:
          Output.tell(
            "Type register for a new account, login for one that you have, "
              + (takesGuests ? "guest to begin without a name, " : "")
              + "pair to sign in by a code from another device, recover after a lost password.")
        }
      } catch {
        try tell(error)
      }
    }
  }

  /// Whether the server takes guests. When no server answers, the question is asked without guests.
  private func takesGuests() throws(ClientError) -> Bool {
    do throws(ClientError) {
      return try withClient { client throws(ClientError) in
        try signIn.answer(client.about(), by: client).takesGuests
      }
    } catch {
      try tell(error)
      return false
    }
  }

  /// Shows an error that can pass: the person can correct what they typed, and a server may come back. Throws errors of
  /// the machine.
  private func tell(_ error: ClientError) throws(ClientError) {
    switch error {
    case .timedOut: Output.tell("no answer; is a server running at \(signIn.server.url)?")
    case .refused, .lost, .unconnected: Output.tell("\(error)")
    case .ended, .address, .authorities, .machine, .folder, .queueFull: throw error
    }
  }

  private func register() throws(ClientError) -> StateFolder.Session? {
    guard let name = Prompt.ask("choose a name: ").map(newName),
      let password = NewPassword.ask("choose a password", tell: Output.tell)
    else { return nil }
    return try withClient { client throws(ClientError) in
      let code = try register(name, password, by: client)
      tell(recoveryCode: code)
      return try signIn.login(name, password: password, by: client)
    }
  }

  /// Registers, and asks for a registration code when the server wants one.
  private func register(
    _ name: String, _ password: String, by client: Client
  ) throws(ClientError) -> String {
    do throws(ClientError) {
      return try signIn.register(name, password: password, code: nil, by: client)
    } catch {
      guard case .refused(let refusal) = error, refusal.field == "code",
        let code = Prompt.ask("registration code: ")
      else { throw error }
      return try signIn.register(name, password: password, code: code, by: client)
    }
  }

  private func login() throws(ClientError) -> StateFolder.Session? {
    guard let name = askName("name: "), let password = Prompt.askSecret("password: ") else {
      return nil
    }
    return try withClient { client throws(ClientError) in
      try signIn.login(name, password: password, by: client)
    }
  }

  private func pair() throws(ClientError) -> StateFolder.Session? {
    Output.tell("Where you are signed in, type /pair; it shows a code.")
    guard let code = Prompt.askSecret("the code: ") else { return nil }
    return try withClient { client throws(ClientError) in try signIn.pair(code, by: client) }
  }

  private func recover() throws(ClientError) -> StateFolder.Session? {
    guard let name = askName("name: "), let code = Prompt.askSecret("recovery code: "),
      let password = NewPassword.ask("new password", tell: Output.tell)
    else { return nil }
    return try withClient { client throws(ClientError) in
      let answer = try signIn.answer(
        client.recover(username: name, code: code, password: password), by: client)
      tell(recoveryCode: answer.recoveryCode)
      return try signIn.login(name, password: password, by: client)
    }
  }

  /// Shows the code on a line of its own, so that it can be selected and copied.
  private func tell(recoveryCode code: String) {
    Output.tell("Your recovery code:")
    Output.say([Line(), Line("  \(code)"), Line()])
    Output.tell("Write it down: it opens the account when the password is lost.")
  }

  /// Returns the username as it will be, and tells the person when it differs from what they typed.
  private func newName(_ typed: String) -> String {
    let name = typed.lowercased().split(separator: " ").joined()
    if name != typed { Output.tell("you will be @\(name)") }
    return name
  }

  private func askName(_ question: String) -> String? {
    Prompt.ask(question)?.lowercased().split(separator: " ").joined()
  }

  private func withClient<Value>(
    _ work: (Client) throws(ClientError) -> Value
  ) throws(ClientError) -> Value {
    let client = try signIn.anonymous()
    defer { client.close() }
    return try work(client)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether colors are allowed: any value of NO_COLOR but the empty one forbids them (no-color.org).
  private static var hasColors: Bool { (environment("NO_COLOR") ?? "").isEmpty }
}
