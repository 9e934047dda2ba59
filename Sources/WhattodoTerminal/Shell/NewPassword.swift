import Domain
import Screen

/// Asks for a new password twice, until both answers are the same and long enough.
enum NewPassword {
  /// Asks with `question`; `tell` shows a sentence. Returns nil when the person gives none: an empty line, Ctrl-C or
  /// the end of the input.
  static func ask(_ question: String, tell: (Phrase) -> Void) -> String? {
    let least = Limits.passwordBytes.lowerBound
    while let new = Prompt.askSecret("\(question) (at least \(least) letters): "), !new.isEmpty {
      guard new.utf8.count >= least else {
        tell("That is too short. Take at least \(least) letters, or press Enter to stop.")
        continue
      }
      guard let again = Prompt.askSecret("the same once more: ") else { return nil }
      if again == new { return new }
      tell("The two are not the same. Choose again, or press Enter to stop.")
    }
    return nil
  }
}
