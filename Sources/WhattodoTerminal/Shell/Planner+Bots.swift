import Client
import Domain
import Screen
import Sync
import Wire

// Plans for one's own bots and their tokens.

extension Planner {
  func request(_ step: BotStep) throws(Problem) -> PlannedRequest {
    switch step {
    case .list: return PlannedRequest(request: .query(.bots), report: .bots)
    case .add(let name): return add(bot: name)
    case .change(let name, let wish):
      // The lists are looked up now, while the person sees them.
      if case .addToken(let it) = wish { _ = try lists(of: it) }
      return PlannedRequest(request: .query(.bots), report: .botChange(name, wish))
    }
  }

  private func add(bot name: String) -> PlannedRequest {
    let new = NewBot(
      id: UserID(Identifiers.make()), username: name, name: name, zone: situation.clock.zone)
    return change(
      .bot(.add(new)),
      "@\(name) is your bot: /invite it to a list, and /token \(name) NAME makes a token",
      told: true)
  }

  /// Returns the change of a bot, now that the bots are known.
  func change(
    _ name: String, _ wish: BotWish, among bots: [BotLine]
  ) throws(Problem) -> PlannedRequest {
    guard let bot = bots.first(where: { $0.username == name }) else {
      throw Problem("you have no bot @\(name); /bots shows yours, and /bot new \(name) makes it")
    }
    switch wish {
    case .end:
      return change(
        .bot(.end(bot.id)),
        "@\(name) does nothing any more and ends in \(Limits.botEndDays) days: /bot \(name) keep",
        same: "@\(name) ends already", told: true)
    case .keep:
      return change(
        .bot(.keep(bot.id)), "@\(name) stays; it needs new tokens", same: "@\(name) stays anyway",
        told: true)
    case .give(let heir):
      return change(
        .bot(.give(bot.id, to: heir)), "@\(name) is the bot of @\(heir) now",
        same: "@\(name) is yours already", told: true)
    case .addToken(let it): return try token(it, of: bot)
    case .revokeToken(let number):
      guard let line = situation.shown.tokens(of: bot).pick(number, among: bot.tokens) else {
        throw Problem("@\(name) has no token \(number); /bots shows them")
      }
      return change(
        .bot(.revokeToken(bot.id, line.token.id)), "the token \(line.name) is good for nothing now",
        told: true)
    }
  }

  private func token(_ wish: TokenWish, of bot: BotLine) throws(Problem) -> PlannedRequest {
    let lists = try lists(of: wish)
    let new = NewToken(
      name: wish.name, lists: lists.isEmpty ? nil : Set(lists), methods: wish.scope?.methods,
      days: wish.days)
    let command = Command.bot(.addToken(bot.id, TokenID(Identifiers.make()), new))
    return PlannedRequest(
      request: .command(command, key: Identifiers.key()),
      report: .madeToken(bot: bot.username, days: wish.days, lists: lists))
  }

  private func lists(of wish: TokenWish) throws(Problem) -> [CategoryID] {
    var found: [CategoryID] = []
    for reference in wish.lists { found.append(try situation.list(reference).id) }
    return found
  }
}
