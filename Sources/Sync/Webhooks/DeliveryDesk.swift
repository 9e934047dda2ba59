// Decides which webhook sends when (protocol §5.18): one delivery of a webhook at a time, so that the events of a
// stream arrive in order. A delivery that fails is tried again after a while, and after a day no more. The desk is
// pure: the courier's thread and the simulator give it times and outcomes, read the events that are due
// (DeliveryReader.swift), and send them.
//
// The store is behind this. A delivery counts here as soon as the receiver has taken it. It is written at most a second
// later, together with others. So after a crash the last ones may be sent again, and nothing is ever left out.

package import Domain

/// The webhooks of a server, and what each of them does (`DeliveryEntry`).
package struct DeliveryDesk: Sendable {
  private var entries: [WebhookKey: DeliveryEntry] = [:]
  private var index = DeliveryIndex()

  package init(_ webhooks: [Webhook]) {
    for webhook in webhooks { add(webhook, at: 0) }
  }

  package var count: Int { entries.count }

  /// The number of webhooks whose deliveries fail, or that are paused.
  package var troubledCount: Int { index.troubled.count }

  /// Whether a delivery is on its way.
  package var isSending: Bool { entries.values.contains(where: \.isSending) }

  package func webhook(_ key: WebhookKey) -> Webhook? { entries[key]?.webhook }

  // MARK: Changes, which the index follows

  private mutating func add(_ webhook: Webhook, at now: Int64) {
    let entry = DeliveryEntry(webhook, at: now)
    entries[webhook.key] = entry
    index.change(webhook.key, from: nil, to: DeliveryIndex.Marks(entry))
  }

  private mutating func remove(_ key: WebhookKey) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    index.change(key, from: DeliveryIndex.Marks(entry), to: nil)
  }

  /// Changes a webhook in its place. Nothing happens when it is not there.
  private mutating func change(_ key: WebhookKey, _ body: (inout DeliveryEntry) -> Void) {
    guard let place = entries.index(forKey: key) else { return }
    let old = DeliveryIndex.Marks(entries.values[place])
    body(&entries.values[place])
    index.change(key, from: old, to: DeliveryIndex.Marks(entries.values[place]))
  }

  // MARK: News

  /// Takes a committed change of the webhooks. Other changes do not concern it.
  package mutating func note(_ change: AccountChange, at now: Int64 = 0) {
    switch change {
    case .webhookAdded(let webhook):
      // It may have been loaded with the others already.
      if entries[webhook.key] == nil { add(webhook, at: now) }
    case .webhookSet(let key, let progress): self.change(key) { $0.set(progress) }
    case .webhooksRemoved(let ids, let bot):
      for id in ids { remove(WebhookKey(bot: bot, id: id)) }
    default: break
    }
  }

  /// Takes the webhooks as the store has them, when it is not known what was committed.
  package mutating func reload(_ webhooks: [Webhook], at now: Int64 = 0) {
    let stored = Set(webhooks.map(\.key))
    for key in entries.keys.filter({ !stored.contains($0) }) { remove(key) }
    for webhook in webhooks {
      guard entries[webhook.key] != nil else {
        add(webhook, at: now)
        continue
      }
      change(webhook.key) { entry in
        entry.set(webhook.progress)
        // There may be news of which nobody was told.
        entry.hear(at: now)
      }
    }
  }

  /// Notes that these streams have new events.
  package mutating func heard(of streams: [StreamID], at now: Int64 = 0) {
    for stream in streams {
      for key in index.listeners[stream] ?? [] { change(key) { $0.hear(at: now) } }
    }
  }

  // MARK: Sending

  /// Returns the webhooks that are to be looked at now, those first that have waited longest.
  package func due(at now: Int64) -> [WebhookKey] {
    index.waiting.compactMap { key -> (since: Int64, key: WebhookKey)? in
      guard let entry = entries[key], entry.wait(at: now) == 0 else { return nil }
      return (entry.dueSince, key)
    }
    .sorted { $0 < $1 }.map(\.key)
  }

  /// Whether the receiver took long the last time, or is not known yet. A few such receivers could hold up all others.
  package func isSlow(_ key: WebhookKey) -> Bool { entries[key]?.isSlow ?? true }

  /// Returns the milliseconds until a webhook is due; nil when only news can make one so. Without `slowToo` it is about
  /// those whose receivers are known to be quick.
  package func wait(at now: Int64, slowToo: Bool = true) -> Int64? {
    index.waiting.compactMap { key -> Int64? in
      guard let entry = entries[key], slowToo || !entry.isSlow else { return nil }
      return entry.wait(at: now)
    }.min()
  }

  /// Notes what a look at the store has found for a webhook that was due.
  package mutating func looked(at key: WebhookKey, _ look: DeliveryLook) {
    change(key) { $0.note(look) }
  }

  /// Notes that a look has failed, and leaves the next one for later. Returns whether it is the first in a row.
  @discardableResult
  package mutating func failedToLook(at key: WebhookKey, at now: Int64) -> Bool {
    change(key) { $0.failToLook(at: now) }
    return entries[key]?.failedLooks == 1
  }

  /// Notes the end of the delivery that the webhook is sending. Nothing happens when it is not.
  package mutating func ended(_ key: WebhookKey, _ end: DeliveryEnd, at now: SessionMoment) {
    change(key) { $0.end(end, at: now) }
  }

  // MARK: Writing

  /// Returns the progress that is to be written now, in the order of the names. Without a moment it is all that is not
  /// written.
  package func unwritten(
    at now: Int64 = .max
  ) -> [(key: WebhookKey, progress: WebhookProgress)] {
    index.unwritten.sorted().compactMap { key in
      guard let entry = entries[key], let from = entry.writeFrom, from <= now else { return nil }
      return (key, entry.webhook.progress)
    }
  }

  /// Returns the milliseconds until progress is to be written; nil when all is written.
  package func writeWait(at now: Int64) -> Int64? {
    index.unwritten.compactMap { entries[$0]?.writeFrom }.min().map { $0.milliseconds(after: now) }
  }

  /// Notes that the present progress is on its way to the store.
  package mutating func began(writing key: WebhookKey, at now: Int64) {
    change(key) { $0.beginWriting(at: now) }
  }

  /// Notes that the progress did not get there.
  package mutating func failed(writing key: WebhookKey) {
    change(key) { $0.mustWrite(atOnce: true) }
  }
}
