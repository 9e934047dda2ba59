// The bots of a person (protocol §8 `bot.list`): where they are, what their tokens allow, and how
// far their webhooks have come.

import Domain
import Wire

extension Reader {
  /// Returns the bots that the asker owns. Call it within a read transaction.
  func bots(_ id: RequestID, _ identity: Identity) throws(StoreError) -> RequestOutcome {
    var lines: [BotLine] = []
    for account in try store.bots(of: identity.user) {
      guard let profile = try profile(of: account.id) else { continue }
      let places = try store.streams(of: account.id).filter { $0.stream != .user(account.id) }
      let tokens = try store.sessions(of: account.id).compactMap { session in
        session.token.map { TokenLine(session, $0) }
      }
      lines.append(
        BotLine(
          id: account.id, username: profile.username, name: profile.name, endsAt: profile.endsAt,
          places: places.map { BotPlace(stream: $0.stream, role: $0.role) }, tokens: tokens,
          webhooks: try store.webhooks(of: account.id)))
    }
    return .answer(Answer.bots(id, lines))
  }
}

extension TokenLine {
  fileprivate init(_ session: SessionRecord, _ token: Token) {
    self.init(
      token: token, name: session.client, addedAt: session.openedAt,
      usedAt: session.usedAt == .neverUsed ? nil : session.usedAt)
  }
}
