import Domain

extension Command {
  /// Whether the answer holds something derived from the command itself (`CodeBook`). Only the very command that was
  /// decided may have such an answer. Another command gets none, even under a key whose hash went with an erased text.
  var isAnsweredFromItself: Bool {
    switch self {
    case .invitation(.makeCode), .link(.make), .bot(.addToken), .bot(.addWebhook): true
    default: false
    }
  }

  /// Returns the needs of a command about a post before anything is known, so that they can be loaded together with
  /// those of other works (LedgerTurn). Other commands are rare enough to ask when they are decided.
  func firstNeeds(of actor: UserID) -> [Need] {
    post.map { Need.toChange($0, by: actor) } ?? []
  }
}
