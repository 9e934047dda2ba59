/// A step with the bots that one owns.
enum BotStep: Equatable {
  case list
  case add(String)
  /// A change of the bot with this name. The server is asked for the bots first: no copy has them.
  case change(String, BotWish)
  /// Shows the last tries of the webhook with this number.
  case webhook(String, Int)
}

/// A change of one bot.
enum BotWish: Equatable {
  case end
  case keep
  case give(to: String)
  case addToken(TokenWish)
  /// Revokes a token by its number in `/bots`.
  case revokeToken(Int)
  case addWebhook(WebhookWish)
  /// Does something with a webhook by its number in `/bots`.
  case webhook(WebhookStep, Int)
}

/// A change of one webhook.
enum WebhookStep: String, CaseIterable {
  case pause
  case resume
  case end
}
