import Domain
import Screen

/// A question that waits for `yes` or `no`.
struct AskedAgain {
  let line: String
  /// What was on the screen when it was asked.
  let seen: Situation
}

extension Chat {
  /// Yes carries the line out, on the times that were on the screen. False for anything but yes and no.
  func answer(_ asked: AskedAgain, _ words: [String]) -> Bool {
    switch YesNo(words.joined(separator: " ")) {
    case .yes:
      guard case .action(let action) = Input(chat: asked.line) else { return false }
      echo(asked.line, .action(action))
      perform(action, asked.line, seen: asked.seen, isMeant: true)
    case .no: print(Line("nothing was done", .dim))
    case nil: return false
    }
    return true
  }

  /// What waits for the connection, and what it has ended on top of the copies: no event says so yet.
  func tellKept(_ command: Command, _ before: Situation) {
    print(Line("○ kept until the connection is back", .dim))
    situation.read(client)
    print(Outcome(of: command, from: before, to: situation).lines(situation))
  }
}
