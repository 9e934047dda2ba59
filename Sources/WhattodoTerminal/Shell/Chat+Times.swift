import Domain
import Screen

/// A question that waits for `this` or `all`.
struct AskedTimes {
  let line: String
  /// The situation on the screen when it was asked.
  let seen: Situation
}

extension Chat {
  /// Carries the line out for `this` or `all` on the present state; "this" is the time that the person saw. Returns
  /// false for anything else.
  func answer(_ asked: AskedTimes, _ words: [String]) -> Bool {
    guard words.count == 1, let times = Times(rawValue: words[0]) else { return false }
    let said = times.said(in: asked.line)
    guard case .action(let action) = Input(chat: said) else { return false }
    echo(said, .action(action))
    perform(action, said, seen: asked.seen)
    return true
  }
}
