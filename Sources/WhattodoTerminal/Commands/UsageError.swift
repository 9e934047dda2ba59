/// A line that names a command but does not match its usage.
struct UsageError: Error, Equatable {
  let command: String
  let usage: String
  /// An example of words that would be right; empty where `usage` says enough.
  let hint: String

  /// Returns the message for the person. `slash` shows the command as it is typed in a chat.
  func sentence(slash: Bool) -> String {
    "usage: " + (slash ? "/" : "") + command + (usage.isEmpty ? "" : " " + usage)
      + (hint.isEmpty ? "" : ": " + hint)
  }
}
