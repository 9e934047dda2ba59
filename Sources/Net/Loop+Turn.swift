import CLinux
import Glibc
import Crypto
import WebSocket

/// An order from another thread to a loop.
enum LoopOrder: Sendable {
  /// Take over accepted sockets.
  case adopt([Accepted])
  /// To loop 0: these connections left; count them out.
  case left([Admission.Departure])
  /// To loop 0: decide whether this client of a trusted proxy may come in.
  case claim(ConnectionID, loop: Int, PeerAddress)
  /// From loop 0: the answer to `claim`.
  case claimed(ConnectionID, PeerAddress, isGranted: Bool)
  /// To loop 0: the client was let in, and left before it was told.
  case unclaim(PeerAddress)
  /// The addresses of a name that a dialled connection waits for; empty when there are none.
  case resolved(ConnectionID, [PeerAddress])
  /// Use this TLS for connections that come from now on.
  case tls(TLSContext)
  /// Stop gracefully.
  case stop
  /// Stop at once.
  case end
}

extension Loop {
  private static let eventsMax = 1024

  /// Runs until `end`. Throws when the kernel fails the poller itself.
  func run(_ application: any LoopApplication) throws(NetError) {
    self.application = application
    try poller.add(orders.descriptor, .orders, .readable)
    if let signals { try poller.add(signals, .signals, .readable) }
    for index in listeners.indices { try watchListener(index) }
    application.started(self)
    endTurn()
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Loop.eventsMax)
    defer { events.deallocate() }
    while isRunning { try turn(events) }
    leave()
  }

  private func turn(_ events: UnsafeMutableBufferPointer<epoll_event>) throws(NetError) {
    let isBusy = turnsAgain || !resumed.isEmpty || !endings.isEmpty
    turnsAgain = false
    let ended = MachineClock.monotonicNanoseconds()
    counters.turns.note(Int(ended - turnBeganNanoseconds))
    let sleep = isBusy ? 0 : wheel.sleepMilliseconds(from: Moment(nanoseconds: ended))
    let count = try poller.wait(events, milliseconds: sleep)
    turnBeganNanoseconds = MachineClock.monotonicNanoseconds()
    now = Moment(nanoseconds: turnBeganNanoseconds)
    for index in 0..<count { dispatch(events[index]) }
    deliverResumed()
    fireTimers()
    if mailboxIsReady {
      mailboxIsReady = false
      application?.woken()
    }
    endTurn()
  }

  /// Tells the ends, lets the application speak last, and writes what is due. A failed write is an end, and an end may
  /// make the application send, so it repeats until nothing is due.
  private func endTurn() {
    tellEndings()
    application?.turnEnded()
    repeat {
      flush()
      tellEndings()
    } while output.hasWork
    tellDepartures()
    table.freeEnded()
    counters.counts.set(.connections, connectionCount)
    counters.counts.set(.sockets, table.usedCount)
  }

  private func tellEndings() {
    guard !endings.isEmpty else { return }
    // Ends that come of telling these, such as a dial that fails at once, are told in the next turn.
    let told = endings
    endings = []
    for (id, ending) in told { application?.closed(id, ending) }
  }

  private func tellDepartures() {
    guard !departures.isEmpty else { return }
    if index == 0 {
      for departure in departures { admission.leave(departure) }
      departures.removeAll(keepingCapacity: true)
    } else {
      // The array is given away whole. An array that two threads hold would be reused as soon as loop 0 lets go of it,
      // which is right by the runtime's counting, but ThreadSanitizer cannot see that.
      let left = departures
      departures = []
      others[0].post(.left(left))
    }
  }

  private func dispatch(_ event: epoll_event) {
    switch Poller.Token(bits: event.data.u64) {
    case .connection(let slot): connectionReady(slot, Poller.Interest(rawValue: event.events))
    case .listener(let index): acceptBatch(Int(index))
    case .mailbox: mailboxIsReady = true
    case .orders: for order in orders.take() { follow(order) }
    case .signals: takeSignals()
    }
  }

  private func follow(_ order: LoopOrder) {
    switch order {
    case .adopt(let sockets): for socket in sockets { adopt(socket) }
    case .left(let departures): for departure in departures { admission.leave(departure) }
    case .claim(let id, let loop, let prefix): claimed(id, loop: loop, prefix)
    case .claimed(let id, let prefix, let isGranted): decided(id, prefix, isGranted: isGranted)
    case .unclaim(let prefix): admission.unclaim(prefix)
    case .resolved(let id, let addresses): connect(id, to: addresses)
    case .tls(let context): tls = context
    case .stop: requestStop()
    case .end: end()
    }
  }

  /// Takes signals. The first stops all loops gracefully, the second at once; but see `tellsHangUps`.
  private func takeSignals() {
    guard let signals else { return }
    while case let signal = whattodo_take_signal(signals), signal >= 0 {
      if signal == SIGHUP, options.tellsHangUps {
        application?.hungUp()
        continue
      }
      for orders in others { orders.post(stopIsRequested ? .end : .stop) }
      requestStop()
    }
  }

  private func requestStop() {
    guard !stopIsRequested else { return }
    stopIsRequested = true
    closeListeners(exceptSide: true)
    for slot in 0..<table.slotCount { hurry(table.id(of: slot)) }
    application?.stopRequested()
  }

  /// Gives a connection that was closing already no longer than those that are told now.
  private func hurry(_ id: ConnectionID) {
    guard let open = findOpen(id), open.pointee.machine.state == .closeSent else { return }
    setDeadline(id, closeMilliseconds)
  }

  // MARK: Timers

  private func fireTimers() {
    wheel.advance(to: now, into: &dueTimers)
    for due in dueTimers {
      counters.timerDelays.note(Int(now - due.tickEnd) * 1_000_000)
      switch due.purpose {
      case .application: application?.timerFired(due.id)
      case .acceptAgain: resumeAccept()
      case .connection(let id): deadlinePassed(id, due.id)
      }
    }
    dueTimers.removeAll(keepingCapacity: true)
  }

  private func deadlinePassed(_ id: ConnectionID, _ timer: TimerID) {
    guard let connection = table.find(id), connection.pointee.timer == timer else { return }
    connection.pointee.timer = nil
    switch connection.pointee.phase {
    case .free, .over: break
    case .head: requestTimedOut(id)
    case .dialling, .lingering: finish(id, .timedOut)
    case .open:
      switch connection.pointee.machine.state {
      case .open: beat(id, connection)
      case .closeSent, .closeReceived, .failed, .closed: finish(id, .timedOut)
      }
    }
  }

  /// Starts the heartbeat. The first ping comes after a random half to whole of the interval, so that connections of
  /// the same moment do not stay together.
  func startHeartbeat(_ id: ConnectionID) {
    let connection = table[id.slot]
    connection.pointee.heardAt = now
    let interval = options.pingMilliseconds
    connection.pointee.pingAt =
      now + (interval > 0 ? Int64.random(in: interval / 2...interval) : 0)
    setNextBeat(id, connection)
  }

  private func beat(_ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>) {
    if connection.pointee.isPaused { connection.pointee.heardAt = now }
    let silence = options.silenceMilliseconds
    guard silence == 0 || now - connection.pointee.heardAt < silence else {
      finish(id, .timedOut)
      return
    }
    if options.pingMilliseconds > 0, now >= connection.pointee.pingAt {
      connection.pointee.pingAt = now + options.pingMilliseconds
      // A peer that does not read needs no ping behind what already waits.
      if connection.pointee.backlogBytes == 0 {
        counters.add(.pingsOut)
        write(id.slot, connection) { machine, mask, bytes in
          machine.writePing([], mask: mask, to: &bytes)
        }
      }
    }
    setNextBeat(id, connection)
  }

  private func setNextBeat(_ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>) {
    let ping = options.pingMilliseconds > 0 ? connection.pointee.pingAt : nil
    let silence =
      options.silenceMilliseconds > 0
      ? connection.pointee.heardAt + options.silenceMilliseconds : nil
    switch (ping, silence) {
    case (nil, nil):
      if let timer = connection.pointee.timer { wheel.cancel(timer) }
      connection.pointee.timer = nil
    case (let ping?, let silence?): setBeat(id, at: min(ping, silence))
    case (let only?, nil), (nil, let only?): setBeat(id, at: only)
    }
  }

  /// Sets the next beat, up to a hundredth of the interval later than asked, so that many share a wake-up. Of 10 000
  /// connections about a hundred are pinged together, and their pongs are read in a few turns.
  private func setBeat(_ id: ConnectionID, at moment: Moment) {
    let grain = max(options.pingMilliseconds / 128, 1)
    setDeadline(id, (moment.milliseconds + grain - 1) / grain * grain - now.milliseconds)
  }

  // MARK: The end

  private func leave() {
    closeListeners()
    for slot in 0..<table.slotCount { finish(table.id(of: slot), .aborted) }
    while !endings.isEmpty { tellEndings() }
    for case .adopt(let sockets) in orders.take() {
      for accepted in sockets { whattodo_close(accepted.socket) }
    }
    application = nil
    poller.close()
  }
}

extension Output {
  /// Whether something is due.
  var hasWork: Bool { !dirty.isEmpty }
}
