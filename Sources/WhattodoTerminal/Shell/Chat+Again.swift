import Domain
import Screen

/// A question that waits for `yes` or `no`.
struct AskedAgain {
  let line: String
  /// The situation on the screen when it was asked.
  let seen: Situation
}

extension Chat {
  /// Carries the line out on yes, for the times that were on the screen. Returns false for anything but yes and no.
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

  /// Shows that a command waits for the connection, and what it has ended on top of the copies, because no event says
  /// so yet.
  func tellKept(_ command: Command, _ before: Situation) {
    print(Line("○ kept until the connection is back", .dim))
    situation.read(client)
    print(PostEnds(of: command, from: before, to: situation).lines(situation))
  }
}
