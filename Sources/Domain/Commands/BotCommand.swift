/// A change of the bots that the caller owns (protocol §8, `bot.…`, `token.…` and `webhook.…`).
package enum BotCommand: Equatable, Sendable {
  case add(NewBot)
  case end(UserID)
  case keep(UserID)
  /// Lets the person with this username own the bot.
  case give(UserID, to: String)
  case addToken(UserID, TokenID, NewToken)
  case revokeToken(UserID, TokenID)
  case addWebhook(UserID, WebhookID, NewWebhook)
  case removeWebhook(WebhookKey)
  case pauseWebhook(WebhookKey)
  case resumeWebhook(WebhookKey)

  package var method: BotMethod {
    switch self {
    case .add: .add
    case .end: .end
    case .keep: .keep
    case .give: .give
    case .addToken: .addToken
    case .revokeToken: .revokeToken
    case .addWebhook: .addWebhook
    case .removeWebhook: .removeWebhook
    case .pauseWebhook: .pauseWebhook
    case .resumeWebhook: .resumeWebhook
    }
  }
}

/// The wish for a new bot. It has no password: it acts by tokens.
package struct NewBot: Equatable, Sendable {
  package let id: UserID
  package let username: String
  package let name: String
  /// An IANA name such as `Europe/Lisbon`.
  package let zone: String
  /// The mark by which the username would be known if somebody had it before. The ledger's turn makes it.
  package var mark: String?

  package init(id: UserID, username: String, name: String, zone: String) {
    self.id = id
    self.username = username
    self.name = name
    self.zone = zone
  }
}

/// The wish for a new token.
package struct NewToken: Equatable, Sendable {
  /// The name that the owner gives it, such as `nightly build`.
  package let name: String
  /// The categories that the token is for, as in `Token`.
  package let lists: Set<CategoryID>?
  /// The methods that it allows, as in `Token`.
  package let methods: Set<Method>?
  /// The number of days that the token is good for: 1 … `Limits.tokenDaysMax`.
  package let days: Int
  /// The session of the token and the SHA-256 of its text. The ledger's turn derives both from the store's secret.
  /// Nil where nobody signs in by the token.
  package var made: Made?

  package struct Made: Equatable, Sendable {
    package let session: SessionID
    package let hash: [UInt8]
    package init(session: SessionID, hash: [UInt8]) {
      self.session = session
      self.hash = hash
    }
  }

  package init(
    name: String, lists: Set<CategoryID>? = nil, methods: Set<Method>? = nil,
    days: Int = Limits.tokenDaysMax
  ) {
    self.name = name
    self.lists = lists
    self.methods = methods
    self.days = days
  }
}

/// The wish for a new webhook.
package struct NewWebhook: Equatable, Sendable {
  /// The name that the owner gives it, such as `team chat`.
  package let name: String
  package let address: WebhookAddress
  package let form: Webhook.Form
  /// The categories that it is about, as in `Webhook`.
  package let lists: Set<CategoryID>?

  package init(
    name: String, address: WebhookAddress, form: Webhook.Form = .events,
    lists: Set<CategoryID>? = nil
  ) {
    self.name = name
    self.address = address
    self.form = form
    self.lists = lists
  }
}
