/// The changes of the bots that a person owns, and of their tokens and webhooks.
package enum BotMethod: String, MethodFamily {
  case add = "bot.add"
  case end = "bot.end"
  case keep = "bot.keep"
  case give = "bot.give"
  case addToken = "token.add"
  case revokeToken = "token.revoke"
  case addWebhook = "webhook.add"
  case removeWebhook = "webhook.remove"
  case pauseWebhook = "webhook.pause"
  case resumeWebhook = "webhook.resume"

  package var row: MethodRow {
    switch self {
    case .add, .keep, .give, .resumeWebhook: .change(inBatch: false, openToTokens: false)
    case .end, .revokeToken, .removeWebhook, .pauseWebhook:
      .change(inBatch: false, makesRoom: true, openToTokens: false)
    case .addToken, .addWebhook: .change(inBatch: false, secret: true, openToTokens: false)
    }
  }
}
