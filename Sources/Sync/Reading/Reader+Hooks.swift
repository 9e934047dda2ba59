// The bot that reports by a hook (protocol §5.17). A report costs the reads that its token needs, not those of a hello.

package import Domain

/// The owner of a token that a reader was asked about.
package enum TokenHolder: Sendable {
  case unwelcome
  /// Another reader counts this bot's questions.
  case countedElsewhere(UserID)
  case limited(afterMilliseconds: Int)
  /// `used` is the identity whose token the ledger has to note as used; nil when it has not.
  case known(Identity, used: Identity?)
}

extension Reader {
  /// Returns who acts by a token of a bot. Begins and ends its own read transaction. `counts` says whether the
  /// questions of a bot are counted here.
  package func holder(
    of token: String, at now: SessionMoment, counts: (UserID) -> Bool
  ) throws(StoreError) -> TokenHolder {
    try store.read { () throws(StoreError) in
      guard let session = try session(of: token, at: now.wall), session.token != nil else {
        return .unwelcome
      }
      guard counts(session.user) else { return .countedElsewhere(session.user) }
      if let wait = questions.tryNow(session.user, .bot, at: now.milliseconds) {
        return .limited(afterMilliseconds: Int(wait))
      }
      let holder = Identity(
        user: session.user, session: session.id, kind: .bot, token: session.token)
      return .known(holder, used: SessionAge.needsNote(session, at: now.wall) ? holder : nil)
    }
  }
}
