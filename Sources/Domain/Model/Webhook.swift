// A webhook sends what happens where a bot is to an address of another program (protocol §5.18). It is a row beside the
// log, as a token is: the address may itself be a secret, so no event has it.

/// The id of a webhook, made by the client. It is good once for each bot.
package struct WebhookID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: WebhookID, right: WebhookID) -> Bool { left.uuid < right.uuid }
}

/// The name of a webhook: ids of webhooks are unique for their bot.
package struct WebhookKey: Hashable, Comparable, Sendable {
  package let bot: UserID
  package let id: WebhookID

  package init(bot: UserID, id: WebhookID) {
    self.bot = bot
    self.id = id
  }

  package static func < (a: WebhookKey, b: WebhookKey) -> Bool { (a.bot, a.id) < (b.bot, b.id) }
}

/// A webhook of a bot, with how far it has come.
package struct Webhook: Equatable, Sendable {
  /// The form of what is sent.
  package enum Form: String, CaseIterable, Sendable {
    /// JSON with the events themselves.
    case events
    /// JSON with a text, as chat programs of the kind of Slack take it.
    case slack
    /// A text, as an ntfy server takes it.
    case ntfy
  }

  package let id: WebhookID
  package let bot: UserID
  /// The name that the owner of the bot gives it.
  package let name: String
  package let address: WebhookAddress
  package let form: Form
  /// The categories that it is about. Nil when it is about all categories and groups that the bot is in.
  package let lists: Set<CategoryID>?
  package let addedAt: Timestamp
  package var progress: WebhookProgress

  package init(
    id: WebhookID, bot: UserID, name: String, address: WebhookAddress, form: Form,
    lists: Set<CategoryID>?, addedAt: Timestamp, progress: WebhookProgress
  ) {
    self.id = id
    self.bot = bot
    self.name = name
    self.address = address
    self.form = form
    self.lists = lists
    self.addedAt = addedAt
    self.progress = progress
  }

  package var key: WebhookKey { WebhookKey(bot: bot, id: id) }

  /// Answers whether the webhook is about the stream, when the bot is in it.
  package func isAbout(_ stream: StreamID) -> Bool {
    guard let lists else { return stream.category != nil || stream.isGroup }
    return stream.category.map(lists.contains) ?? false
  }
}

/// How far a webhook has come, as the store keeps it.
package struct WebhookProgress: Equatable, Sendable {
  /// The newest event of each stream that the receiver has taken, or that was not for it.
  package var cursors: [StreamID: Int64]
  /// The delivery that does not arrive. Nil when nothing has failed since the last one that arrived.
  package var trouble: WebhookTrouble?
  /// The time since which nothing is tried any more. Nil when the webhook is at work.
  package var pausedAt: Timestamp?
  /// The number of times that the owner has paused or resumed it.
  package var revision: Int
  /// The last tries, the newest last, at most `Limits.webhookTriesKept`.
  package var tries: [WebhookTry]

  package init(
    cursors: [StreamID: Int64] = [:], trouble: WebhookTrouble? = nil, pausedAt: Timestamp? = nil,
    revision: Int = 0, tries: [WebhookTry] = []
  ) {
    self.revision = revision
    self.cursors = cursors
    self.trouble = trouble
    self.pausedAt = pausedAt
    self.tries = tries
  }

  /// Adds a try, and forgets the oldest one when there are too many.
  package mutating func add(_ new: WebhookTry) {
    tries.append(new)
    tries.removeFirst(max(0, tries.count - Limits.webhookTriesKept))
  }
}

/// A range of events of one stream, which are delivered together.
package struct WebhookRange: Hashable, Sendable {
  package let stream: StreamID
  /// The numbers of the first event and of the last.
  package let from: Int64
  package let through: Int64

  package init(stream: StreamID, from: Int64, through: Int64) {
    self.stream = stream
    self.from = from
    self.through = through
  }
}

/// A delivery that failed and is tried again.
package struct WebhookTrouble: Equatable, Sendable {
  package let range: WebhookRange
  /// The time of the first try that failed.
  package let since: Timestamp
  /// The number of tries that failed, from 1.
  package var failures: Int

  package init(range: WebhookRange, since: Timestamp, failures: Int = 1) {
    self.range = range
    self.since = since
    self.failures = failures
  }
}

/// One try to deliver.
package struct WebhookTry: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    /// The receiver answered with this status of HTTP.
    case answered(Int)
    /// There was no answer. The text is a clause that says why, such as "the host has no address".
    case failed(String)

    /// Whether the receiver has taken the delivery: any status of 2xx (RFC 9110 §15.3).
    package var isTaken: Bool {
      if case .answered(let status) = self { (200..<300).contains(status) } else { false }
    }
  }

  package let range: WebhookRange
  package let at: Timestamp
  package let outcome: Outcome
  /// The time that it took.
  package let milliseconds: Int

  package init(range: WebhookRange, at: Timestamp, outcome: Outcome, milliseconds: Int) {
    self.range = range
    self.at = at
    self.outcome = outcome
    self.milliseconds = milliseconds
  }
}

extension [Webhook] {
  /// Takes a change of the webhooks of the bots to which these belong. Other changes do nothing.
  package mutating func apply(_ change: AccountChange) {
    switch change {
    case .webhookAdded(let webhook): append(webhook)
    case .webhookMoved(let key, let progress), .webhookSet(let key, let progress):
      for index in indices where self[index].key == key { self[index].progress = progress }
    case .webhooksRemoved(let ids, let bot):
      removeAll { $0.bot == bot && ids.contains($0.id) }
    default: break
    }
  }
}

extension AccountChange {
  /// The bot whose webhooks it changes. Nil for a change of something else.
  package var webhookBot: UserID? {
    switch self {
    case .webhookAdded(let webhook): webhook.bot
    case .webhookMoved(let key, _), .webhookSet(let key, _): key.bot
    case .webhooksRemoved(_, of: let bot): bot
    default: nil
    }
  }
}
