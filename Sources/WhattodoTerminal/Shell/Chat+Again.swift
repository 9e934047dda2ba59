import Domain
import Screen

/// A question that waits for `yes` or `no`.
struct AskedAgain {
  let line: String
  /// What was on the screen when it was asked.
  let seen: Situation
}

extension Chat {
  /// `yes` carries the line out, on the times that were on the screen. Another command is one, and nothing else is a post.
  func answer(_ asked: AskedAgain, _ line: String) {
    let word = line.trimmingSpaces.lowercased()
    switch word {
    case "y", "yes":
      guard case .action(let action) = Input(chat: asked.line) else { return }
      echo(line, .action(action))
      perform(action, asked.line, seen: asked.seen, isMeant: true)
    case "n", "no", "": print(Line("nothing was done", .dim))
    default:
      if line.hasPrefix("/") { return submit(line) }
      echo(line, .wrong(UsageError(command: "", usage: "", hint: "")))
      complain("neither yes nor no; nothing was done")
    }
  }

  /// What waits for the connection, and what it has ended on top of the copies: no event says so yet.
  func tellKept(_ command: Command, _ before: Situation) {
    print(Line("○ kept until the connection is back", .dim))
    situation.read(client)
    print(Outcome(of: command, from: before, to: situation).lines(situation))
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
