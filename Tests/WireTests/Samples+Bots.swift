import Domain

@testable import Wire

// The samples of the changes of bots, and of their tokens and webhooks.
extension Samples {
  static let botCommands: [Sample<Command>] = [
    Sample(
      "bot.add",
      .bot(
        .add(
          NewBot(
            id: ID.bot, username: "nightly", name: "Nightly build", zone: "Europe/Lisbon")))),
    Sample(
      "bot.add: with the name of its user",
      .bot(.add(NewBot(id: ID.bot, username: "nightly", name: "nightly", zone: "UTC")))),
    Sample("bot.end", .bot(.end(ID.bot))),
    Sample("bot.keep", .bot(.keep(ID.bot))),
    Sample("bot.give", .bot(.give(ID.bot, to: "editor"))),
    Sample(
      "token.add",
      .bot(
        .addToken(
          ID.bot, ID.token,
          NewToken(
            name: "ci server", lists: [ID.category, ID.otherCategory],
            methods: [.post(.importUpsert), .run(.start), .run(.end)], days: 30)))),
    Sample(
      "token.add: for all, for a year",
      .bot(.addToken(ID.bot, ID.token, NewToken(name: "ci server")))),
    Sample(
      "token.add: in another order, and twice",
      .bot(
        .addToken(
          ID.bot, ID.token,
          NewToken(
            name: "ci server", lists: [ID.category, ID.otherCategory],
            methods: [.run(.start), .run(.end)], days: 1)))),
    Sample("token.revoke", .bot(.revokeToken(ID.bot, ID.token))),
    Sample(
      "webhook.add",
      .bot(
        .addWebhook(
          ID.bot, ID.webhook,
          NewWebhook(
            name: "team chat", address: address("https://chat.example.org/hooks/T01?x=%C3%A9"),
            form: .slack, lists: [ID.category])))),
    Sample(
      "webhook.add: from everywhere, with the events themselves",
      .bot(
        .addWebhook(
          ID.bot, ID.webhook,
          NewWebhook(name: "team chat", address: address("http://[2001:db8::1]:8080"))))),
    Sample("webhook.remove", .bot(.removeWebhook(WebhookKey(bot: ID.bot, id: ID.webhook)))),
    Sample("webhook.pause", .bot(.pauseWebhook(WebhookKey(bot: ID.bot, id: ID.webhook)))),
    Sample("webhook.resume", .bot(.resumeWebhook(WebhookKey(bot: ID.bot, id: ID.webhook)))),
  ]

  static func address(_ text: String) -> WebhookAddress {
    guard let address = WebhookAddress(ofText: text) else {
      preconditionFailure("no address: \(text)")
    }
    return address
  }

  static let ownedBot = {
    var it = Profile(
      id: ID.author, username: "nightly", name: "Nightly build", location: "",
      zone: "Europe/Lisbon", kind: .bot, registeredAt: ID.time(0))
    it.owner = ID.editor
    return it
  }()
}
