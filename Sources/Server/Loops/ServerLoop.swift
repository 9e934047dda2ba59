// The part of the server on one loop thread. It joins Net (sockets), Session (one per connection) and Hub (the streams
// of this loop), and does what these say. It decides nothing itself and never waits.

internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

/// A connection and the state that the server keeps of it.
struct Peer {
  let connection: ConnectionID
  let address: PeerAddress
  var session: Session
  /// The identity after `hello`. Nil before.
  var identity: Identity?
  /// The mark of a `hello` or `sync.open` that a reader is working on.
  var readingMark: Int?
  /// The moment since when it takes no bytes, and how many were waiting. Nil while it takes them.
  var stalled: (since: Moment, pendingBytes: Int)?
}

/// The server's part of one loop, owned by its loop thread.
final class ServerLoop: LoopApplication {
  let index: Int
  let mailboxes: Mailboxes
  let rules: SessionRules
  let recorder: Recorder?
  let slowMilliseconds: Int64
  let counters: SessionCounters
  let about: ServerAbout
  var hub = Hub<SharedFrame>()
  var ephemerals: LoopEphemerals
  /// The reports that wait for an answer. Nil for those that a reader has not read yet.
  var hooks: [ConnectionID: Hook?] = [:]
  private var net: Loop?
  /// The peers, by the connection's slot.
  private var peers: [Peer?] = []
  private var peerCount = 0
  var bySession: [SessionID: [ConnectionID]] = [:]
  /// The sessions that ended while a reader may still say that they are good.
  var closedWhileReading: Set<SessionID> = []
  var readingCount = 0
  private var forLedger: [LedgerMessage] = []
  /// The connections to serve in the next turn.
  private var due: [ConnectionID] = []
  private var tasks = LoopTasks()
  private var uses: SessionUses
  private var useTimer: TimerID?
  private var isDraining = false
  /// The moment from which it may be said again that accepting rests.
  private var noteAcceptFrom: Int64 = 0

  init(
    _ index: Int, mailboxes: Mailboxes, rules: SessionRules,
    uses: SessionUseRules = SessionUseRules(),
    slowMilliseconds: Int64 = ServerLimits.slowMilliseconds, recorder: Recorder?,
    about: ServerAbout
  ) {
    self.about = about
    counters = mailboxes.counters.sessions[index]
    self.uses = SessionUses(uses)
    ephemerals = LoopEphemerals(loop: index)
    self.index = index
    self.mailboxes = mailboxes
    self.rules = rules
    self.recorder = recorder
    self.slowMilliseconds = slowMilliseconds
  }

  /// The loop, which exists from `started` to the end.
  var loop: Loop {
    guard let net else { preconditionFailure("the loop has not started") }
    return net
  }

  var now: SessionMoment {
    SessionMoment(
      milliseconds: loop.now.milliseconds,
      wall: Timestamp(milliseconds: MachineClock.wallMilliseconds()))
  }

  // MARK: LoopApplication

  func started(_ loop: Loop) {
    net = loop
    do throws(NetError) {
      try loop.attach(mailboxes.loops[index])
    } catch {
      preconditionFailure("the mailbox of loop \(index): \(error)")
    }
    noteUses()
  }

  func opened(_ connection: ConnectionID, _ opening: Opening) {
    let slot = Int(connection.slot)
    while peers.count <= slot { peers.append(nil) }
    peers[slot] = Peer(
      connection: connection, address: opening.peer, session: Session(rules, at: now))
    peerCount += 1
    if isDraining {
      perform(peers[slot]?.session.drain([], at: now) ?? [], connection)
    } else {
      tasks.anonymous.append(connection)
      arm()
    }
  }

  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>) {
    switch kind {
    case .binary: session(connection) { $0.receivedBinary() }
    case .text:
      let bytes = payload.withUnsafeBufferPointer { unsafe Array($0) }
      recorder?.record(.received, bytes, recordName(connection))
      let message = Result { () throws(RequestError) in try RequestEnvelope(decoding: bytes) }
      session(connection) { $0.received(message, rules, at: now) }
    }
  }

  func asked(_ connection: ConnectionID, _ request: RouteRequest) {
    guard request.head.path.hasPrefix(CalendarRequest.path) else {
      return askedHook(connection, request)
    }
    guard let calendar = CalendarRequest(request.head) else {
      return loop.reply(connection, CalendarRequest.nothing)
    }
    mailboxes.reader(of: .category(calendar.category))
      .post(.calendar(loop: index, connection, calendar))
  }

  func writable(_ connection: ConnectionID) {
    guard peer(connection)?.stalled != nil else { return }
    peers[Int(connection.slot)]?.stalled = nil
    counters.counts.add(.stalled, -1)
    hub.resume(HubConnection(connection))
    serve(connection)
  }

  func closed(_ connection: ConnectionID, _ ending: Ending) {
    guard let gone = peer(connection) else { return }
    forget(connection, gone)
    if gone.stalled != nil { counters.counts.add(.stalled, -1) }
    peers[Int(connection.slot)] = nil
    peerCount -= 1
    endIfIdle()
  }

  func woken() {
    endConnections()
    for message in mailboxes.loops[index].take() {
      switch message {
      case .batch(let batch): take(batch)
      case .outcome(let to, let outcome): finish(to, outcome)
      case .read(let read, let answer):
        perform(hub.answered(read, answer))
        serve(ConnectionID(read.connection))
      case .page(let connection, let reply): loop.reply(connection, reply)
      case .hook(let connection, let order): beginHook(connection, order)
      case .ephemeral(let notes):
        ephemerals.board.take(notes, at: loop.now.milliseconds)
      }
    }
  }

  func timerFired(_ timer: TimerID) {
    if timer == tasks.drainTimer {
      loop.end()
    } else if timer == useTimer {
      noteUses()
    } else if timer == tasks.timer {
      tasks.timer = nil
      tick()
      arm()
    }
  }

  func turnEnded() {
    endConnections()
    let connections = due
    due = []
    for connection in connections { serve(connection) }
    tellEphemerals()
    guard !forLedger.isEmpty else { return }
    mailboxes.ledger.post(contentsOf: forLedger)
    forLedger.removeAll(keepingCapacity: true)
  }

  func stopRequested() {
    isDraining = true
    counters.counts.set(.isDraining, 1)
    let connections = peerCount * mailboxes.loops.count
    let push = Push.drain(
      afterMilliseconds: 0,
      withinMilliseconds: ServerLimits.returnWithinMilliseconds(connections: connections))
    for peer in peers {
      guard let connection = peer?.connection else { continue }
      session(connection) { $0.drain(push, at: now) }
    }
    endIfIdle()
    tasks.drainTimer = loop.setTimer(afterMilliseconds: ServerLimits.drainMilliseconds)
  }

  /// Ends the loop of a server that stops, when nobody is connected and no report waits any more.
  func endIfIdle() {
    if isDraining, peerCount == 0, hooks.isEmpty { loop.end() }
  }

  func hungUp() { mailboxes.certificate.post(.readAgain) }

  func acceptPaused(_ error: NetError) {
    guard loop.now.milliseconds >= noteAcceptFrom else { return }
    noteAcceptFrom = loop.now.milliseconds + ServerLimits.sameNoteMilliseconds
    Log(mailbox: mailboxes.log).note("accept: \(error); who is connected goes on, others wait")
  }

  /// Returns a number that is the same for all messages of a connection, and for no other one.
  func recordName(_ connection: ConnectionID) -> Int64 {
    (Int64(connection.generation) << 6 | Int64(index)) << 20 | Int64(connection.slot)
  }

  // MARK: Peers

  /// Returns the peer of a connection. Nil when the connection has ended.
  func peer(_ connection: ConnectionID) -> Peer? {
    let slot = Int(connection.slot)
    guard slot < peers.count, let peer = peers[slot], peer.connection == connection else {
      return nil
    }
    return peer
  }

  /// Changes a connection's session, and does what it then wants.
  func session(_ connection: ConnectionID, _ happen: (inout Session) -> [SessionEffect]) {
    let slot = Int(connection.slot)
    guard slot < peers.count, peers[slot]?.connection == connection else { return }
    guard let effects = effects(of: happen, slot) else { return }
    perform(effects, connection)
  }

  private func effects(
    of happen: (inout Session) -> [SessionEffect], _ slot: Int
  ) -> [SessionEffect]? {
    guard var peer = peers[slot] else { return nil }
    // The peer is taken out and put back, so that the session is changed in place.
    peers[slot] = nil
    let effects = happen(&peer.session)
    peers[slot] = peer
    return effects
  }

  func setIdentity(_ identity: Identity, _ connection: ConnectionID) {
    peers[Int(connection.slot)]?.identity = identity
    if bySession[identity.session] == nil, !identity.isLink {
      forLedger.append(.connected(identity.session))
    }
    bySession[identity.session, default: []].append(connection)
    counters.counts.add(.signedIn)
    if let end = identity.endsAt {
      tasks.ending.append(connection)
      tasks.firstEnd = [tasks.firstEnd, end].compactMap(\.self).min()
      arm()
    }
    if !identity.isLink { uses.began(identity, at: loop.now.milliseconds) }
  }

  func setReadingMark(_ mark: Int, _ connection: ConnectionID) {
    peers[Int(connection.slot)]?.readingMark = mark
  }

  /// Takes the mark, which the caller must end. Nil when nothing is being read.
  func takeReadingMark(_ connection: ConnectionID) -> Int? {
    guard let mark = peer(connection)?.readingMark else { return nil }
    peers[Int(connection.slot)]?.readingMark = nil
    return mark
  }

  /// Removes a connection from everything but the table.
  func forget(_ connection: ConnectionID, _ peer: Peer) {
    hub.remove(HubConnection(connection))
    endEphemerals(HubConnection(connection))
    if let mark = takeReadingMark(connection) { endReading(mark) }
    guard let session = peer.identity?.session,
      let place = bySession[session]?.firstIndex(of: connection)
    else { return }
    bySession[session]?.remove(at: place)
    counters.counts.add(.signedIn, -1)
    guard bySession[session]?.isEmpty == true else { return }
    bySession[session] = nil
    uses.ended(session)
    if peer.identity?.isLink == false { forLedger.append(.disconnected(session)) }
  }

  /// Tells the ledger which connected sessions are in use, a batch in each turn.
  private func noteUses() {
    let (notes, wait) = uses.due(at: loop.now.milliseconds)
    for note in notes {
      submit(.useSession(note.session, of: note.user, at: now.wall), .nobody)
    }
    useTimer = loop.setTimer(afterMilliseconds: wait)
  }

  func submit(_ work: LedgerWork, _ reply: LedgerReply) {
    forLedger.append(.work(work, reply))
  }

  // MARK: Serving

  /// Sends what is due to the connection, a portion in each turn while it takes bytes.
  func serve(_ connection: ConnectionID) {
    guard let peer = peer(connection), peer.stalled == nil, !peer.session.hasEnded else { return }
    if let over = peer.identity?.endsAt, over <= now.wall {
      return session(connection) { $0.accessEnded() }
    }
    let (effects, more) = hub.serve(HubConnection(connection))
    perform(effects)
    tellPending(HubConnection(connection))
    guard more else { return }
    due.append(connection)
    loop.turnAgain()
  }

  /// Stops sending to a connection that does not take its bytes, until `writable`. When much is due in one turn, it is
  /// written before the turn ends, so that it shows whether the bytes are taken.
  func stallIfFull(_ connection: ConnectionID) {
    if loop.dueBytes(connection) > ServerLimits.pendingBytesMax { loop.write(connection) }
    let pending = loop.pendingBytes(connection)
    guard pending > ServerLimits.pendingBytesMax, peer(connection)?.stalled == nil else { return }
    peers[Int(connection.slot)]?.stalled = (loop.now, pending)
    counters.counts.add(.stalled)
    hub.stall(HubConnection(connection))
    tasks.stalled.append(connection)
    arm()
  }

  func serveLater(_ connection: ConnectionID) {
    tasks.retries.append(connection)
    arm()
  }

  // MARK: Time

  /// The checks that are made now and then, and only while there is something to check.
  private struct LoopTasks {
    static let everyMilliseconds: Int64 = 500
    var timer: TimerID?
    var drainTimer: TimerID?
    /// The connections that have not said hello, and some that have.
    var anonymous: [ConnectionID] = []
    var stalled: [ConnectionID] = []
    /// The connections to be served again after a failed read.
    var retries: [ConnectionID] = []
    /// The connections by links and tokens, which end.
    var ending: [ConnectionID] = []
    /// The moment at which the first of these ends.
    var firstEnd: Timestamp?

    var isEmpty: Bool {
      anonymous.isEmpty && stalled.isEmpty && retries.isEmpty && ending.isEmpty
    }
  }

  private func arm() {
    guard tasks.timer == nil, !tasks.isEmpty else { return }
    tasks.timer = loop.setTimer(afterMilliseconds: LoopTasks.everyMilliseconds)
  }

  private func tick() {
    let now = now
    for connection in tasks.anonymous {
      session(connection) { $0.deadlinePassed(rules, at: now) }
    }
    tasks.anonymous.removeAll { peer($0)?.session.deadline == nil }
    tasks.stalled.removeAll { !isStillStalled($0) }
    endConnections()
    forgetEnded()
    let retries = tasks.retries
    tasks.retries = []
    for connection in retries { serve(connection) }
  }

  /// Ends the connections whose link or token is over. It is called before anything is sent, because neither shows
  /// anything from its end on.
  private func endConnections() {
    guard let end = tasks.firstEnd, end <= now.wall else { return }
    for connection in tasks.ending {
      guard let end = peer(connection)?.identity?.endsAt, end <= now.wall else { continue }
      session(connection) { $0.accessEnded() }
    }
    forgetEnded()
  }

  /// Forgets the connections by a link or a token that have ended or are closed.
  private func forgetEnded() {
    tasks.ending.removeAll { peer($0)?.session.hasEnded ?? true }
    tasks.firstEnd = tasks.ending.compactMap { peer($0)?.identity?.endsAt }.min()
  }

  /// Closes a connection that takes nothing for too long; taking a little is enough to stay. True while it is stalled.
  private func isStillStalled(_ connection: ConnectionID) -> Bool {
    guard let stalled = peer(connection)?.stalled else { return false }
    let pending = loop.pendingBytes(connection)
    if pending < stalled.pendingBytes {
      peers[Int(connection.slot)]?.stalled = (loop.now, pending)
    } else if loop.now.milliseconds - stalled.since.milliseconds > slowMilliseconds {
      session(connection) { $0.tooSlow() }
      return false
    }
    return true
  }
}

extension HubConnection {
  init(_ connection: ConnectionID) {
    self.init(
      UInt64(connection.generation) << 32 | UInt64(UInt32(bitPattern: connection.slot)))
  }
}

extension ConnectionID {
  init(_ connection: HubConnection) {
    self.init(
      slot: Int32(truncatingIfNeeded: connection.value),
      generation: UInt32(truncatingIfNeeded: connection.value >> 32))
  }
}
