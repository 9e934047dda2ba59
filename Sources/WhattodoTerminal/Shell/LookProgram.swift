import Client
import Domain
import Glibc
import Screen
import Sync
import Wire

/// The program `whattodo --link CODE`: shows a list that somebody lets one look at. On a terminal it shows the list
/// again whenever it changes, until it is interrupted; into a file or a pipe it writes once. Nothing is kept on this
/// machine, and nothing can be typed, because the list is read only.
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
    guard let (list, first) = look(client) else { return ended(client) }
    Output.say([Line("You look at \(list.tag) by a link. It is read only.", .dim)] + first)
    var (shown, attention) = (first, Attention())
    while isatty(1) == 1 {
      tell(attention.due(in: list.id, typing: nil, isLive: client.isLevel, now: now()), client)
      let news = client.waitForNews(milliseconds: 1_000)
      if case .ended = client.standing { return ended(client) }
      guard news.contains(where: \.changesList), let (list, lines) = look(client) else { continue }
      guard list.removed == nil else {
        Output.complain("whattodo: this list was removed")
        return .refused
      }
      if lines != shown { Output.say([Line()] + lines) }
      shown = lines
    }
    return .done
  }

  private func now() -> Int64 { Uptime.milliseconds() }

  /// Tells the server that a guest is here, because those who share a list may know when somebody looks at it.
  private func tell(_ requests: [EphemeralRequest], _ client: Client) {
    for case .presence(let stream, let isHere) in requests {
      _ = client.setPresence(in: stream, isHere: isHere)
    }
  }

  /// Returns the present list and its lines; nil when there is no list to see.
  private func look(_ client: Client) -> (Category, [Line])? {
    var situation = Situation()
    situation.read(client)
    let lists = situation.streams.keys.sorted().compactMap { situation.streams[$0]?.category }
    return lists.first.map { ($0, ListLines.posts(of: $0, done: false, situation)) }
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
    case .standing, .ephemeral, .level, .answered, .withdrawn, .unsent, .notKept:
      false
    }
  }
}
