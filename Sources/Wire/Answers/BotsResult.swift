package import Domain

/// One line of `bot.list`: a bot of the sender.
package struct BotLine: Equatable, Sendable {
  package let id: UserID
  package let username: String
  package let name: String
  /// The time at which the account ends; nil when it does not.
  package let endsAt: Timestamp?
  /// The categories and groups that the bot is in, in the order of streams.
  package let places: [BotPlace]
  /// The tokens in the order in which they were made, also those whose time is over.
  package let tokens: [TokenLine]
  /// The webhooks in the order in which they were added, without their cursors.
  package let webhooks: [Webhook]

  package init(
    id: UserID, username: String, name: String, endsAt: Timestamp?, places: [BotPlace],
    tokens: [TokenLine], webhooks: [Webhook] = []
  ) {
    self.webhooks = webhooks
    self.id = id
    self.username = username
    self.name = name
    self.endsAt = endsAt
    self.places = places
    self.tokens = tokens
  }
}

/// A category or group that a bot is in.
package struct BotPlace: Equatable, Sendable {
  package let stream: StreamID
  package let role: Role

  package init(stream: StreamID, role: Role) {
    self.stream = stream
    self.role = role
  }
}

/// A token, without its text.
package struct TokenLine: Equatable, Sendable {
  package let token: Token
  package let name: String
  package let addedAt: Timestamp
  /// The last use, precise to the day; nil when it was never used.
  package let usedAt: Timestamp?

  package init(token: Token, name: String, addedAt: Timestamp, usedAt: Timestamp?) {
    self.token = token
    self.name = name
    self.addedAt = addedAt
    self.usedAt = usedAt
  }
}

extension Answer {
  package static func bots(_ id: RequestID, _ lines: [BotLine]) -> [UInt8] {
    envelope(id) { writer in
      writer.members("bots", lines) { $0.writeFields(to: &$1) }
    }
  }
}

extension BotLine {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("id", id.uuid)
    writer.member("username", username)
    writer.member("name", name)
    writer.member("endsAt", ifPresent: endsAt?.milliseconds)
    writer.members("places", places) { place, writer in
      writer.member("stream", place.stream)
      writer.member("role", place.role.word)
    }
    writer.members("tokens", tokens) { $0.writeFields(to: &$1) }
    writer.members("webhooks", webhooks) { webhook, writer in
      writer.member("id", webhook.id.uuid)
      webhook.writeFields(to: &writer)
      webhook.progress.writeFields(to: &writer)
    }
  }

  /// Reads the result of `bot.list`.
  package static func decodeListResult(_ node: JSONNode) throws(WireError) -> [BotLine] {
    var lines: [BotLine] = []
    for element in try StoredFields(node).elements("bots") {
      lines.append(try BotLine(StoredFields(element)))
    }
    return lines
  }

  private init(_ fields: StoredFields) throws(WireError) {
    var places: [BotPlace] = []
    for element in try fields.elements("places") {
      let place = try StoredFields(element)
      places.append(
        BotPlace(stream: try place.stream("stream"), role: try place.word("role", Role.init(word:)))
      )
    }
    var tokens: [TokenLine] = []
    for element in try fields.elements("tokens") {
      tokens.append(try TokenLine(StoredFields(element)))
    }
    let id = UserID(try fields.uuid("id"))
    var webhooks: [Webhook] = []
    if fields.has("webhooks") {
      for element in try fields.elements("webhooks") {
        let it = try StoredFields(element)
        webhooks.append(
          try Webhook(id: WebhookID(it.uuid("id")), of: id, it, WebhookProgress(it)))
      }
    }
    self.init(
      id: id, username: try fields.string("username"),
      name: try fields.string("name"),
      endsAt: try fields.has("endsAt") ? fields.time("endsAt") : nil, places: places,
      tokens: tokens, webhooks: webhooks)
  }
}

extension TokenLine {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("id", token.id.uuid)
    writer.member("name", name)
    token.writeFields(to: &writer)
    writer.member("addedAt", addedAt)
    writer.member("usedAt", ifPresent: usedAt?.milliseconds)
  }

  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      token: try Token(id: TokenID(try fields.uuid("id")), fields),
      name: try fields.string("name"), addedAt: try fields.time("addedAt"),
      usedAt: try fields.has("usedAt") ? fields.time("usedAt") : nil)
  }
}
