// Reads what a webhook is to send next. The bot's access is asked at every look, and a delivery that failed is read
// again, so nothing is sent that the bot may not see any more, and no text that was erased. A delivery that was read
// may wait for its turn at a busy host, until the time of the try is over.

package import Domain
package import Wire

/// The outcome of a look at the store for one webhook.
package struct DeliveryLook: Sendable {
  /// The streams that the webhook follows now, each with the newest event that needs not be sent any more.
  package let cursors: [StreamID: Int64]
  package let delivery: Delivery?
  /// Whether there may be more to send, behind the delivery or without one: some events say nothing.
  package let hasMore: Bool

  package init(cursors: [StreamID: Int64], delivery: Delivery?, hasMore: Bool = false) {
    self.cursors = cursors
    self.delivery = delivery
    self.hasMore = hasMore
  }
}

/// Events that are sent together.
package struct Delivery: Equatable, Sendable {
  package let webhook: WebhookKey
  package let range: WebhookRange
  package let epoch: Epoch
  package let message: WebhookMessage
}

/// Reads for webhooks, over a connection of its own.
package struct DeliveryReader {
  private let store: any EventStore

  package init(_ store: any EventStore) { self.store = store }

  /// Looks for the next delivery of a webhook. Begins and ends its own read transaction.
  package func look(for webhook: Webhook) throws(StoreError) -> DeliveryLook {
    try store.read { () throws(StoreError) in
      var (cursors, heads) = try follows(webhook)
      for stream in order(of: webhook, heads.keys) {
        guard let head = heads[stream], let cursor = cursors[stream], cursor < head.seq else {
          continue
        }
        let through = webhook.progress.trouble.flatMap {
          $0.range.stream == stream && $0.range.from == cursor + 1 ? $0.range.through : nil
        }
        let events = try events(
          in: stream, after: cursor, through: min(through ?? head.seq, head.seq))
        guard let last = events.last else { continue }
        let range = WebhookRange(stream: stream, from: cursor + 1, through: last.seq)
        if let message = try message(events, in: stream, of: webhook) {
          let hasMore = heads.contains { other, head in
            (other == stream ? range.through : cursors[other] ?? 0) < head.seq
          }
          return DeliveryLook(
            cursors: cursors,
            delivery: Delivery(
              webhook: webhook.key, range: range, epoch: head.epoch, message: message),
            hasMore: hasMore)
        }
        cursors[stream] = last.seq
        return DeliveryLook(cursors: cursors, delivery: nil, hasMore: true)
      }
      return DeliveryLook(cursors: cursors, delivery: nil)
    }
  }

  /// Returns the streams that the webhook follows. A stream that the bot came into later begins with the event behind
  /// the one that let the bot in, and a stream whose old events are forgotten goes on with the oldest one that is left.
  private func follows(
    _ webhook: Webhook
  ) throws(StoreError) -> (cursors: [StreamID: Int64], heads: [StreamID: StreamHead]) {
    var cursors: [StreamID: Int64] = [:]
    var heads: [StreamID: StreamHead] = [:]
    let known = webhook.progress.cursors
    let about = try places(of: webhook)
    let old = about.filter { known[$0.stream] != nil }
    let new = about.filter { known[$0.stream] == nil }
    for access in (old + new).prefix(Limits.webhookStreamsMax) {
      heads[access.stream] = access.head
      cursors[access.stream] = max(
        known[access.stream] ?? 0, access.joinedSeq, access.head.horizon)
    }
    return (cursors, heads)
  }

  private func places(of webhook: Webhook) throws(StoreError) -> [StreamAccess] {
    guard let lists = webhook.lists else {
      return try store.streams(of: webhook.bot).filter { webhook.isAbout($0.stream) }
    }
    var found: [StreamAccess] = []
    for list in lists.sorted() {
      if let access = try store.access(of: webhook.bot, to: .category(list)) {
        found.append(access)
      }
    }
    return found
  }

  /// Returns the streams in the order in which they come: the one that failed, then those behind the one that was sent
  /// last, so that none waits for a busy one.
  private func order(
    of webhook: Webhook, _ streams: some Collection<StreamID>
  ) -> [StreamID] {
    let sorted = streams.sorted()
    let first = webhook.progress.trouble?.range.stream
    let last = webhook.progress.tries.last?.range.stream
    let behind = sorted.filter { stream in last.map { stream > $0 } ?? true }
    let rest = sorted.filter { !behind.contains($0) }
    let all = behind + rest
    return all.filter { $0 == first } + all.filter { $0 != first }
  }

  private func events(
    in stream: StreamID, after: Int64, through: Int64
  ) throws(StoreError) -> [StoredEvent] {
    let last = min(through, after + Int64(Limits.webhookEventsMax))
    return try store.events(
      in: stream, after: after, through: last, bytesMax: Limits.webhookBytesMax)
  }

  /// Returns what is said of the events. Nil when they say nothing in this form.
  private func message(
    _ events: [StoredEvent], in stream: StreamID, of webhook: Webhook
  ) throws(StoreError) -> WebhookMessage? {
    guard webhook.form != .events else { return .events(events.map(\.body)) }
    var teller = NewsTeller(store, stream)
    for event in events { try teller.tell(event) }
    return try teller.message
  }
}
