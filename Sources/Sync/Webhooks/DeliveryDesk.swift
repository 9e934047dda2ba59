// Decides which webhook sends when (protocol §5.18): one delivery of a webhook at a time, so that the events of a
// stream arrive in order. A delivery that fails is tried again after a while, and after a day no more. The desk is
// pure: the courier's thread and the simulator give it times and outcomes, read the events that are due
// (DeliveryReader.swift), and send them.
//
// The store is behind this. A delivery counts here as soon as the receiver has taken it. It is written at most a second
// later, together with others. So after a crash the last ones may be sent again, and nothing is ever left out.

package import Domain

/// The webhooks of a server, and what each of them does.
package struct DeliveryDesk: Sendable {
  fileprivate enum Phase: Equatable {
    /// There is nothing to send.
    case idle
    /// There may be something to send.
    case due
    case sending(WebhookRange)
  }

  /// A webhook, and what it does. Moments are milliseconds of the monotonic clock.
  fileprivate struct Entry {
    var webhook: Webhook
    var phase = Phase.due
    /// The moment since which it has something to do.
    var dueSince: Int64 = 0
    /// The moment before which it sends nothing, however much there is and whoever wants it: nobody is flooded.
    var restsUntil: Int64 = .min
    /// The moment before which nothing is tried again. The owner may end that wait.
    var triesFrom: Int64 = .min
    /// The number of looks at the store that failed in a row.
    var failedLooks = 0
    /// The streams in which events are sent, as they were when they were looked at last.
    var follows: Set<StreamID> = []
    /// The moment from which the progress is to be written. Nil when it has not changed since.
    var writeFrom: Int64?
    /// The moment before which it is written only for trouble, because it was written lately.
    var writesAgainFrom: Int64 = .min

    init(_ webhook: Webhook) { self.webhook = webhook }
  }

  private var entries: [WebhookKey: Entry] = [:]

  package init(_ webhooks: [Webhook]) {
    for webhook in webhooks { add(webhook) }
  }

  package var count: Int { entries.count }

  /// The number of webhooks whose deliveries fail, or that are paused.
  package var troubledCount: Int {
    entries.values.count { $0.webhook.progress.trouble != nil || $0.isPaused }
  }

  /// Whether a delivery is on its way.
  package var isSending: Bool { entries.values.contains(where: \.isSending) }

  package func webhook(_ key: WebhookKey) -> Webhook? { entries[key]?.webhook }

  private mutating func add(_ webhook: Webhook) {
    entries[webhook.key] = Entry(webhook)
  }

  // MARK: News

  /// Takes a committed change of the webhooks. Other changes do not concern it.
  package mutating func note(_ change: AccountChange) {
    switch change {
    case .webhookAdded(let webhook):
      // It may have been loaded with the others already.
      if entries[webhook.key] == nil { add(webhook) }
    case .webhookSet(let key, let progress): set(key, to: progress)
    case .webhooksRemoved(let ids, let bot):
      for id in ids { entries[WebhookKey(bot: bot, id: id)] = nil }
    default: break
    }
  }

  /// Takes what the owner has set. The rest stays: this desk may be ahead of what was written.
  private mutating func set(_ key: WebhookKey, to progress: WebhookProgress) {
    guard var entry = entries[key], entry.webhook.progress.revision != progress.revision else {
      return
    }
    entry.webhook.progress.revision = progress.revision
    entry.webhook.progress.pausedAt = progress.pausedAt
    entry.webhook.progress.trouble = nil
    entry.triesFrom = .min
    entries[key] = entry
  }

  /// Takes the webhooks as the store has them, when it is not known what was committed.
  package mutating func reload(_ webhooks: [Webhook]) {
    let stored = Set(webhooks.map(\.key))
    entries = entries.filter { stored.contains($0.key) }
    for webhook in webhooks {
      if entries[webhook.key] == nil {
        add(webhook)
      } else {
        set(webhook.key, to: webhook.progress)
      }
      // There may be news of which nobody was told.
      if entries[webhook.key]?.phase == .idle { entries[webhook.key]?.phase = .due }
    }
  }

  /// Notes that these streams have new events. What happens in the log of a bot may be another place that it is in.
  package mutating func heard(of streams: [StreamID], at now: Int64 = 0) {
    // The others look at the store anyhow before they rest.
    let concerned = entries.filter { key, entry in
      entry.phase == .idle
        && streams.contains {
          entry.follows.contains($0) || $0 == .user(key.bot)
            || entry.webhook.lists != nil && entry.webhook.isAbout($0)
        }
    }
    for key in concerned.keys {
      entries[key]?.phase = .due
      entries[key]?.dueSince = now
    }
  }

  // MARK: Sending

  /// Returns the webhooks that are to be looked at now, those first that have waited longest.
  package func due(at now: Int64) -> [WebhookKey] {
    entries.filter { $0.value.wait(at: now) == 0 }
      .sorted { ($0.value.dueSince, $0.key) < ($1.value.dueSince, $1.key) }.map(\.key)
  }

  /// Whether the receiver took long the last time, so that a few such receivers could hold up all others.
  package func isSlow(_ key: WebhookKey) -> Bool {
    let last = entries[key]?.webhook.progress.tries.last?.milliseconds ?? 0
    return last > DeliveryDesk.slowMilliseconds
  }

  private static let slowMilliseconds = 2_000

  /// Returns the milliseconds until a webhook is due; nil when only news can make one so. Without `slowToo` it is about
  /// those whose receivers are quick.
  package func wait(at now: Int64, slowToo: Bool = true) -> Int64? {
    entries.compactMap { key, entry -> Int64? in
      guard slowToo || !isSlow(key) else { return nil }
      return entry.wait(at: now)
    }.min()
  }

  /// Notes what a look at the store has found for a webhook that was due.
  package mutating func looked(at key: WebhookKey, _ look: DeliveryLook) {
    guard var entry = entries[key] else { return }
    if entry.webhook.progress.cursors != look.cursors {
      entry.webhook.progress.cursors = look.cursors
      entry.mustWrite()
    }
    entry.follows = Set(look.cursors.keys)
    // The list of the delivery that failed may be out of reach by now.
    if let trouble = entry.webhook.progress.trouble, trouble.range != look.delivery?.range {
      // The server may have forgotten these events by now, or the bot may have left and come back. That does not make
      // the receiver well: its trouble keeps the time at which it began.
      entry.webhook.progress.trouble = look.delivery.map { delivery in
        WebhookTrouble(range: delivery.range, since: trouble.since, failures: trouble.failures)
      }
      entry.mustWrite()
    }
    entry.failedLooks = 0
    entry.phase = look.delivery.map { .sending($0.range) } ?? (look.hasMore ? .due : .idle)
    entries[key] = entry
  }

  /// Notes that a look has failed, and leaves the next one for later. Returns whether it is the first in a row.
  @discardableResult
  package mutating func failedToLook(at key: WebhookKey, at now: Int64) -> Bool {
    guard var entry = entries[key] else { return false }
    entry.failedLooks += 1
    entry.triesFrom = now + DeliveryDesk.pause(after: entry.failedLooks, asked: nil)
    entries[key] = entry
    return entry.failedLooks == 1
  }

  /// Notes the end of the delivery that the webhook is sending. Nothing happens when it is not.
  package mutating func ended(_ key: WebhookKey, _ end: DeliveryEnd, at now: SessionMoment) {
    guard var entry = entries[key], case .sending(let range) = entry.phase else { return }
    entry.phase = .due
    entry.dueSince = now.milliseconds
    entry.restsUntil =
      now.milliseconds + (end.isTaken ? entry.webhook.form.pace : DeliveryDesk.rest)
    if end.wasTried { entry.note(end, of: range, at: now) }
    entries[key] = entry
  }

  /// The rest behind a try that failed, also when the owner lets the webhook go on.
  private static let rest: Int64 = 1_000

  /// Returns the milliseconds before the next try: 5 s, 15 s, 45 s, and so on up to an hour. A receiver that asks for
  /// more gets it, up to an hour too.
  package static func pause(after failures: Int, asked: Int64?) -> Int64 {
    let longest: Int64 = 3_600_000
    var pause: Int64 = 5_000
    for _ in 1..<max(failures, 1) where pause < longest { pause *= 3 }
    return min(max(pause, asked ?? 0), longest)
  }

  // MARK: Writing

  /// The least time between two writes of a webhook's progress, unless it begins or ceases to fail.
  private static let writeMilliseconds: Int64 = 1_000

  /// Returns the progress that is to be written now, in the order of the names. Without a moment it is all that is not
  /// written.
  package func unwritten(
    at now: Int64 = .max
  ) -> [(key: WebhookKey, progress: WebhookProgress)] {
    entries.filter { $0.value.writeFrom.map { $0 <= now } ?? false }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value.webhook.progress) }
  }

  /// Returns the milliseconds until progress is to be written; nil when all is written.
  package func writeWait(at now: Int64) -> Int64? {
    entries.values.compactMap(\.writeFrom).min().map { $0.milliseconds(after: now) }
  }

  /// Notes that the present progress is on its way to the store.
  package mutating func began(writing key: WebhookKey, at now: Int64) {
    entries[key]?.writeFrom = nil
    entries[key]?.writesAgainFrom = now + DeliveryDesk.writeMilliseconds
  }

  /// Notes that the progress did not get there.
  package mutating func failed(writing key: WebhookKey) {
    entries[key]?.mustWrite(atOnce: true)
  }
}

extension DeliveryDesk.Entry {
  var isPaused: Bool { webhook.progress.pausedAt != nil }

  var isSending: Bool { if case .sending = phase { true } else { false } }

  /// Returns the milliseconds until it is to be looked at; nil when something else has to happen before.
  func wait(at now: Int64) -> Int64? {
    phase == .due && !isPaused ? max(restsUntil, triesFrom).milliseconds(after: now) : nil
  }

  mutating func mustWrite(atOnce: Bool = false) {
    writeFrom = atOnce ? .min : writeFrom ?? writesAgainFrom
  }

  /// Notes how a try has ended.
  mutating func note(_ end: DeliveryEnd, of range: WebhookRange, at now: SessionMoment) {
    webhook.progress.add(
      WebhookTry(
        range: range, at: now.wall, outcome: end.outcome, milliseconds: end.milliseconds))
    if end.isTaken {
      mustWrite(atOnce: webhook.progress.trouble != nil)
      webhook.progress.cursors[range.stream] = range.through
      webhook.progress.trouble = nil
    } else if isPaused {
      mustWrite()
    } else {
      mustWrite(atOnce: true)
      fail(end, of: range, at: now)
    }
  }

  private mutating func fail(_ end: DeliveryEnd, of range: WebhookRange, at now: SessionMoment) {
    var trouble =
      webhook.progress.trouble ?? WebhookTrouble(range: range, since: now.wall, failures: 0)
    trouble.failures += 1
    webhook.progress.trouble = trouble
    let lasted = now.wall.milliseconds - trouble.since.milliseconds
    if end.endsAll || lasted >= Int64(Limits.webhookHoursMax) * 3_600_000 {
      webhook.progress.pausedAt = now.wall
    } else {
      let pause = DeliveryDesk.pause(
        after: trouble.failures, asked: end.retryAfterMilliseconds)
      triesFrom = now.milliseconds + pause
    }
  }
}

extension Int64 {
  /// Returns the milliseconds from `now` to this moment; 0 when it is over.
  fileprivate func milliseconds(after now: Int64) -> Int64 { self > now ? self - now : 0 }
}

extension Webhook.Form {
  /// The least time between a delivery that was taken and the next. Chat programs take one message a second.
  fileprivate var pace: Int64 {
    switch self {
    case .events: 200
    case .slack, .ntfy: 1_000
    }
  }
}
