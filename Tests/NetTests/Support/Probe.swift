import Net
import WebSocket

/// A thing that a loop told its application.
enum Told: Equatable, Sendable {
  case opened(ConnectionID, String)
  case asked(ConnectionID, String)
  case received(ConnectionID, MessageKind, [UInt8])
  case writable(ConnectionID)
  case closed(ConnectionID, Ending)
  case timer
  case acceptPaused
  case stopRequested
}

/// How a probe behaves by itself.
enum Manner: Sendable {
  /// Answers every message with itself.
  case echoes
  /// Stops reading after every message.
  case pauses
  /// Answers every message with itself and keeps running when a stop is requested.
  case stays
}

/// An application that tells everything to a mailbox and does what another one orders.
final class Probe: LoopApplication {
  typealias Order = @Sendable (Loop, Probe) -> Void

  let told: Mailbox<Told>
  private let manner: Manner
  private let orders: Mailbox<Order>
  private var loop: Loop?
  private(set) var open: Set<ConnectionID> = []

  init(_ manner: Manner, told: Mailbox<Told>, orders: Mailbox<Order>) {
    self.manner = manner
    self.told = told
    self.orders = orders
  }

  func started(_ loop: Loop) {
    self.loop = loop
    do {
      try loop.attach(orders)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  func opened(_ connection: ConnectionID, _ opening: Opening) {
    open.insert(connection)
    told.post(.opened(connection, opening.path))
  }

  func asked(_ connection: ConnectionID, _ request: RouteRequest) {
    let body = request.body.isEmpty ? "" : " " + String(decoding: request.body, as: UTF8.self)
    told.post(.asked(connection, request.head.path + body))
  }

  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>) {
    switch manner {
    case .echoes, .stays: loop?.send(kind, payload, to: connection)
    case .pauses: loop?.pauseReading(connection)
    }
    var bytes: [UInt8] = []
    for index in payload.indices { bytes.append(payload[index]) }
    told.post(.received(connection, kind, bytes))
  }

  func writable(_ connection: ConnectionID) { told.post(.writable(connection)) }

  func closed(_ connection: ConnectionID, _ ending: Ending) {
    open.remove(connection)
    told.post(.closed(connection, ending))
  }

  func woken() {
    guard let loop else { return }
    for order in orders.take() { order(loop, self) }
  }

  func timerFired(_ timer: TimerID) { told.post(.timer) }

  func acceptPaused(_ error: NetError) { told.post(.acceptPaused) }

  func stopRequested() {
    told.post(.stopRequested)
    if manner != .stays { loop?.end() }
  }
}

/// A group of loops on 127.0.0.1:0 that run probes. Stopped when the test lets go of it.
final class Server {
  let group: LoopGroup
  private let told: Mailbox<Told>
  private let orders: [Mailbox<Probe.Order>]
  private var seen: [Told] = []

  init(
    _ manner: Manner = .echoes, routes: RouteTable = Server.standardRoutes,
    sideRoutes: RouteTable = RouteTable(),
    _ change: (inout NetOptions) throws -> Void = { _ in }
  ) throws {
    var options = NetOptions()
    options.listen = [try ListenAddress("127.0.0.1:0")]
    try change(&options)
    let told = try Mailbox<Told>()
    var mailboxes: [Mailbox<Probe.Order>] = []
    for _ in 0..<options.loops { mailboxes.append(try Mailbox()) }
    let orders = mailboxes
    self.told = told
    self.orders = orders
    group = try LoopGroup(options, routes: routes, sideRoutes: sideRoutes) { loop in
      Probe(manner, told: told, orders: orders[loop])
    }
  }

  deinit {
    for loop in orders.indices { perform(on: loop) { loop, _ in loop.end() } }
    group.wait()
  }

  static var standardRoutes: RouteTable {
    var routes = RouteTable()
    routes.addWebSocket("/echo", messageBytesMax: 1 << 24)
    routes.addWebSocket(
      "/ws", subprotocols: Subprotocols(["whattodo.v1"], areRequired: true), messageBytesMax: 1000)
    routes.add(.get, "/healthz") { _ in .text(.ok, "well") }
    routes.add(.post, "/take", bodyBytesMax: 10) { request in
      HTTPReply(.ok, body: request.body)
    }
    return routes
  }

  var port: UInt16 { group.addresses.first?.port ?? 0 }

  /// Runs a closure on a loop's thread.
  func perform(on loop: Int = 0, _ order: @escaping Probe.Order) {
    orders[loop].post(order)
  }

  /// The next thing told that `choose` takes; what it does not take stays for later calls.
  func next<Value>(_ choose: (Told) -> Value?) -> Value? {
    let deadline = Deadline()
    while true {
      for index in seen.indices {
        if let value = choose(seen[index]) {
          seen.remove(at: index)
          return value
        }
      }
      if deadline.isOver { return nil }
      seen += told.wait(milliseconds: Int(deadline.leftMilliseconds))
    }
  }

  /// Waits until exactly this was told.
  func expects(_ wanted: Told) -> Bool {
    next { $0 == wanted ? true : nil } ?? false
  }

  /// Whether this was told and not taken yet.
  func hasSeen(_ told: Told) -> Bool {
    seen += self.told.take()
    return seen.contains(told)
  }

  func nextOpened() -> ConnectionID? {
    next { if case .opened(let id, _) = $0 { id } else { nil } }
  }

  func nextEnding() -> Ending? {
    next { if case .closed(_, let ending) = $0 { ending } else { nil } }
  }
}
