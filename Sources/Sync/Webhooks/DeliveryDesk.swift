// Decides which webhook sends when (protocol §5.18): one delivery of a webhook at a time, so that the events of a
// stream arrive in order; again after a while when one fails, and no more after a day. It is pure: the courier's thread
// and the simulator give it times and outcomes, read the events that are due (DeliveryReader.swift), and send them.
//
// The store is behind this. A delivery counts here as soon as the receiver has taken it, and is written afterwards, the
// progress of several deliveries at once when they come fast. So after a crash the last ones may be sent again, and
// nothing is ever left out.

package import Domain

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

extension Webhook {
  package var key: WebhookKey { WebhookKey(bot: bot, id: id) }
}

/// The end of a try to deliver.
package struct DeliveryEnd: Equatable, Sendable {
  package let outcome: WebhookTry.Outcome
  /// The time that the receiver asks for before the next try. Nil when it asks for none.
  package let retryAfterMilliseconds: Int64?
  /// Whether it was tried at all. Where it was not, the receiver is not to blame.
  package let wasTried: Bool
  /// Whether no later try can get through, because the address leads where the server does not send.
  package let isHopeless: Bool
  package let milliseconds: Int

  package init(
    _ outcome: WebhookTry.Outcome, retryAfterMilliseconds: Int64? = nil, wasTried: Bool = true,
    isHopeless: Bool = false, milliseconds: Int
  ) {
    self.wasTried = wasTried
    self.outcome = outcome
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.isHopeless = isHopeless
    self.milliseconds = milliseconds
  }

  /// Whether the receiver has taken it.
  package var isTaken: Bool {
    if case .answered(let status) = outcome { (200..<300).contains(status) } else { false }
  }

  /// Whether nothing is to be sent any more: the receiver says that it is gone (RFC 9110 §15.5.11).
  var endsAll: Bool { isHopeless || outcome == .answered(410) }
}

/// The webhooks of a server, and what each of them does.
package struct DeliveryDesk: Sendable {
  fileprivate enum Phase: Equatable {
    /// There is nothing to send.
    case idle
    /// There may be something to send.
    case due
    case sending(WebhookRange)
    /// A delivery failed. It is tried again from this moment on, in milliseconds of the monotonic clock.
    case waiting(until: Int64)
    /// The owner wants nothing to be sent, or everything was tried for a day. Only the owner can change that.
    case paused
  }

  fileprivate struct Entry {
    var webhook: Webhook
    var phase: Phase
    /// The moment since which it has something to do.
    var dueSince: Int64 = 0
    /// The moment before which it sends nothing, however much there is: nobody is flooded.
    var restsUntil: Int64 = .min
    /// The number of looks at the store that failed in a row.
    var failedLooks = 0
    /// The streams in which events are sent, as they were when they were looked at last.
    var follows: Set<StreamID> = []
    /// Whether the progress has changed since it was written, and whether it has to be written at once.
    var isUnwritten = false
    var isUrgent = false
    /// The moment of the last write.
    var writtenAt: Int64 = .min
  }

  private var entries: [WebhookKey: Entry] = [:]

  package init(_ webhooks: [Webhook]) {
    for webhook in webhooks { add(webhook) }
  }

  package var count: Int { entries.count }

  /// The number of webhooks whose deliveries fail, or that are paused.
  package var troubledCount: Int {
    entries.values.count { $0.webhook.progress.trouble != nil || $0.phase == .paused }
  }

  /// Whether a delivery is on its way.
  package var isSending: Bool { entries.values.contains { $0.phase.isSending } }

  package func webhook(_ key: WebhookKey) -> Webhook? { entries[key]?.webhook }

  private mutating func add(_ webhook: Webhook) {
    let phase: Phase = webhook.progress.pausedAt == nil ? .due : .paused
    entries[webhook.key] = Entry(webhook: webhook, phase: phase)
  }

  // MARK: News

  /// Takes a committed change of the webhooks. Other changes do not concern it.
  package mutating func note(_ change: AccountChange) {
    switch change {
    case .webhookAdded(let webhook):
      // It may have been loaded with the others already.
      if entries[webhook.key] == nil { add(webhook) }
    case .webhookSet(let id, let bot, let progress):
      set(WebhookKey(bot: bot, id: id), to: progress)
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
    if !entry.phase.isSending { entry.phase = progress.pausedAt == nil ? .due : .paused }
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
    entries.filter { $0.value.isDue(at: now) }
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
      switch entry.phase {
      case .due: return entry.restsUntil > now ? entry.restsUntil - now : 0
      case .waiting(let until): return max(0, until - now)
      case .idle, .sending, .paused: return nil
      }
    }.min()
  }

  /// Notes what a look at the store has found for a webhook that was due.
  package mutating func looked(at key: WebhookKey, _ look: DeliveryLook) {
    guard var entry = entries[key] else { return }
    if entry.webhook.progress.cursors != look.cursors {
      entry.webhook.progress.cursors = look.cursors
      entry.isUnwritten = true
    }
    entry.follows = Set(look.cursors.keys)
    // The list of the delivery that failed may be out of reach by now.
    if let trouble = entry.webhook.progress.trouble, trouble.range != look.delivery?.range {
      // The same events may be forgotten or out of reach by now. The receiver is in trouble as long as before.
      entry.webhook.progress.trouble = look.delivery.map { delivery in
        WebhookTrouble(range: delivery.range, since: trouble.since, failures: trouble.failures)
      }
      entry.isUnwritten = true
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
    entry.phase = .waiting(until: now + DeliveryDesk.pause(after: entry.failedLooks, asked: nil))
    entries[key] = entry
    return entry.failedLooks == 1
  }

  /// Notes the end of the delivery that the webhook is sending. Nothing happens when it is not.
  package mutating func ended(_ key: WebhookKey, _ end: DeliveryEnd, at now: SessionMoment) {
    guard var entry = entries[key], case .sending(let range) = entry.phase else { return }
    defer { entries[key] = entry }
    entry.restsUntil =
      now.milliseconds + (end.isTaken ? entry.webhook.form.pace : DeliveryDesk.rest)
    entry.dueSince = now.milliseconds
    guard end.wasTried else {
      entry.phase = entry.webhook.progress.pausedAt == nil ? .due : .paused
      return
    }
    entry.webhook.progress.add(
      WebhookTry(
        range: range, at: now.wall, outcome: end.outcome, milliseconds: end.milliseconds))
    entry.isUnwritten = true
    if end.isTaken {
      entry.isUrgent = entry.isUrgent || entry.webhook.progress.trouble != nil
      entry.webhook.progress.cursors[range.stream] = range.through
      entry.webhook.progress.trouble = nil
      entry.phase = entry.webhook.progress.pausedAt == nil ? .due : .paused
    } else if entry.webhook.progress.pausedAt != nil {
      entry.phase = .paused
    } else {
      fail(&entry, range, end, at: now)
    }
  }

  private func fail(
    _ entry: inout Entry, _ range: WebhookRange, _ end: DeliveryEnd, at now: SessionMoment
  ) {
    var trouble =
      entry.webhook.progress.trouble ?? WebhookTrouble(range: range, since: now.wall, failures: 0)
    trouble.failures += 1
    entry.webhook.progress.trouble = trouble
    entry.isUrgent = true
    let lasted = now.wall.milliseconds - trouble.since.milliseconds
    if end.endsAll || lasted >= Int64(Limits.webhookHoursMax) * 3_600_000 {
      entry.webhook.progress.pausedAt = now.wall
      entry.phase = .paused
    } else {
      let pause = DeliveryDesk.pause(after: trouble.failures, asked: end.retryAfterMilliseconds)
      entry.phase = .waiting(until: now.milliseconds + pause)
    }
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
  fileprivate static let writeMilliseconds: Int64 = 1_000

  /// Returns the progress that is to be written now, in the order of the names. Without a moment it is all that is not
  /// written.
  package func unwritten(
    at now: Int64? = nil
  ) -> [(key: WebhookKey, progress: WebhookProgress)] {
    entries.filter { $0.value.isUnwritten && (now.map($0.value.mayWrite) ?? true) }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value.webhook.progress) }
  }

  /// Returns the milliseconds until progress is to be written; nil when all is written.
  package func writeWait(at now: Int64) -> Int64? {
    entries.values.filter(\.isUnwritten).map {
      $0.mayWrite(at: now) ? 0 : $0.writtenAt + DeliveryDesk.writeMilliseconds - now
    }
    .min()
  }

  /// Notes that the present progress is on its way to the store.
  package mutating func began(writing key: WebhookKey, at now: Int64) {
    entries[key]?.isUnwritten = false
    entries[key]?.isUrgent = false
    entries[key]?.writtenAt = now
  }

  /// Notes that the progress did not get there.
  package mutating func failed(writing key: WebhookKey) {
    entries[key]?.isUnwritten = true
    entries[key]?.isUrgent = true
  }
}

extension DeliveryDesk.Entry {
  fileprivate func isDue(at now: Int64) -> Bool {
    switch phase {
    case .due: now >= restsUntil
    case .waiting(let until): now >= until
    case .idle, .sending, .paused: false
    }
  }

  fileprivate func mayWrite(at now: Int64) -> Bool {
    isUrgent || writtenAt == .min || now - writtenAt >= DeliveryDesk.writeMilliseconds
  }
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

extension DeliveryDesk.Phase {
  fileprivate var isSending: Bool { if case .sending = self { true } else { false } }
}
