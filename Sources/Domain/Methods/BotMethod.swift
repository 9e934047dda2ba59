/// The changes of the bots that a person owns, and of their tokens.
package enum BotMethod: String, MethodFamily {
  case add = "bot.add"
  case end = "bot.end"
  case keep = "bot.keep"
  case give = "bot.give"
  case addToken = "token.add"
  case revokeToken = "token.revoke"

  package var row: MethodRow {
    switch self {
    case .add, .keep, .give: .change(inBatch: false, openToTokens: false)
    case .end, .revokeToken: .change(inBatch: false, makesRoom: true, openToTokens: false)
    case .addToken: .change(inBatch: false, secret: true, openToTokens: false)
    }
  }
}
