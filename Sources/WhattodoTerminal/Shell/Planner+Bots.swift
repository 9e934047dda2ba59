import Client
import Domain
import Screen
import Sync
import Wire

// Plans for one's own bots, and their tokens and webhooks.

extension Planner {
  func request(_ step: BotStep) throws(Problem) -> PlannedRequest {
    switch step {
    case .list: return PlannedRequest(request: .query(.bots), report: .bots)
    case .add(let name): return add(bot: name)
    case .change(let name, let wish):
      // The lists are looked up now, while the person sees them.
      switch wish {
      case .addToken(let it): _ = try lists(it.lists)
      case .addWebhook(let it): _ = (try lists(it.lists), try address(it.address))
      default: break
      }
      return PlannedRequest(request: .query(.bots), report: .botChange(name, wish))
    case .webhook(let name, let number):
      return PlannedRequest(request: .query(.bots), report: .webhook(name, number))
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
    case .addWebhook(let it): return try webhook(it, of: bot)
    case .webhook(let step, let number): return try webhook(step, number, of: bot)
    }
  }

  private func webhook(_ wish: WebhookWish, of bot: BotLine) throws(Problem) -> PlannedRequest {
    let (lists, address) = (try lists(wish.lists), try address(wish.address))
    let new = NewWebhook(
      // A host may be longer than a name.
      name: wish.name ?? String(address.host.prefix(Limits.nameScalarsMax)), address: address,
      form: wish.form, lists: lists.isEmpty ? nil : Set(lists))
    let command = Command.bot(.addWebhook(bot.id, WebhookID(Identifiers.make()), new))
    return PlannedRequest(
      request: .command(command, key: Identifiers.key()),
      report: .madeWebhook(bot: bot.username, new))
  }

  private func address(_ text: String) throws(Problem) -> WebhookAddress {
    do throws(WebhookAddress.Problem) {
      return try WebhookAddress(text)
    } catch {
      throw Problem("the address \(text) \(error.rawValue)")
    }
  }

  private func webhook(
    _ step: WebhookStep, _ number: Int, of bot: BotLine
  ) throws(Problem) -> PlannedRequest {
    guard let it = situation.shown.webhooks(of: bot).pick(number, among: bot.webhooks) else {
      throw Problem("@\(bot.username) has no webhook \(number); /bots shows them")
    }
    switch step {
    case .pause:
      return change(
        .bot(.pauseWebhook(it.key)),
        "\(it.name) rests: what happens is kept for /webhook \(bot.username) resume \(number)",
        same: "\(it.name) rests already", told: true)
    case .resume:
      return change(
        .bot(.resumeWebhook(it.key)), "\(it.name) goes on from where it was",
        same: "\(it.name) is at work", told: true)
    case .end:
      return change(
        .bot(.removeWebhook(it.key)), "nothing goes to \(it.name) any more", told: true)
    }
  }

  private func token(_ wish: TokenWish, of bot: BotLine) throws(Problem) -> PlannedRequest {
    let lists = try lists(wish.lists)
    let new = NewToken(
      name: wish.name, lists: lists.isEmpty ? nil : Set(lists), methods: wish.scope?.methods,
      days: wish.days)
    let command = Command.bot(.addToken(bot.id, TokenID(Identifiers.make()), new))
    return PlannedRequest(
      request: .command(command, key: Identifiers.key()),
      report: .madeToken(bot: bot.username, days: wish.days, lists: lists))
  }

  private func lists(_ references: [Reference]) throws(Problem) -> [CategoryID] {
    var found: [CategoryID] = []
    for reference in references { found.append(try situation.list(reference).id) }
    return found
  }
}
