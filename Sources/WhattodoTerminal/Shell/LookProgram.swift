import Client
import Domain
import Glibc
import Screen
import Sync

/// `whattodo --link CODE`: shows a list that somebody lets one look at, again whenever it changes, until it is interrupted. Into a
/// file or a pipe once. Nothing is kept on this machine, and nothing can be typed: it is read only.
struct LookProgram {
  private let signIn: SignIn
  private let code: String

  init(_ options: Options, _ code: String) throws(ClientError) {
    signIn = try SignIn(options)
    self.code = code
  }

  func run() throws(ClientError) -> ExitCode {
    let client = try Client(
      server: signIn.server, authorities: signIn.authorities, token: nil, link: code,
      program: SignIn.program)
    defer { client.close() }
    guard client.waitUntilLevel(milliseconds: OneShot.connectPatience) else { return ended(client) }
    guard show(client, isFirst: true) else { return ended(client) }
    while isatty(1) == 1 {
      let news = client.waitForNews(milliseconds: 1_000)
      if case .ended = client.standing { return ended(client) }
      if news.contains(where: \.changesList) { _ = show(client, isFirst: false) }
    }
    return .done
  }

  /// False when there is no list to be seen.
  private func show(_ client: Client, isFirst: Bool) -> Bool {
    var situation = Situation()
    situation.read(client)
    guard let list = situation.catalog.lists.first else { return false }
    let head =
      isFirst
      ? [Line("You look at \(list.tag) by a link. It is read only.", .dim)] : [Line()]
    Output.say(head + ListLines.posts(of: list, done: false, situation))
    return true
  }

  private func ended(_ client: Client) -> ExitCode {
    guard case .ended = client.standing else {
      Output.complain("whattodo: no connection to \(signIn.server.url)")
      return .noConnection
    }
    Output.complain("whattodo: this link shows nothing (any more)")
    return .refused
  }
}

extension ClientNews {
  fileprivate var changesList: Bool {
    switch self {
    case .replaced, .happened, .gone: true
    case .standing, .ephemeral, .level, .answered, .unsent, .notKept: false
    }
  }
}
