// Everything that one thread does with its sockets. One turn:
//
//   wait → sockets → resumed connections → timers → mailboxes → ends → `turnEnded` → writes
//
// The application is called between these steps, never inside a call that it makes to the loop: a failure found while
// sending is told later in the turn. Reads go into one buffer that all connections share, and a message is handed out
// where it lies. Parts:
//
//   Loop+Turn       the turn, dispatch, timers, orders of other threads
//   Loop+Receive    bytes in: frames, closing, the end of the socket
//   Loop+Send       bytes out: pieces that are due, backlog
//   Loop+TLS        between both and the socket, where a connection speaks TLS
//   Loop+Accept     loop 0: listeners and admission
//   Loop+Request    HTTP: the way to a WebSocket, and everything that is refused on it
//   Loop+Admission  the counts of clients behind a proxy
//   Loop+Dial       the client's role

import CLinux
import Deflate
import Crypto
package import WebSocket

/// The sockets of one thread. Not Sendable: everything here is called on the loop's own thread.
package final class Loop {
  /// The number of the loop, 0…loops-1.
  package let index: Int
  /// The moment this turn began; the same during a turn.
  package internal(set) var now: Moment
  /// The number of open connections of this loop.
  package internal(set) var connectionCount = 0

  package let counters: LoopCounters

  let options: NetOptions
  let routes: RouteTable
  let sideRoutes: RouteTable
  /// The kinds of every listener of the group, also on loops that have no listeners. `Connection.listener` is an index.
  let kinds: [ListenerKind]
  let originPolicy: OriginPolicy
  let poller: Poller
  /// The orders of other threads to this loop.
  let orders: Mailbox<LoopOrder>
  let others: [Mailbox<LoopOrder>]
  /// The listeners, in the order of `kinds` and nil when closed. Only loop 0 has any; the same holds for `admission`.
  var listeners: [Listener?]
  var admission: Admission
  var acceptIsPaused = false
  let signals: Int32?

  /// The TLS context that clients of TLS listeners are shown.
  var tls: TLSContext?
  /// The TLS of all connections of this loop, made for the first one.
  lazy var engine = TLSEngine(inputBytes: options.receiveBytes)

  let table = ConnectionTable()
  var wheel: TimerWheel
  var output = Output()
  let receiveBuffer: UnsafeMutableBufferPointer<UInt8>
  /// The buffer in which the pieces of one connection are copied together.
  let gatherBuffer: UnsafeMutableBufferPointer<UInt8>
  /// The last piece of the chain that lies there, -1 for none, and the length of the chain.
  var gatheredPiece: Int32 = -1
  var gatheredBytes = 0
  let inflater = Inflater()
  let compressors: Compressors

  var application: (any LoopApplication)?
  /// The ends that the application has not been told yet.
  var endings: [(ConnectionID, Ending)] = []
  /// The connections whose reading was resumed in this turn.
  var resumed: [ConnectionID] = []
  var departures: [Admission.Departure] = []
  var dueTimers: [TimerWheel.Due] = []
  var mailboxIsReady = false
  var turnsAgain = false
  var stopIsRequested = false
  var isRunning = true
  /// The moment this turn began: the same moment as `now`, finer.
  var turnBeganNanoseconds = MachineClock.monotonicNanoseconds()

  static let gatherBytes = 256 * 1024

  init(_ seed: LoopSeed) {
    index = seed.index
    options = seed.options
    routes = seed.routes
    sideRoutes = seed.sideRoutes
    kinds = seed.kinds
    originPolicy = seed.originPolicy
    poller = seed.poller
    orders = seed.orders[seed.index]
    others = seed.orders
    listeners = seed.listeners
    signals = seed.signals
    tls = seed.options.tls
    counters = seed.counters
    admission = Admission(
      connectionsMax: seed.options.connectionsMax,
      perAddressMax: seed.options.connectionsPerAddressMax, loops: seed.orders.count)
    compressors = Compressors(bytesMin: seed.options.compressedBytesMin)
    now = MachineClock.monotonic()
    wheel = TimerWheel(now: now)
    receiveBuffer = .allocate(capacity: seed.options.receiveBytes)
    gatherBuffer = .allocate(capacity: Loop.gatherBytes)
    receiveBuffer.initialize(repeating: 0)
    gatherBuffer.initialize(repeating: 0)
  }

  deinit {
    receiveBuffer.deallocate()
    gatherBuffer.deallocate()
  }

  // MARK: Messages

  /// Sends a whole message at the end of the turn. A text must be valid UTF-8. It is copied once. It is compressed if
  /// that was agreed on and pays, but never without `compressible`: a message with a secret must not be compressed.
  package func send(
    _ kind: MessageKind, _ payload: Span<UInt8>, to connection: ConnectionID,
    compressible: Bool = true
  ) {
    guard let open = findOpen(connection) else { return }
    counters.add(.messagesOut)
    if compressible, let window = open.pointee.machine.deflate?.sendWindow,
      open.pointee.machine.state == .open, compressors.compress(payload, window)
    {
      let payload = compressors.compressed
      write(connection.slot, open) { machine, mask, bytes in
        machine.writeMessage(kind, payload.span, isCompressed: true, mask: mask, to: &bytes)
      }
      return
    }
    write(connection.slot, open) { machine, mask, bytes in
      machine.writeMessage(kind, payload, mask: mask, to: &bytes)
    }
  }

  /// Sends a whole message at the end of the turn. A text must be valid UTF-8.
  package func send(
    _ kind: MessageKind, _ payload: [UInt8], to connection: ConnectionID, compressible: Bool = true
  ) {
    send(kind, payload.span, to: connection, compressible: compressible)
  }

  /// Sends a prebuilt frame at the end of the turn. Nothing is copied unless the kernel is full.
  package func send(_ frame: SharedFrame, to connection: ConnectionID) {
    // These are patterns, because == on an enumeration of another module is a call through a table of witnesses.
    guard let open = findOpen(connection), case .open = open.pointee.machine.state else { return }
    guard case .server = open.pointee.machine.role else {
      preconditionFailure("a client masks each frame of its own")
    }
    counters.add(.messagesOut)
    if open.pointee.backlogBytes > 0, open.pointee.tls == nil {
      let form = frame.form(open.pointee.machine.deflate?.sendWindow, compressors)
      open.pointee.backlog.append(contentsOf: form.bytes)
      counters.add(.backlogBytes, form.bytes.count)
      return
    }
    output.add(frame, compressors, slot: connection.slot, &open.pointee)
    if output.isFull { flush() }
  }

  /// Returns the number of bytes that the kernel did not take because the peer does not read; `writable` is called when
  /// they are gone. Bytes that this turn sends count from the end of the turn on. 0 for unknown names.
  package func pendingBytes(_ connection: ConnectionID) -> Int {
    findOpen(connection)?.pointee.backlogBytes ?? 0
  }

  /// Returns the number of bytes that this turn has for the connection and that the kernel was not asked to take yet.
  package func dueBytes(_ connection: ConnectionID) -> Int {
    guard let open = findOpen(connection), open.pointee.lastPiece >= 0 else { return 0 }
    return output.pieces[Int(open.pointee.lastPiece)].chainBytes
  }

  /// Writes what is due to the connection before the end of the turn, so that `pendingBytes` is right.
  package func write(_ connection: ConnectionID) {
    guard findOpen(connection) != nil else { return }
    flush(connection.slot)
  }

  /// Lets the next turn begin at once, without waiting for anything. It is for long work done in portions.
  package func turnAgain() {
    turnsAgain = true
  }

  /// Stops reading: the peer's bytes stay in the kernel, and silence is forgiven meanwhile.
  package func pauseReading(_ connection: ConnectionID) {
    guard let open = findOpen(connection), !open.pointee.isPaused else { return }
    open.pointee.isPaused = true
    setInterest(connection.slot, open.pointee.interest.subtracting(.readable))
  }

  /// Reads again. Bytes that were already received are delivered later in this turn.
  package func resumeReading(_ connection: ConnectionID) {
    guard let open = findOpen(connection), open.pointee.isPaused else { return }
    open.pointee.heardAt = now
    readOn(connection, open)
  }

  // MARK: Ends

  /// Begins the closing handshake; `closed` follows. Messages that were sent before still leave. The reason is cut to
  /// 123 bytes at a character.
  package func close(_ connection: ConnectionID, _ code: CloseCode, reason: String = "") {
    guard let open = findOpen(connection), open.pointee.machine.state == .open else { return }
    write(connection.slot, open) { machine, mask, bytes in
      machine.writeClose(code, reason: reason, mask: mask, to: &bytes)
    }
    if open.pointee.isPaused { readOn(connection, open) }
    setDeadline(connection, closeMilliseconds)
  }

  /// Ends the socket without a word; `closed` with `.aborted` follows.
  package func abort(_ connection: ConnectionID) {
    guard let known = table.find(connection) else { return }
    switch known.pointee.phase {
    case .open, .dialling: finish(connection, .aborted)
    case .free, .head, .lingering, .over: break
    }
  }

  /// Ends the loop after this turn: what is due is written once, and connections still open get `closed` with
  /// `.aborted`.
  package func end() {
    isRunning = false
  }

  // MARK: Timers and mailboxes

  /// Calls `woken` of this loop's application whenever the mailbox has messages. It lasts until the end, and the
  /// mailbox must live as long. Throws `.system(.epollControl, …)`.
  package func attach<Message>(_ mailbox: Mailbox<Message>) throws(NetError) {
    try poller.add(mailbox.descriptor, .mailbox, .readable)
  }

  /// Sets a timer that fires once, never early and at most some 40 ms late.
  package func setTimer(afterMilliseconds: Int64) -> TimerID {
    wheel.set(at: now + afterMilliseconds, .application)
  }

  /// Cancels a timer. One that has fired or was cancelled is ignored.
  package func cancelTimer(_ timer: TimerID) {
    wheel.cancel(timer)
  }

  // MARK: Parts

  /// Returns an open connection. Nil when it is not open, or over.
  func findOpen(_ id: ConnectionID) -> UnsafeMutablePointer<Connection>? {
    guard let connection = table.find(id), case .open = connection.pointee.phase else { return nil }
    return connection
  }

  /// Ends a pause. Bytes that were kept are delivered first; the socket is read after that.
  func readOn(_ id: ConnectionID, _ open: UnsafeMutablePointer<Connection>) {
    open.pointee.isPaused = false
    if open.pointee.stash.isEmpty, open.pointee.tls?.state != .peerEnded {
      setInterest(id.slot, open.pointee.interest.union(.readable))
    } else {
      resumed.append(id)
    }
  }

  /// The time that the peer may take from now on to close.
  var closeMilliseconds: Int64 {
    stopIsRequested
      ? min(options.closeMilliseconds, options.stopMilliseconds) : options.closeMilliseconds
  }

  /// Gives the connection another deadline instead of the one it had.
  func setDeadline(_ id: ConnectionID, _ milliseconds: Int64) {
    let connection = table[id.slot]
    if let timer = connection.pointee.timer { wheel.cancel(timer) }
    connection.pointee.timer = wheel.set(at: now + milliseconds, .connection(id))
  }

  /// Tells the kernel what the connection waits for. When the kernel refuses that for a socket of ours, it has lost the
  /// socket, and the connection is over.
  func setInterest(_ slot: Int32, _ interest: Poller.Interest) {
    let connection = table[slot]
    guard connection.pointee.interest != interest else { return }
    connection.pointee.interest = interest
    do {
      try poller.change(connection.pointee.socket, .connection(slot: slot), interest)
    } catch {
      finish(table.id(of: slot), .lost)
    }
  }

  /// Ends a connection: closes the socket, and notes to tell the application if it knows the connection.
  func finish(_ id: ConnectionID, _ ending: Ending) {
    guard let connection = table.find(id) else { return }
    switch connection.pointee.phase {
    case .open:
      connectionCount -= 1
      tellLater(id, ending)
    case .dialling: tellLater(id, ending)
    case .head, .lingering: break
    case .free, .over: return
    }
    if ending == .timedOut { sayTLSEnd(connection) }
    release(id)
  }

  /// Notes to tell the application the end later in this turn.
  func tellLater(_ id: ConnectionID, _ ending: Ending) {
    counters.ended(ending)
    endings.append((id, ending))
  }

  /// Closes the socket and gives the slot back at the end of the turn.
  func release(_ id: ConnectionID) {
    let connection = table[id.slot]
    if connection.pointee.socket >= 0 { whattodo_close(connection.pointee.socket) }
    connection.pointee.socket = -1
    counters.add(.backlogBytes, -connection.pointee.backlogBytes)
    if let timer = connection.pointee.timer { wheel.cancel(timer) }
    connection.pointee.timer = nil
    if let kind = connection.pointee.admittedAs {
      departures.append(
        Admission.Departure(loop: index, prefix: connection.pointee.peer.prefix, kind: kind))
    }
    table.end(id.slot)
  }
}
