// Tokens are rows beside the log, as sessions are: these decisions write no events. The text of a token is derived from
// the store's secret, so a repeat of the command gets it again, and nobody else does.

func addToken(
  _ id: TokenID, _ new: NewToken, to bot: UserID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let mark = UsedOnce.token(id, bot)
  try world.require([.profile(bot), .sessions(bot), .codeSpent(mark)])
  guard try owned(bot, by: caller, in: &world).endsAt == nil else {
    throw .refused(.gone("bot"))
  }
  guard try !world.isSpent(mark) else { throw .refused(.exists(field: "id")) }
  let held = try world.sessions(of: bot)
  let over = held.filter { $0.token?.isOver(at: caller.now) == true }
  guard held.count(where: { $0.token != nil }) - over.count < Limits.tokensPerBotMax else {
    throw .refused(.quota(limit: "tokens", max: Limits.tokensPerBotMax))
  }
  let made = new.made ?? NewToken.Made(session: SessionID(id.uuid), hash: id.uuid.bytes)
  let token = Token(
    id: id, lists: new.lists, methods: new.methods, endsAt: caller.now.after(days: new.days))
  let session = SessionRecord(
    id: made.session, user: bot, tokenHash: made.hash, deviceHash: nil, client: new.name,
    openedAt: caller.now, usedAt: .neverUsed, token: token)
  // Tokens whose time is over make room: nothing else takes them away.
  return Decision(
    accounts: (over.isEmpty ? [] : [.sessionsClosed(over.map(\.id), of: bot)])
      + [.sessionOpened(session), .codeSpent(mark, by: caller.user)])
}

func revokeToken(
  _ id: TokenID, of bot: UserID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.profile(bot), .sessions(bot)])
  _ = try owned(bot, by: caller, in: &world)
  guard let session = try world.sessions(of: bot).first(where: { $0.token?.id == id }) else {
    throw .refused(.notFound("token"))
  }
  return Decision(accounts: [.sessionsClosed([session.id], of: bot)])
}

extension Timestamp {
  /// The last use of a token that nobody has used.
  package static let neverUsed = Timestamp(milliseconds: 0)
}
