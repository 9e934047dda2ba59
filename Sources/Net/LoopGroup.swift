import CLinux
package import Crypto

/// The parts that a loop thread starts with.
struct LoopSeed: Sendable {
  let index: Int
  let options: NetOptions
  let routes: RouteTable
  let sideRoutes: RouteTable
  let kinds: [ListenerKind]
  let originPolicy: OriginPolicy
  let poller: Poller
  /// The mailboxes of all loops, its own included.
  let orders: [Mailbox<LoopOrder>]
  /// The listeners, in the order of `kinds`. Only loop 0 has any.
  let listeners: [Listener]
  let signals: Int32?
  let counters: LoopCounters
}

/// The loop threads of a program. Loop 0 accepts, and hands each connection to the loop with the fewest.
package final class LoopGroup: Sendable {
  /// The bound addresses, with the real ports, in the order of `NetOptions.listen`.
  package let addresses: [ListenAddress]
  /// The bound addresses of `NetOptions.side`, with the real ports and in its order.
  package let sideAddresses: [ListenAddress]
  /// The counts of each loop.
  package let counters: [LoopCounters]
  /// The number of descriptors that this process may have, after raising it as far as it is allowed. Each connection
  /// takes one. Shells and service managers give 1024 to programs that may have far more.
  package let descriptorsMax: Int
  private let orders: [Mailbox<LoopOrder>]
  private let threads: [Thread]

  /// Binds, starts the threads and returns; connections are accepted from then on. `application` is called once on each
  /// loop's thread and makes the application of that loop. `counters` has one object for each loop, for callers that
  /// need them before there is a group. Throws `.portInUse`, `.addressRefused`, `.system`.
  package init(
    _ options: NetOptions, routes: RouteTable = RouteTable(),
    sideRoutes: RouteTable = RouteTable(), counters: [LoopCounters]? = nil,
    application: @escaping @Sendable (_ loop: Int) -> any LoopApplication
  ) throws(NetError) {
    precondition(options.loops >= 1, "somebody must do the work")
    precondition(
      options.listen.count + options.side.count <= NetOptions.listenersMax,
      "a connection names its listener in one byte")
    let counters = counters ?? (0..<options.loops).map { _ in LoopCounters() }
    precondition(counters.count == options.loops, "each loop counts for itself")
    self.counters = counters
    whattodo_ignore_sigpipe()
    descriptorsMax = Int(max(0, whattodo_raise_descriptor_limit()))
    let listeners = try LoopGroup.listen(options.listen + options.side)
    let kinds = LoopGroup.kinds(of: listeners, options)
    addresses = kinds.filter { !$0.isSide }.map(\.address)
    sideAddresses = kinds.filter(\.isSide).map(\.address)
    var started: [Thread] = []
    var orders: [Mailbox<LoopOrder>] = []
    do {
      for _ in 0..<options.loops { orders.append(try Mailbox()) }
      let signals = options.stopsOnSignals ? try LoopGroup.takeSignals(options) : nil
      let originPolicy = OriginPolicy(
        listeners: kinds.map(\.address), hosts: options.hosts, origins: options.origins)
      for index in 0..<options.loops {
        let seed = LoopSeed(
          index: index, options: options, routes: routes, sideRoutes: sideRoutes, kinds: kinds,
          originPolicy: originPolicy, poller: try Poller(), orders: orders,
          listeners: index == 0 ? listeners : [], signals: index == 0 ? signals : nil,
          counters: counters[index])
        started.append(try LoopGroup.start(seed, application))
      }
    } catch {
      LoopGroup.undo(listeners, started, orders)
      throw error
    }
    self.orders = orders
    threads = started
  }

  /// Gives the TLS listeners another certificate, from any thread. Connections keep the one they began with. A context
  /// that could not be made (`TLSError`) never comes here, so the old one stays.
  package func reload(tls context: TLSContext) {
    precondition(context.isServer, "a client's context has no certificate to show")
    for orders in orders { orders.post(.tls(context)) }
  }

  /// Requests the stop of every loop, from any thread; see `LoopApplication.stopRequested`.
  package func stop() {
    for orders in orders { orders.post(.stop) }
  }

  /// Waits until every loop has ended. Call it once.
  package func wait() {
    for thread in threads { thread.join() }
  }

  private static func kinds(of listeners: [Listener], _ options: NetOptions) -> [ListenerKind] {
    listeners.enumerated().map { index, listener in
      let isSide = index >= options.listen.count
      let speaksTLS = options.tls != nil && !isSide && !listener.address.isUnix
      return ListenerKind(address: listener.address, speaksTLS: speaksTLS, isSide: isSide)
    }
  }

  private static func listen(_ wanted: [ListenAddress]) throws(NetError) -> [Listener] {
    var listeners: [Listener] = []
    do {
      for address in wanted { listeners.append(try Listener(address)) }
    } catch {
      for listener in listeners { listener.close() }
      throw error
    }
    return listeners
  }

  /// Undoes what was begun before something failed. Once loop 0 runs, the listeners are its own.
  private static func undo(
    _ listeners: [Listener], _ started: [Thread], _ orders: [Mailbox<LoopOrder>]
  ) {
    if started.isEmpty { for listener in listeners { listener.close() } }
    for index in started.indices { orders[index].post(.end) }
    for thread in started { thread.join() }
  }

  private static func takeSignals(_ options: NetOptions) throws(NetError) -> Int32 {
    if options.tellsHangUps { whattodo_heed_hang_ups() }
    _ = try checked(whattodo_block_stop_signals(), .signalMask)
    return try checked(whattodo_stop_signals(), .signalfd)
  }

  private static func start(
    _ seed: LoopSeed, _ application: @escaping @Sendable (Int) -> any LoopApplication
  ) throws(NetError) -> Thread {
    try Thread.start(name: "loop \(seed.index)") {
      do {
        try Loop(seed).run(application(seed.index))
      } catch {
        preconditionFailure("loop \(seed.index): \(error)")
      }
    }
  }
}
