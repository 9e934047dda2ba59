import Domain

/// The webhooks by what the desk asks for most often. So an event costs nothing for each webhook that does not listen
/// to it, and a turn nothing for each that has nothing to send.
struct DeliveryIndex {
  /// The answers of one webhook.
  struct Marks: Equatable {
    let listensTo: Set<StreamID>
    let isWaiting: Bool
    let isUnwritten: Bool
    let isTroubled: Bool

    init(_ entry: DeliveryEntry) {
      listensTo = entry.listensTo
      isWaiting = entry.isWaiting
      isUnwritten = entry.writeFrom != nil
      isTroubled = entry.isTroubled
    }
  }

  private(set) var listeners: [StreamID: Set<WebhookKey>] = [:]
  /// Those that are to be looked at, now or later.
  private(set) var waiting: Set<WebhookKey> = []
  private(set) var unwritten: Set<WebhookKey> = []
  private(set) var troubled: Set<WebhookKey> = []

  /// Notes that the answers of a webhook have changed. Nil before it is there, and after it has gone.
  mutating func change(_ key: WebhookKey, from old: Marks?, to new: Marks?) {
    guard old != new else { return }
    if old?.listensTo != new?.listensTo {
      for stream in old?.listensTo ?? [] { leave(stream, key) }
      for stream in new?.listensTo ?? [] { listeners[stream, default: []].insert(key) }
    }
    DeliveryIndex.set(&waiting, key, new?.isWaiting)
    DeliveryIndex.set(&unwritten, key, new?.isUnwritten)
    DeliveryIndex.set(&troubled, key, new?.isTroubled)
  }

  private mutating func leave(_ stream: StreamID, _ key: WebhookKey) {
    listeners[stream]?.remove(key)
    if listeners[stream]?.isEmpty == true { listeners[stream] = nil }
  }

  private static func set(_ keys: inout Set<WebhookKey>, _ key: WebhookKey, _ isIn: Bool?) {
    if isIn == true { keys.insert(key) } else { keys.remove(key) }
  }
}
