// The receivers of webhooks. They fail in all ways, and remember what they have got, also over a restart of the server.

import Domain
import Sync
import Wire

/// The receivers of all webhooks, as they know it themselves.
struct SimReceivers {
  private struct Place: Hashable {
    let webhook: WebhookKey
    let stream: StreamID
  }

  private struct Taken {
    /// The newest event that was taken.
    var through: Int64
    /// The run of the server that sent it.
    var generation: Int
    /// The newest event that earlier runs had sent. This one may not know of it.
    var before: Int64
    /// Whether the sender took it for failed.
    var isUnanswered = false
  }

  private var taken: [Place: Taken] = [:]
  /// The tries that failed in a row.
  private var failures: [WebhookKey: Int] = [:]

  /// Forgets what came after an earlier copy of the store, which was put back with these webhooks.
  mutating func restore(_ webhooks: [Webhook]) {
    taken = [:]
    for webhook in webhooks {
      for (stream, seq) in webhook.progress.cursors {
        let place = Place(webhook: webhook.key, stream: stream)
        taken[place] = Taken(through: seq, generation: 0, before: 0)
      }
    }
  }

  /// Checks a delivery as it is sent: its bot was there at each event, and no erased text is in it (P9, P6).
  func sent(_ delivery: Delivery, _ world: Simulation) -> String? {
    let range = delivery.range
    guard let truth = world.truth.streams[range.stream], range.from <= range.through,
      range.through <= truth.head
    else { return "P4 a webhook sends events of \(range.stream) that are not there" }
    for seq in range.from...range.through {
      guard truth.mayHaveEvent(delivery.webhook.bot, seq) else {
        return "P9 a webhook sends event \(seq) of \(range.stream), where its bot was not"
      }
    }
    guard case .events(let bodies) = delivery.message else { return nil }
    let own = truth.bodies[Int(range.from) - 1..<Int(range.through)]
    return own.elementsEqual(bodies) ? nil : "P6 a webhook sends other events than the log has"
  }

  /// Returns how a receiver answers, and whether it takes what it got.
  mutating func answer(_ delivery: Delivery, _ world: Simulation) -> (DeliveryEnd, isTaken: Bool) {
    let failed = failures[delivery.webhook] ?? 0
    // A third pause would outlast the run.
    guard !world.isCalm, failed < 2, world.random.happens(350) else {
      failures[delivery.webhook] = 0
      return (DeliveryEnd(.answered(200), milliseconds: 1), true)
    }
    failures[delivery.webhook] = failed + 1
    world.count(.receiverFails)
    switch world.random.below(8) {
    case 0: return (DeliveryEnd(.answered(500), milliseconds: 1), false)
    case 1:
      return (
        DeliveryEnd(.answered(429), retryAfterMilliseconds: 7_000, milliseconds: 1), false
      )
    case 2: return (DeliveryEnd(.answered(302), milliseconds: 1), false)
    case 3: return (DeliveryEnd(.answered(410), milliseconds: 1), false)
    case 4: return (DeliveryEnd(.failed("it takes too long"), milliseconds: 10_000), true)
    case 5: return (DeliveryEnd(.answered(503), milliseconds: 1), true)
    default:
      return (DeliveryEnd(.failed("it hangs up"), milliseconds: 1), world.random.happens(300))
    }
  }

  /// Checks that what a receiver takes follows what it had: nothing is left out, and nothing comes twice unless nobody
  /// can know that it was there (P4).
  mutating func took(
    _ delivery: Delivery, _ end: DeliveryEnd, by generation: Int, _ world: Simulation
  ) -> String? {
    let range = delivery.range
    let place = Place(webhook: delivery.webhook, stream: range.stream)
    world.count(.p4Delivered)
    let before = taken[place]
    taken[place] = Taken(
      through: max(range.through, before?.through ?? 0), generation: generation,
      before: before.map { $0.generation == generation ? $0.before : $0.through } ?? 0,
      isUnanswered: !end.isTaken)
    guard let truth = world.truth.streams[range.stream] else { return nil }
    guard let before else {
      guard delivery.saysAll else { return nil }
      let start = world.truth.accounts[delivery.webhook.bot]?.starts[place.webhook.id]
      let from = max(start?[range.stream] ?? 0, truth.horizon)
      let mayBegin = range.from - 1 <= from || truth.hasEntry(of: place.webhook.bot, range.from - 1)
      return mayBegin
        ? nil
        : "P4 a webhook leaves out events of \(range.stream) before \(range.from), behind \(from)"
    }
    if range.from <= before.through {
      let isKnown = before.generation == generation && range.from > before.before
      if !isKnown { world.count(.p4Again) }
      return !isKnown || before.isUnanswered
        ? nil : "P4 a webhook sends event \(range.from) of \(range.stream) twice"
    }
    let isNext =
      !delivery.saysAll || range.from == before.through + 1 || range.from - 1 <= truth.horizon
      || truth.hasEntry(of: place.webhook.bot, range.from - 1)
    return isNext
      ? nil : "P4 a webhook leaves out events of \(range.stream) behind \(before.through)"
  }

  /// Returns a sentence when a webhook that works has not sent everything at the end.
  func left(of webhook: Webhook, in world: Simulation) -> String? {
    guard webhook.progress.pausedAt == nil else { return nil }
    for (stream, truth) in world.truth.streams where truth.isMember(webhook.bot) {
      guard webhook.isAbout(stream), !truth.isDropped else { continue }
      let cursor = webhook.progress.cursors[stream] ?? truth.joinedSeq(webhook.bot)
      guard cursor == truth.head else {
        return "P10 a webhook is at \(cursor) of \(truth.head) events of \(stream)"
      }
    }
    return nil
  }
}

extension Delivery {
  /// Whether each event is in it. Texts leave out events that say nothing to people.
  fileprivate var saysAll: Bool { if case .events = message { true } else { false } }
}
