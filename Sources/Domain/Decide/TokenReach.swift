// A command by a token is decided as one of its bot, and besides: the token must still be good, and nothing may be
// written or told beyond its lists. Only the decision shows where a command reaches, such as a move to another list.

/// Refuses a command by a token that is revoked or over by now. Its connection may have sent the command before.
func refuseOver(_ actor: Actor, at now: Timestamp, in world: inout World) throws(Halt) {
  guard let token = actor.token else { return }
  let isKnown = try world.sessions(of: actor.user).contains { $0.id == actor.session }
  guard isKnown, !token.isOver(at: now) else { throw .refused(.unauthenticated) }
}

extension Halt {
  /// Returns the halt as the holder of a token hears it. A list that the token is not for is not named.
  func told(to token: Token?) -> Halt {
    guard let token, case .refused(.moved(let list)) = self, !token.isFor(.category(list)) else {
      return self
    }
    return .refused(.gone("post"))
  }
}

extension Decision {
  /// Refuses a decision that writes into a category or group that the token is not for, or tells of one.
  func refuseElsewhere(by token: Token?) throws(Halt) {
    try token?.refuseElsewhere(drafts, skipped ?? [])
  }
}

extension UndoPlan {
  /// Refuses a plan that reaches beyond the lists of the token, as the undo itself is refused.
  func refuseElsewhere(by token: Token?) throws(Halt) {
    try token?.refuseElsewhere(drafts, skipped)
  }
}

extension Token {
  /// The log of the bot itself and those of other people do not count: a command writes there what it tells them.
  fileprivate func refuseElsewhere(_ drafts: [Draft], _ skipped: [UndoSkip]) throws(Halt) {
    guard lists != nil else { return }
    let places = drafts.map(\.stream).filter { $0.category != nil || $0.isGroup }
    guard (places + skipped.map(\.stream)).allSatisfy(isFor) else {
      throw .refused(.tokenIsForOthers)
    }
  }
}

extension Refusal {
  /// The refusal of a request that reaches beyond the lists of a token.
  package static var tokenIsForOthers: Refusal { .forbidden("this token is for other lists") }
}
