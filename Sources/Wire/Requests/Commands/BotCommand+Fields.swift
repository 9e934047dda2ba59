import Domain

// The parameters of the changes of bots, and of their tokens and webhooks, both ways.

extension BotMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .add:
      let id = try params.read(.newBot)
      let username = try params.read(.botUsername)
      return .bot(
        .add(
          NewBot(
            id: id, username: username, name: try params.optional(.botName) ?? username,
            zone: try params.read(.botZone, or: "UTC"))))
    case .end: return .bot(.end(try params.read(.bot)))
    case .keep: return .bot(.keep(try params.read(.bot)))
    case .give:
      return .bot(.give(try params.read(.bot), to: try params.read(.nextOwner)))
    case .addToken:
      return .bot(
        .addToken(
          try params.read(.bot), try params.read(.newToken),
          NewToken(
            name: try params.read(.tokenName), lists: try params.optional(.tokenLists),
            methods: try params.optional(.tokenMethods),
            days: try params.read(.tokenDays, or: Limits.tokenDaysMax))))
    case .revokeToken:
      return .bot(.revokeToken(try params.read(.bot), try params.read(.token)))
    case .addWebhook:
      return .bot(
        .addWebhook(
          try params.read(.bot), try params.read(.newWebhook),
          NewWebhook(
            name: try params.read(.webhookName), address: try params.read(.webhookAddress),
            form: try params.read(.webhookForm, or: .events),
            lists: try params.optional(.webhookLists))))
    case .removeWebhook: return .bot(.removeWebhook(try webhook(params)))
    case .pauseWebhook: return .bot(.pauseWebhook(try webhook(params)))
    case .resumeWebhook: return .bot(.resumeWebhook(try webhook(params)))
    }
  }

  private func webhook(_ params: Params) throws(Refusal) -> WebhookKey {
    WebhookKey(bot: try params.read(.bot), id: try params.read(.webhook))
  }
}

extension BotCommand {
  func add(to fields: inout SortedFields) {
    switch self {
    case .add(let new):
      fields.add(.newBot, new.id)
      fields.add(.botUsername, new.username)
      fields.add(.botName, new.name)
      fields.add(.botZone, new.zone)
    case .end(let bot), .keep(let bot): fields.add(.bot, bot)
    case .give(let bot, let username):
      fields.add(.bot, bot)
      fields.add(.nextOwner, username)
    case .addToken(let bot, let id, let new):
      fields.add(.bot, bot)
      fields.add(.newToken, id)
      fields.add(.tokenName, new.name)
      fields.add(.tokenLists, new.lists)
      fields.add(.tokenMethods, new.methods)
      fields.add(.tokenDays, new.days)
    case .revokeToken(let bot, let id):
      fields.add(.bot, bot)
      fields.add(.token, id)
    case .addWebhook(let bot, let id, let new):
      fields.add(.bot, bot)
      fields.add(.newWebhook, id)
      fields.add(.webhookName, new.name)
      fields.add(.webhookAddress, new.address)
      fields.add(.webhookForm, new.form)
      fields.add(.webhookLists, new.lists)
    case .removeWebhook(let key), .pauseWebhook(let key), .resumeWebhook(let key):
      fields.add(.bot, key.bot)
      fields.add(.webhook, key.id)
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<UserID> {
  fileprivate static var newBot: Self { Self("id", S(), "the id of the new bot") }
  fileprivate static var bot: Self { Self("bot", S(), "a bot that the sender owns") }
}

extension Parameter where S == IDShape<TokenID> {
  fileprivate static var newToken: Self { Self("id", S(), "the id of the new token") }
  fileprivate static var token: Self { Self("id", S(), "the token") }
}

extension Parameter where S == IDShape<WebhookID> {
  fileprivate static var newWebhook: Self { Self("id", S(), "the id of the new webhook") }
  fileprivate static var webhook: Self { Self("id", S(), "the webhook") }
}

extension Parameter where S == WebhookAddressShape {
  fileprivate static var webhookAddress: Self {
    Self("address", S(), "the URL to which it sends (§5.18)")
  }
}

extension Parameter where S == WordShape<Webhook.Form> {
  fileprivate static var webhookForm: Self { Self("form", S(), "the form of what is sent") }
}

extension Parameter where S == UsernameShape {
  fileprivate static var botUsername: Self { .username("the name by which others find the bot") }
  fileprivate static var nextOwner: Self { .username("who owns the bot from now on") }
}

extension Parameter where S == LineShape {
  fileprivate static var botName: Self {
    .name("the name that others see; without it the username")
  }

  fileprivate static var botZone: Self { .zone("the zone of the bot's days") }
  fileprivate static var webhookName: Self { .name("where it leads, as its owner calls it") }
  fileprivate static var tokenName: Self { .name("what the token is for, as its owner calls it") }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var tokenDays: Self {
    .days(1...Limits.tokenDaysMax, "for how many days it is good")
  }
}

extension Parameter where S == CategorySetShape {
  fileprivate static var tokenLists: Self {
    Self("lists", S(), "the categories that it is for; without it all that the bot is in")
  }

  fileprivate static var webhookLists: Self {
    Self(
      "lists", S(),
      "the categories that it is about; without it all categories and groups that the bot is in")
  }
}

extension Parameter where S == MethodSetShape {
  fileprivate static var tokenMethods: Self {
    Self(
      "methods", S(), "the methods that it allows; without it all that a token may call (§5.12)")
  }
}

/// Ids of categories, at least one. Their order does not count.
struct CategorySetShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Set<CategoryID> {
    let read = try params.list(name, atMost: Limits.tokenListsMax) { element throws(Refusal) in
      guard let id = element.uuid else {
        throw params.invalid(name, "must be UUIDs in lower case")
      }
      return CategoryID(id)
    }
    guard !read.isEmpty else { throw params.invalid(name, "is empty") }
    return Set(read)
  }

  func write(_ value: Set<CategoryID>, to writer: inout JSONWriter) {
    writer.array(value.sorted()) { $1.uuid($0.uuid) }
  }

  var schema: String { Schema.list(of: Schema.common("uuid"), 1...Limits.tokenListsMax) }
  var example: String { "[\(Schema.quoted(Schema.exampleID))]" }
}

/// The address of a webhook.
struct WebhookAddressShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> WebhookAddress {
    let text = try params.line(name, 1...Limits.webhookAddressBytesMax)
    do throws(WebhookAddress.Problem) {
      return try WebhookAddress(text)
    } catch {
      throw params.invalid(name, error.rawValue)
    }
  }

  func write(_ value: WebhookAddress, to writer: inout JSONWriter) { writer.string(value.text) }
  var schema: String { Schema.text(1...Limits.webhookAddressBytesMax) }
  var example: String { Schema.quoted("https://example.org/hook") }
}

/// Names of methods that a token may call, at least one. Their order does not count.
struct MethodSetShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Set<Method> {
    let read = try params.list(name, atMost: Limits.tokenMethodsMax) { element throws(Refusal) in
      guard let method = element.string.flatMap(Method.init(named:)), method.row.isOpenToTokens
      else {
        throw params.invalid(name, "must be methods that a token may call")
      }
      return method
    }
    guard !read.isEmpty else { throw params.invalid(name, "is empty") }
    return Set(read)
  }

  func write(_ value: Set<Method>, to writer: inout JSONWriter) {
    writer.array(value.map(\.name).sorted()) { $1.string($0) }
  }

  var schema: String {
    Schema.list(
      of: Schema.words(Method.allCases.filter(\.row.isOpenToTokens).map(\.name)),
      1...Limits.tokenMethodsMax)
  }

  var example: String { #"["post.add"]"# }
}
