import Crypto
import Domain
import Net
import Sync
import WebSocket
import Wire

/// An order from the owner's thread to the connection's thread.
enum ClientOrder: Sendable {
  case submit(Request, RequestTicket)
  case queue(QueuedCommand)
  case withdraw(Int64)
  case signIn(token: String)
  case connectNow
  /// The owner has taken this number of the news that were posted.
  case took(Int)
}

/// The connection's thread: moves bytes between the socket and the replica, and does what it says.
final class ClientLoop: LoopApplication {
  private let server: ServerAddress
  /// The authorities that we trust to name the server, for `wss`. Nil for `ws`.
  private let trust: TLSContext?
  private var replica: Replica
  private let orders: Mailbox<ClientOrder>
  private let effects: Mailbox<ReplicaEffect>
  private let onNews: (@Sendable () -> Void)?
  private var random: UInt64
  private var loop: Loop?
  private var connection: ConnectionID?
  /// The number of untaken news beyond which the socket is not read, and their present number.
  private let untakenMax: Int
  private var untaken = 0
  private var isPaused = false
  /// Whether the server has accepted a connection of ours. A later answer that is cut off in the middle is then no sign
  /// that it wants TLS.
  private var hasOpened = false

  init(
    server: ServerAddress, trust: TLSContext?, replica: Replica, orders: Mailbox<ClientOrder>,
    effects: Mailbox<ReplicaEffect>, random: UInt64, untakenMax: Int,
    onNews: (@Sendable () -> Void)?
  ) {
    self.server = server
    self.trust = trust
    self.replica = replica
    self.orders = orders
    self.effects = effects
    self.random = random
    self.untakenMax = untakenMax
    self.onNews = onNews
  }

  func started(_ loop: Loop) {
    self.loop = loop
    do throws(NetError) {
      try loop.attach(orders)
      perform(replica.start())
    } catch {
      // The kernel has no memory for one more descriptor, so there will be no connection.
      tell([.standing(.offline(.unreachable, retryMilliseconds: 0))])
      loop.end()
    }
  }

  func opened(_ connection: ConnectionID, _ opening: Opening) {
    guard connection == self.connection else { return }
    hasOpened = true
    perform(replica.opened())
  }

  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>) {
    guard connection == self.connection, kind == .text else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count)
    for index in payload.indices { bytes.append(payload[index]) }
    perform(replica.received(bytes, now: now))
  }

  func closed(_ connection: ConnectionID, _ ending: Ending) {
    guard connection == self.connection else { return }
    self.connection = nil
    isPaused = false
    perform(
      replica.closed(
        Disconnection(ending, isEncrypted: trust != nil || hasOpened), now: now,
        random: nextRandom()))
  }

  func woken() {
    for order in orders.take() {
      switch order {
      case .submit(let request, let ticket):
        perform(replica.submit(request, ticket: ticket))
      case .queue(let queued): perform(replica.queue(queued))
      case .withdraw(let number): perform(replica.withdraw(number))
      case .signIn(let token): perform(replica.signIn(token: token))
      case .connectNow: perform(replica.start())
      case .took(let count): untaken -= count
      }
    }
    pace()
  }

  func timerFired(_ timer: TimerID) { perform(replica.woke(now: now)) }

  func stopRequested() {
    guard let loop else { return }
    // Requests that were made before the end still leave.
    woken()
    if let connection { loop.close(connection, .normal) }
    connection = nil
    loop.end()
  }

  private var now: Int64 { loop?.now.milliseconds ?? 0 }

  private func perform(_ effects: [ReplicaEffect]) {
    guard let loop else { return }
    var told: [ReplicaEffect] = []
    for effect in effects {
      switch effect {
      case .connect:
        var target = DialTarget(
          host: server.host, port: server.port, path: server.path, subprotocol: "whattodo.v1",
          tls: trust)
        target.deflate = true
        connection = loop.dial(target)
      case .send(let bytes, let hasSecret):
        if let connection { loop.send(.text, bytes, to: connection, compressible: !hasSecret) }
      case .close: leave(loop)
      case .hangUp:
        leave(loop)
        let effects = replica.closed(.lost, now: now, random: nextRandom())
        tell(told)
        told = []
        perform(effects)
      case .wake(let moment): _ = loop.setTimer(afterMilliseconds: max(0, moment - now))
      case .standing, .replaced, .happened, .gone, .ephemeral, .allLevel, .answered, .withdrawn,
        .outbox:
        told.append(effect)
      }
    }
    tell(told)
  }

  private func leave(_ loop: Loop) {
    if let connection { loop.close(connection, .normal) }
    connection = nil
    isPaused = false
  }

  private func tell(_ news: [ReplicaEffect]) {
    guard !news.isEmpty else { return }
    effects.post(contentsOf: news)
    untaken += news.count
    onNews?()
    pace()
  }

  /// Reads only as fast as the owner takes.
  private func pace() {
    guard let connection, let loop, isPaused != (untaken > untakenMax) else { return }
    isPaused.toggle()
    if isPaused { loop.pauseReading(connection) } else { loop.resumeReading(connection) }
  }

  /// Returns a random number for the waits of a reconnect, which need no better ones (Knuth, TAOCP 2 §3.3.4, MMIX).
  private func nextRandom() -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return random >> 16
  }
}

extension Disconnection {
  fileprivate init(_ ending: Ending, isEncrypted: Bool) {
    switch ending {
    // 1005 stands for a close frame without a code (RFC 6455 §7.1.5).
    case .closed(let notice): self = .closed(code: notice.code?.rawValue ?? 1005)
    case .failed, .lost, .timedOut, .aborted: self = .lost
    case .unreachable: self = .unreachable
    case .unprotected(let fault): self = .untrusted(Distrust(fault))
    // A port that speaks TLS answers plain clients with this status, or with an alert.
    case .refused(.refused(status: 400, _)) where !isEncrypted: self = .untrusted(.encrypted)
    case .refused(.malformed) where !isEncrypted: self = .untrusted(.encrypted)
    case .refused(.refused(let status, _)): self = .refused(status: status)
    case .refused: self = .refused(status: 101)
    }
  }
}

extension Distrust {
  fileprivate init(_ fault: TLSFault) {
    switch CertificateProblem(fault) {
    case .unknownAuthority: self = .unknownAuthority
    case .wrongName: self = .wrongName
    case .expired: self = .expired
    case .notYetValid: self = .notYetValid
    case nil: self = fault == .notTLS ? .plaintext : .other(fault.description)
    }
  }
}
