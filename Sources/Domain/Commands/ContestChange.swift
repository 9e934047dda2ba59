/// A change of one's own part in the contest of a post (protocol §8, `contest.…`).
package enum ContestChange: Equatable, Sendable {
  case join
  case withdraw
  case reach(Reach)
  /// Takes a step of a coop.
  case claim(StepID)
  case release(StepID)

  /// How far somebody is now.
  package struct Reach: Equatable, Sendable {
    /// 0 to `Limits.amountMax`.
    package let amount: Int64
    /// Whether it may be less than what was said before.
    package let isCorrection: Bool
    /// The person for whom a bot says it, who owns the bot. Nil: the caller.
    package let user: UserID?

    package init(_ amount: Int64, isCorrection: Bool = false, user: UserID? = nil) {
      self.amount = amount
      self.isCorrection = isCorrection
      self.user = user
    }
  }

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .join: .contest(.join)
    case .withdraw: .contest(.withdraw)
    case .reach: .contest(.reach)
    case .claim: .contest(.claim)
    case .release: .contest(.release)
    }
  }
}

extension Command {
  package static func contest(
    _ category: CategoryID, _ post: PostID, _ change: ContestChange, ifVersion: Int? = nil
  ) -> Command {
    .post(
      .change(
        PostAddress(category: category, post: post), .contest(change), ifVersion: ifVersion))
  }
}
