import Domain

/// A webhook, and what it does. Moments are milliseconds of the monotonic clock.
struct DeliveryEntry {
  enum Phase: Equatable {
    /// There is nothing to send.
    case idle
    /// There may be something to send.
    case due
    /// A delivery is on its way, and whether there may be something to send behind it.
    case sending(WebhookRange, hasMore: Bool)
  }

  private(set) var webhook: Webhook
  private var phase = Phase.due
  /// The moment since which it has something to do.
  private(set) var dueSince: Int64
  /// Whether the last delivery came to a try. It does not while too many others wait for the same host.
  private var wasTried = true
  /// The moment before which it sends nothing, however much there is and whoever wants it: nobody is flooded.
  private var restsUntil: Int64 = .min
  /// The moment before which nothing is tried again. The owner may end that wait.
  private var triesFrom: Int64 = .min
  /// The number of looks at the store that failed in a row.
  private(set) var failedLooks = 0
  /// The streams whose events make it look: those in which it sends, as it was when it looked last; those in which it
  /// would send if the bot came there; and the bot's own, which tells of other places.
  private(set) var listensTo: Set<StreamID>
  /// The moment from which the progress is to be written. Nil when it has not changed since.
  private(set) var writeFrom: Int64?
  /// The moment before which it is written only for trouble, because it was written lately.
  private var writesAgainFrom: Int64 = .min

  init(_ webhook: Webhook, at now: Int64) {
    self.webhook = webhook
    dueSince = now
    listensTo = DeliveryEntry.streams(of: webhook)
  }

  var isPaused: Bool { webhook.progress.pausedAt != nil }

  /// Whether its deliveries fail, or it is paused.
  var isTroubled: Bool { webhook.progress.trouble != nil || isPaused }

  var isSending: Bool { if case .sending = phase { true } else { false } }

  /// Whether it is to be looked at, now or later.
  var isWaiting: Bool { phase == .due && !isPaused }

  /// Whether a few such receivers could hold up all others: the receiver took long the last time, or it has not shown
  /// yet that it is quick.
  var isSlow: Bool {
    guard wasTried, let last = webhook.progress.tries.last else { return true }
    return last.milliseconds > DeliveryEntry.slowMilliseconds
  }

  private static let slowMilliseconds = 2_000

  /// Returns the milliseconds until it is to be looked at; nil when something else has to happen before.
  func wait(at now: Int64) -> Int64? {
    isWaiting ? max(restsUntil, triesFrom).milliseconds(after: now) : nil
  }

  private static func streams(of webhook: Webhook) -> Set<StreamID> {
    let lists = (webhook.lists ?? []).map { StreamID.category($0) }
    return Set(lists + [.user(webhook.bot)]).union(webhook.progress.cursors.keys)
  }

  // MARK: News

  /// Takes what the owner has set. The rest stays: this may be ahead of what was written.
  mutating func set(_ progress: WebhookProgress) {
    guard webhook.progress.revision != progress.revision else { return }
    webhook.progress.revision = progress.revision
    webhook.progress.pausedAt = progress.pausedAt
    webhook.progress.trouble = nil
    triesFrom = .min
  }

  /// Notes that there may be something to send.
  mutating func hear(at now: Int64) {
    switch phase {
    case .idle: (phase, dueSince) = (.due, now)
    case .due: break
    case .sending(let range, _): phase = .sending(range, hasMore: true)
    }
  }

  // MARK: Sending

  /// Notes what a look at the store has found.
  mutating func note(_ look: DeliveryLook) {
    if webhook.progress.cursors != look.cursors {
      webhook.progress.cursors = look.cursors
      listensTo = DeliveryEntry.streams(of: webhook)
      mustWrite()
    }
    // The list of the delivery that failed may be out of reach by now.
    if let trouble = webhook.progress.trouble, trouble.range != look.delivery?.range {
      // The server may have forgotten these events by now, or the bot may have left and come back. That does not make
      // the receiver well: its trouble keeps the time at which it began.
      webhook.progress.trouble = look.delivery.map { delivery in
        WebhookTrouble(range: delivery.range, since: trouble.since, failures: trouble.failures)
      }
      mustWrite()
    }
    failedLooks = 0
    if let delivery = look.delivery {
      phase = .sending(delivery.range, hasMore: look.hasMore)
    } else {
      phase = look.hasMore ? .due : .idle
    }
  }

  /// Notes that a look at the store has failed. The next one is a minute later at most: the receiver is not to blame.
  mutating func failToLook(at now: Int64) {
    failedLooks += 1
    triesFrom = now + min(DeliveryEntry.pause(after: failedLooks, asked: nil), 60_000)
  }

  /// Notes the end of the delivery that it is sending. Nothing happens when it sends none.
  mutating func end(_ end: DeliveryEnd, at now: SessionMoment) {
    guard case .sending(let range, let hasMore) = phase else { return }
    phase = hasMore || !end.isTaken ? .due : .idle
    dueSince = now.milliseconds
    restsUntil = now.milliseconds + (end.isTaken ? webhook.form.pace : DeliveryEntry.rest)
    wasTried = end.wasTried
    if wasTried { note(end, of: range, at: now) }
  }

  /// The rest behind a try that failed, also when the owner lets the webhook go on.
  private static let rest: Int64 = 1_000

  /// Notes how a try has ended.
  private mutating func note(_ end: DeliveryEnd, of range: WebhookRange, at now: SessionMoment) {
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
      let pause = DeliveryEntry.pause(
        after: trouble.failures, asked: end.retryAfterMilliseconds)
      triesFrom = now.milliseconds + pause
    }
  }

  /// Returns the milliseconds before the next try: 5 s, 15 s, 45 s, and so on up to an hour. A receiver that asks for
  /// more gets it, up to an hour too.
  static func pause(after failures: Int, asked: Int64?) -> Int64 {
    let longest: Int64 = 3_600_000
    var pause: Int64 = 5_000
    for _ in 1..<max(failures, 1) where pause < longest { pause *= 3 }
    return min(max(pause, asked ?? 0), longest)
  }

  // MARK: Writing

  /// The least time between two writes of the progress, unless it begins or ceases to fail.
  private static let writeMilliseconds: Int64 = 1_000

  /// Notes that the progress has changed since it was written.
  mutating func mustWrite(atOnce: Bool = false) {
    writeFrom = atOnce ? .min : writeFrom ?? writesAgainFrom
  }

  /// Notes that the present progress is on its way to the store.
  mutating func beginWriting(at now: Int64) {
    writeFrom = nil
    writesAgainFrom = now + DeliveryEntry.writeMilliseconds
  }
}

extension Int64 {
  /// Returns the milliseconds from `now` to this moment; 0 when it is over.
  func milliseconds(after now: Int64) -> Int64 { self > now ? self - now : 0 }
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
