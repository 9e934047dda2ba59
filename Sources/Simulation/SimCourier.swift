// The courier's thread without a thread (Server/Threads/CourierThread.swift).

import Domain
import Sync
import Wire

/// The courier of one run of the server.
final class SimCourier {
  unowned let server: SimServer
  private let store: FaultyStore
  private let reader: DeliveryReader
  private var desk: DeliveryDesk
  private var writing: Set<WebhookKey> = []
  private var hasToLoad = false
  /// The moment of the next turn; nil for none.
  private var calledAt: Int64?

  private var world: Simulation { server.world }

  init(_ server: SimServer, _ store: FaultyStore) throws(StoreError) {
    self.server = server
    self.store = store
    reader = DeliveryReader(store)
    desk = DeliveryDesk(try store.webhooks())
    call()
  }

  /// Whether nothing is left to send, to write or to wait for.
  var isIdle: Bool {
    !hasToLoad && writing.isEmpty && desk.unwritten().isEmpty && !desk.isSending
      && desk.wait(at: world.moment.milliseconds) == nil
  }

  // MARK: Messages

  func published(_ turn: LedgerTurn) {
    if turn.commit == .unknown { hasToLoad = true }
    for change in turn.webhooks { desk.note(change, at: world.moment.milliseconds) }
    desk.heard(of: turn.publication.streams, at: world.moment.milliseconds)
    call()
  }

  func settled(_ key: WebhookKey, isWritten: Bool) {
    writing.remove(key)
    if !isWritten { desk.failed(writing: key) }
    call()
  }

  private func call(after milliseconds: Int64 = 0) {
    let wait = milliseconds + world.random.between(0, 20)
    let moment = world.moment.milliseconds + wait
    // A turn that comes too often harms nothing.
    if let calledAt, calledAt <= moment { return }
    calledAt = moment
    world.schedule(after: wait, .courierTurn(server.generation))
  }

  // MARK: A turn

  func turn() {
    calledAt = nil
    if hasToLoad { load() }
    if !server.isDraining { send() }
    write()
    if hasToLoad { return call(after: 1_000) }
    if let wait = desk.wait(at: world.moment.milliseconds) { call(after: wait) }
  }

  private func load() {
    do throws(StoreError) {
      desk.reload(try store.webhooks(), at: world.moment.milliseconds)
      hasToLoad = false
    } catch {
      // It is tried again a second later.
    }
  }

  /// Writes what is unwritten, or leaves it for a little later, as a busy ledger does.
  private func write() {
    let now = world.moment.milliseconds
    guard let wait = desk.writeWait(at: now) else { return }
    if wait > 0 { return call(after: wait) }
    guard world.random.happens(500) else { return call(after: world.random.between(50, 600)) }
    for (key, progress) in desk.unwritten(at: now) where writing.insert(key).inserted {
      desk.began(writing: key, at: now)
      server.post(.noteWebhook(key, progress), .courier(key))
    }
  }

  private func send() {
    let now = world.moment.milliseconds
    for key in desk.due(at: now) {
      guard let webhook = desk.webhook(key) else { continue }
      do throws(StoreError) {
        let look = try reader.look(for: webhook)
        desk.looked(at: key, look)
        guard let delivery = look.delivery else { continue }
        if let breach = world.receivers.sent(delivery, world) { world.fail(breach) }
        deliver(delivery)
      } catch {
        desk.failedToLook(at: key, at: now)
      }
    }
  }

  /// Lets the receiver take the delivery after a while, or fail.
  private func deliver(_ delivery: Delivery) {
    let (end, isTaken) = world.receivers.answer(delivery, world)
    world.note {
      "webhook \(delivery.webhook.id) sends \(delivery.range), \(end.outcome), taken \(isTaken)"
    }
    let wait = world.random.between(1, end.outcome == .failed("it takes too long") ? 10_000 : 300)
    if isTaken,
      let breach = world.receivers.took(delivery, end, by: server.generation, world)
    {
      world.fail(breach)
    }
    world.schedule(after: wait, .delivered(server.generation, delivery.webhook, end))
  }

  func ended(_ key: WebhookKey, _ end: DeliveryEnd) {
    desk.ended(key, end, at: world.moment)
    world.note { "webhook \(key.id) ended \(end.outcome)" }
    call()
  }

}
