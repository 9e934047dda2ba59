import Domain

// Commands about one's own bots, and their tokens and webhooks.
extension CommandTable {
  static let bots: [CommandEntry] = [
    CommandEntry(
      "bots", usage: "", brief: "your bots and their tokens",
      help: "your bots, and their tokens and webhooks", rare: true
    ) { words in
      words.done(.people(.bot(.list)))
    },
    CommandEntry(
      "bot", usage: "new NAME | NAME end|keep|to PERSON", brief: "make a bot of yours",
      help: "make one, end or keep it, hand it over", rare: true
    ) { words in
      if words.skip("new") {
        return words.person().flatMap { words.done(.people(.bot(.add($0)))) }
      }
      guard let name = words.person() else { return nil }
      if words.skip("end") { return words.done(.people(.bot(.change(name, .end)))) }
      if words.skip("keep") { return words.done(.people(.bot(.change(name, .keep)))) }
      guard words.skip("to"), let heir = words.person() else { return nil }
      return words.done(.people(.bot(.change(name, .give(to: heir)))))
    },
    CommandEntry(
      "token", usage: "BOT NAME [#LIST …] [look|report] [DAYS]",
      brief: "let a program be a bot",
      help: "let a program be it; BOT revoke N ends it", rare: true
    ) { words in
      guard let bot = words.person() else { return nil }
      if words.skip("revoke") {
        guard let number = words.number() else { return nil }
        return words.done(.people(.bot(.change(bot, .revokeToken(number)))))
      }
      return TokenWish(&words).map { .people(.bot(.change(bot, .addToken($0)))) }
    },
    CommandEntry(
      "webhook", usage: "BOT URL [#LIST …] [slack|ntfy] [NAME] | BOT look|pause|resume|end N",
      brief: "send news to a program", help: "send to a URL what happens where a bot is",
      rare: true
    ) { words in
      guard let bot = words.person() else { return nil }
      if words.skip("look") {
        return words.number().flatMap { words.done(.people(.bot(.webhook(bot, $0)))) }
      }
      for step in WebhookStep.allCases where words.skip(step.rawValue) {
        guard let number = words.number() else { return nil }
        return words.done(.people(.bot(.change(bot, .webhook(step, number)))))
      }
      return WebhookWish(&words).map { .people(.bot(.change(bot, .addWebhook($0)))) }
    },
  ]
}
