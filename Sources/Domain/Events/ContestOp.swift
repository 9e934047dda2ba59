/// One change of a contest, in the past tense (protocol §7). None makes a version of the post.
package enum ContestOp: Equatable, Sendable {
  case joined(UserID)
  case withdrew(UserID)
  /// This person is so far now. `was` is how far they were before.
  case reached(UserID, amount: Int64, was: Int64)
  /// This person has taken a step of a coop.
  case claimed(StepID, UserID)
  case released(StepID)
}

extension Post {
  /// Applies the op of the event with this number.
  mutating func apply(_ op: ContestOp, seq: Int64) {
    switch op {
    case .joined(let user): enter(user, seq, isIn: true)
    case .withdrew(let user): enter(user, seq, isIn: false)
    case .reached(let user, let amount, _): enter(user, seq, amount: amount)
    case .claimed(let step, let user):
      shares = shares.with(StepShare(step: step, user: user, seq: seq))
    case .released(let step): shares.removeAll { $0.step == step }
    }
  }

  private mutating func enter(
    _ user: UserID, _ seq: Int64, amount: Int64? = nil, isIn: Bool? = nil
  ) {
    let known = entries.first { $0.user == user }
    // A word about being in keeps its number. It may be from before this person left, and an amount makes it no newer.
    let isWord = isIn != nil || known?.isIn == nil
    entries = entries.with(
      ContestEntry(
        user: user, seq: isWord ? seq : known?.seq ?? seq, amount: amount ?? known?.amount ?? 0,
        isIn: isIn ?? known?.isIn))
  }
}

extension ContestOp {
  /// An amount is set back. A person who joined can withdraw, and one who took a step can give it back.
  var undo: UndoRole {
    switch self {
    case .reached: .takenBack
    case .joined, .withdrew, .claimed, .released: .left
    }
  }

  /// Returns the meaning for others: only that somebody is farther than before, and neither finished nor completed the
  /// post by that.
  func meaning(of post: PostID, in event: Event) -> Meaning? {
    guard case .reached(let user, let amount, let was) = self, amount > was,
      !event.completes(post), !event.completesPart(of: user, in: post)
    else { return nil }
    return Meaning(kind: .reached, post: post, user: user)
  }
}

extension Event {
  fileprivate func completesPart(of user: UserID, in post: PostID) -> Bool {
    ops.contains { op in
      if case .post(.marked(post, _, .partCompleted(user))) = op { true } else { false }
    }
  }
}
