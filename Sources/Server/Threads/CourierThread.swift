// Sends what webhooks have to send. Sync/Webhooks says which, when and what; the Courier sends; the ledger keeps how
// far each has come. A receiver that hangs holds up nothing but its own webhook.

internal import Courier
internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

/// A message to the courier's thread.
enum CourierMessage: Sendable {
  /// These streams have new events.
  case news([StreamID])
  /// Committed changes of webhooks.
  case changed([AccountChange])
  /// It is not known what was committed.
  case unknown
  /// Whether the progress of a webhook was written.
  case settled(WebhookKey, Bool)
  case stop
}

/// The courier's thread, with a connection to the store of its own.
final class CourierThread {
  /// The requests that are on their way at most.
  private static let lettersMax = 64
  /// The requests at most that are on their way to receivers which took long the last time, or are not known yet.
  private static let slowLettersMax = 32
  /// The time for requests that are on their way when the server stops. The others are sent again after its start.
  private static let stopMilliseconds: Int64 = 1_000

  private let store: any EventStore
  private let reader: DeliveryReader
  private let courier: Courier
  private let codes: Codes
  private let mailboxes: Mailboxes
  private let log: Log
  private var desk = DeliveryDesk([])
  private var letters: [UInt64: (key: WebhookKey, isSlow: Bool)] = [:]
  private var lastLetter: UInt64 = 0
  /// The webhooks whose progress is on its way to the store.
  private var writing: Set<WebhookKey> = []
  /// The moments from which the store is asked again, and written to again, after a failure.
  private var loadFrom: Int64? = 0
  private var writeFrom: Int64 = 0
  /// Whether the operator was told that the webhooks cannot be read.
  private var isFailing = false
  private var stopAt: Int64?

  init(
    store: any EventStore, codes: Codes, options: CourierOptions, mailboxes: Mailboxes
  ) throws(CourierError) {
    self.store = store
    self.codes = codes
    self.mailboxes = mailboxes
    reader = DeliveryReader(store)
    courier = try Courier(options)
    log = Log(mailbox: mailboxes.log)
  }

  private var counters: CounterSet<CourierCount> { mailboxes.counters.courier }

  /// Runs until `.stop`.
  func run() {
    while true {
      for message in mailboxes.courier.take() { take(message) }
      if let stopAt, courier.inFlight == 0 || now.milliseconds >= stopAt { break }
      load()
      if stopAt == nil { send() }
      write()
      counters.set(.webhooks, desk.count)
      counters.set(.troubled, desk.troubledCount)
      counters.set(.inFlight, courier.inFlight)
      let ended = courier.wait(
        milliseconds: waitMilliseconds, orReadable: mailboxes.courier.descriptor)
      for it in ended { take(it) }
    }
    // The ledger stops after this thread, so it still takes these.
    for (key, progress) in desk.unwritten() { post(progress, of: key) }
  }

  private var now: SessionMoment {
    SessionMoment(
      milliseconds: MachineClock.monotonic().milliseconds,
      wall: Timestamp(milliseconds: MachineClock.wallMilliseconds()))
  }

  /// The time for which there is nothing to do, unless something comes.
  private var waitMilliseconds: Int {
    let moment = now.milliseconds
    var waits: [Int64] = [60_000]
    if let stopAt { waits.append(stopAt - moment) }
    if let loadFrom { waits.append(loadFrom - moment) }
    if stopAt == nil, letters.count < CourierThread.lettersMax,
      let wait = desk.wait(at: moment, slowToo: hasRoomForSlow)
    {
      waits.append(wait)
    }
    if let wait = desk.writeWait(at: moment), writing.isEmpty {
      waits.append(max(wait, writeFrom - moment))
    }
    return Int(max(0, waits.min() ?? 0))
  }

  private func take(_ message: CourierMessage) {
    switch message {
    case .news(let streams): desk.heard(of: streams, at: now.milliseconds)
    case .changed(let changes):
      for change in changes { desk.note(change, at: now.milliseconds) }
    case .unknown: loadFrom = 0
    case .settled(let key, let isWritten):
      writing.remove(key)
      guard !isWritten else { return }
      desk.failed(writing: key)
      writeFrom = now.milliseconds + Int64(ServerLimits.unavailableMilliseconds)
    case .stop: stopAt = now.milliseconds + CourierThread.stopMilliseconds
    }
  }

  // MARK: The store

  private func load() {
    guard let from = loadFrom, now.milliseconds >= from else { return }
    do throws(StoreError) {
      desk.reload(try store.webhooks(), at: now.milliseconds)
      (loadFrom, isFailing) = (nil, false)
    } catch {
      // It is told once until the store can be read again.
      if !isFailing { note(error) }
      isFailing = true
      loadFrom = now.milliseconds + Int64(ServerLimits.unavailableMilliseconds)
    }
  }

  private func write() {
    let moment = now.milliseconds
    guard moment >= writeFrom else { return }
    for (key, progress) in desk.unwritten(at: moment) where writing.insert(key).inserted {
      desk.began(writing: key, at: moment)
      post(progress, of: key)
    }
  }

  private func post(_ progress: WebhookProgress, of key: WebhookKey) {
    mailboxes.ledger.post(.work(.noteWebhook(key, progress), .courier(key)))
  }

  private func note(_ error: StoreError) { log.note("courier: \(error.fault.detail)") }

  // MARK: Letters

  private var hasRoomForSlow: Bool {
    letters.values.count(where: \.isSlow) < CourierThread.slowLettersMax
  }

  private func send() {
    let moment = now
    for key in desk.due(at: moment.milliseconds) {
      guard letters.count < CourierThread.lettersMax else { return }
      guard let webhook = desk.webhook(key), !desk.isSlow(key) || hasRoomForSlow else { continue }
      do throws(StoreError) {
        let look = try reader.look(for: webhook)
        desk.looked(at: key, look)
        if let delivery = look.delivery { send(delivery, of: webhook, at: moment) }
      } catch {
        if desk.failedToLook(at: key, at: moment.milliseconds) { note(error) }
      }
    }
  }

  private func send(_ delivery: Delivery, of webhook: Webhook, at moment: SessionMoment) {
    let request = WebhookRequest(
      delivery.message, delivery.range, epoch: delivery.epoch, of: webhook.id,
      form: webhook.form, base64: Base64.encode)
    let proof = WebhookProof(
      delivery, key: codes.webhookKey(webhook.id, of: webhook.bot),
      seconds: moment.wall.milliseconds / 1_000, body: request.body)
    lastLetter += 1
    letters[lastLetter] = (webhook.key, desk.isSlow(webhook.key))
    courier.send(
      Letter(
        id: lastLetter, address: webhook.address.text,
        headers: request.headers + proof.headers
          + [(name: "User-Agent", value: "whattodo-server")],
        body: request.body))
  }

  private func take(_ it: Delivered) {
    guard let key = letters.removeValue(forKey: it.id)?.key else { return }
    let end = DeliveryEnd(it)
    if end.wasTried { counters.add(end.isTaken ? .taken : .failed) }
    desk.ended(key, end, at: now)
  }
}

extension DeliveryEnd {
  fileprivate init(_ it: Delivered) {
    switch it.outcome {
    case .answered(let reply):
      self.init(
        .answered(reply.status),
        retryAfterMilliseconds: reply.retryAfterSeconds.map { Int64($0) * 1_000 },
        milliseconds: it.milliseconds)
    case .failed(let failure):
      self.init(
        .failed(failure.words), wasTried: failure != .notTried, isHopeless: failure.isHopeless,
        milliseconds: it.milliseconds)
    }
  }
}

extension CourierFailure {
  /// Whether the address leads where this server does not send.
  fileprivate var isHopeless: Bool {
    switch self {
    case .forbiddenAddress, .badAddress: true
    case .unknownHost, .cannotConnect, .timedOut, .notTried, .untrusted, .brokenAnswer, .other:
      false
    }
  }
}

/// Runs on the courier's thread until `.stop`.
func runCourier(
  _ store: any EventStore, _ codes: Codes, _ options: CourierOptions, _ mailboxes: Mailboxes
) {
  do throws(CourierError) {
    try CourierThread(store: store, codes: codes, options: options, mailboxes: mailboxes).run()
  } catch {
    Log(mailbox: mailboxes.log).note("courier: no webhook is sent: \(error)")
    while true {
      for case .stop in mailboxes.courier.wait() { return }
    }
  }
}
