import Domain
import Screen

/// A question that waits for `this` or `all`.
struct AskedTimes {
  let line: String
  /// What was on the screen when it was asked.
  let seen: Situation
}

extension Chat {
  /// `this` or `all` carries the line out on what there is now; "this" is the time that the person saw. Another command is
  /// one, and nothing else is a post.
  func answer(_ asked: AskedTimes, _ line: String) {
    let words = line.split(separator: " ").map { $0.lowercased() }
    guard words.count == 1, let times = Times(rawValue: words[0]) else {
      if line.hasPrefix("/") { return submit(line) }
      echo(line, .wrong(UsageError(command: "", usage: "", hint: "")))
      return complain("neither this nor all; nothing was done")
    }
    let said = times.said(in: asked.line)
    guard case .action(let action) = Input(chat: said) else { return submit(said) }
    echo(said, .action(action))
    perform(action, said, seen: asked.seen)
  }
}
