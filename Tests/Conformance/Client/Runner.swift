import Net
import WebSocket

/// Talks to the suite's fuzzing server, one connection after the other: asks how many cases there
/// are, echoes every message of every case, then asks for the reports.
final class Runner: LoopApplication {
  private enum Step {
    case counting
    case running(Int)
    /// Until the suite has the last result.
    case awaiting
    case reporting
  }

  /// The largest message of the suite (9.1.6, 9.2.6).
  private static let messageBytesMax = 16 << 20

  private let server: ConformanceServer
  private let agent: String
  private var loop: Loop?
  private var step = Step.counting
  private var cases = 0

  init(_ server: ConformanceServer, agent: String) {
    self.server = server
    self.agent = agent
  }

  func started(_ loop: Loop) {
    self.loop = loop
    dial("/getCaseCount")
  }

  func opened(_ connection: ConnectionID, _ opening: Opening) {}

  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>) {
    switch step {
    case .counting:
      var digits: [UInt8] = []
      for index in payload.indices { digits.append(payload[index]) }
      cases = Int(String(decoding: digits, as: UTF8.self)) ?? 0
    case .running: loop?.send(kind, payload, to: connection)
    case .awaiting, .reporting: break
    }
  }

  func closed(_ connection: ConnectionID, _ ending: Ending) {
    switch (step, ending) {
    case (_, .unreachable), (_, .refused): Program.end(1, "\(step): \(ending)")
    case (.counting, _):
      guard cases > 0 else { Program.end(1, "the suite did not say how many cases there are") }
      run(1)
    case (.running(let number), _):
      // How the connection ended is what the suite judges.
      if number < cases { run(number + 1) } else { awaitResult() }
    case (.awaiting, _): report()
    case (.reporting, _): loop?.end()
    }
  }

  func stopRequested() { loop?.end() }

  private func run(_ number: Int) {
    step = .running(number)
    dial("/runCase?case=\(number)&agent=\(agent)")
  }

  /// The suite has a case's result when it sees the end of the socket, a moment after both closed. Of all
  /// cases but the last that is soon enough for the report; here it answers when it has it.
  private func awaitResult() {
    step = .awaiting
    dial("/getCaseStatus?case=\(cases)&agent=\(agent)")
  }

  private func report() {
    step = .reporting
    dial("/updateReports?agent=\(agent)")
  }

  private func dial(_ path: String) {
    var target = DialTarget(host: server.host, port: server.port, path: path)
    target.messageBytesMax = Runner.messageBytesMax
    target.deflate = true
    _ = loop?.dial(target)
  }
}

/// Where the suite listens.
struct ConformanceServer: Sendable {
  let host: String
  let port: UInt16

  /// Reads `ws://HOST:PORT`.
  init?(url: String) {
    guard url.hasPrefix("ws://"), let colon = url.lastIndex(of: ":"),
      let port = UInt16(url[url.index(after: colon)...])
    else { return nil }
    host = String(url[url.index(url.startIndex, offsetBy: 5)..<colon])
    self.port = port
  }
}
