// One loop: its sessions and its hub, and what they order. It mirrors Server/Loops and keeps its rules about reading
// marks and about answers before news.

import Domain
import Sync
import Wire

final class SimLoop {
  private struct Peer {
    var session: Session
    var identity: Identity?
    var readingMark: Int?
    var stalled: (since: Int64, pending: Int)?
    /// The turn of the loop in which the connection stalled.
    var stalledInTurn = 0
  }

  unowned let server: SimServer
  let index: Int
  private(set) var hub = Hub<[UInt8]>()
  private var peers: [Int: Peer] = [:]
  private var bySession: [SessionID: [Int]] = [:]
  private var closedWhileReading: Set<SessionID> = []
  private var readingCount = 0
  private var box: [LoopMessage] = []
  private var isCalled = false
  private var due: [Int] = []
  private var retries: [Int] = []
  private var ticks = false
  private var turns = 0
  private var forLedger: [(LedgerWork, LedgerReply)] = []
  var moments: SimMoments

  init(_ index: Int, _ server: SimServer) {
    self.index = index
    self.server = server
    moments = SimMoments(loop: index)
  }

  var world: Simulation { server.world }
  private var now: SessionMoment { world.moment }
  private var rules: SessionRules { SimRules.session }

  var isEmpty: Bool { peers.isEmpty }

  // MARK: What can happen

  func post(_ message: LoopMessage) {
    box.append(message)
    call()
  }

  private func call() {
    guard !isCalled else { return }
    isCalled = true
    world.schedule(after: world.random.between(0, 3), .loopTurn(server.generation, index))
  }

  func turn() {
    isCalled = false
    let (messages, connections) = (box, due)
    (box, due) = ([], [])
    endConnections()
    for message in messages {
      switch message {
      case .batch(let batch): take(batch)
      case .outcome(let to, let outcome): finish(to, outcome)
      case .read(let read, let answer):
        perform(hub.answered(read, answer), isRead: true)
        serve(Int(read.connection.value))
      case .moments(let notes): moments.board.take(notes, at: world.time)
      }
    }
    for connection in connections { serve(connection) }
    turnEnded()
  }

  func opened(_ link: Int) {
    peers[link] = Peer(session: Session(rules, at: now))
    arm()
  }

  func received(_ link: Int, _ bytes: [UInt8]) {
    let message = Result { () throws(RequestError) in try RequestEnvelope(decoding: bytes) }
    session(link) { $0.received(message, rules, at: now) }
    turnEnded()
  }

  func writable(_ link: Int) {
    guard peers[link]?.stalled != nil else { return }
    peers[link]?.stalled = nil
    hub.resume(HubConnection(UInt64(link)))
    serve(link)
    turnEnded()
  }

  func closed(_ link: Int) {
    guard let gone = peers[link] else { return }
    forget(link, gone)
    peers[link] = nil
  }

  func drain() {
    let push = Push.drain(afterMilliseconds: 0, withinMilliseconds: 1_000)
    for link in peers.keys.sorted() { session(link) { $0.drain(push, at: now) } }
    turnEnded()
  }

  func tick() {
    ticks = false
    endConnections()
    for link in peers.keys.sorted() {
      if peers[link]?.session.deadline != nil {
        session(link) { $0.deadlinePassed(rules, at: now) }
      }
      if let stalled = peers[link]?.stalled { look(link, stalled) }
    }
    let again = retries
    retries = []
    for link in again { serve(link) }
    turnEnded()
    arm()
  }

  private func look(_ link: Int, _ stalled: (since: Int64, pending: Int)) {
    let pending = world.pendingBytes(link)
    if pending < stalled.pending {
      peers[link]?.stalled = (now.milliseconds, pending)
    } else if now.milliseconds - stalled.since > SimRules.slowMilliseconds {
      session(link) { $0.tooSlow() }
    }
  }

  private func arm() {
    let isNeeded =
      !retries.isEmpty
      || peers.values.contains {
        $0.stalled != nil || $0.session.deadline != nil || $0.identity?.isLink == true
      }
    guard !ticks, isNeeded else { return }
    ticks = true
    world.schedule(after: 500, .loopTick(server.generation, index))
  }

  func turnEnded() {
    turns += 1
    endConnections()
    tellMoments()
    if !due.isEmpty { call() }
    let works = forLedger
    forLedger = []
    for (work, reply) in works { server.post(work, reply) }
  }

  // MARK: Sessions

  private func session(_ link: Int, _ happen: (inout Session) -> [SessionEffect]) {
    guard var peer = peers[link] else { return }
    let effects = happen(&peer.session)
    peers[link]?.session = peer.session
    for effect in effects { perform(effect, link) }
  }

  private func perform(_ effect: SessionEffect, _ link: Int) {
    switch effect {
    case .answer(let bytes, _), .push(let bytes): world.sendDown(link, bytes)
    case .submit(let ticket, let command): submit(command, link, ticket)
    case .ask(let ticket, let request): server.visit(reply(link, ticket), request)
    case .hello(let ticket, let hello):
      beginReading(link)
      server.reader(ofLink: link).post(.hello(reply(link, ticket), hello))
    case .open(let ticket, let identity, let cursors):
      beginReading(link)
      server.reader(ofLink: link).post(.open(reply(link, ticket), identity, cursors))
    case .query(let ticket, let id, let identity, let query):
      server.reader(ofLink: link).post(.query(reply(link, ticket), id, identity, query))
    case .logout(let ticket, let identity):
      forLedger.append(
        (.closeSession(identity.session, of: identity.user), .logout(reply(link, ticket))))
    case .about(let ticket, let id):
      let about = ServerAbout(
        server: ServerName(name: "simulated", version: "1"), registrationIsOpen: true, privacy: nil)
      finish(reply(link, ticket), .answer(Answer.about(id, about)))
    case .ephemeral(let ticket, let identity, let request):
      finish(reply(link, ticket), say(link, identity.user, request))
    case .ready(let identity, let followsAll, let wantsObjects):
      ready(link, identity, followsAll: followsAll, wantsObjects: wantsObjects)
    case .watch(let attachments):
      for attachment in attachments {
        hub.attach(HubConnection(UInt64(link)), attachment)
        addPendingMoments(link, of: attachment.stream)
      }
      serve(link)
      endLinkIfOut(link)
    case .unwatch(let streams):
      for stream in streams {
        hub.detach(HubConnection(UInt64(link)), stream)
        endMoments(link, of: stream)
      }
      endLinkIfOut(link)
    case .pauseReading: world.pause(link)
    case .resumeReading: world.unpause(link)
    case .close(let code):
      if let peer = peers[link] { forget(link, peer) }
      world.closeDown(link, code)
    }
  }

  private func reply(_ link: Int, _ ticket: Ticket) -> ReplyAddress {
    ReplyAddress(loop: index, connection: Int64(link), ticket: ticket)
  }

  private func submit(_ it: SessionCommand, _ link: Int, _ ticket: Ticket) {
    let hash = Digest.of(it.canonical)
    world.truth.submitted(
      KeyAddress(
        stream: it.command.home(of: it.actor.user), actor: it.actor.user, key: it.key),
      on: link)
    forLedger.append(
      (
        .command(
          Submission(
            actor: it.actor, command: it.command, key: it.key, hash: hash,
            base: it.base)),
        .command(reply(link, ticket))
      ))
  }

  private func ready(
    _ link: Int, _ identity: Identity, followsAll: Bool, wantsObjects: Bool
  ) {
    peers[link]?.identity = identity
    if bySession[identity.session] == nil { server.connected(identity.session) }
    bySession[identity.session, default: []].append(link)
    let entered = hub.add(
      HubConnection(UInt64(link)), user: identity.user, followsAll: followsAll,
      token: identity.token, wantsObjects: wantsObjects)
    for stream in entered { addPendingMoments(link, of: stream) }
    if identity.isLink { arm() }
    if closedWhileReading.contains(identity.session) { session(link) { $0.signedOut() } }
  }

  private func forget(_ link: Int, _ peer: Peer) {
    hub.remove(HubConnection(UInt64(link)))
    endMoments(link)
    if let mark = takeReadingMark(link) { endReading(mark) }
    guard let session = peer.identity?.session,
      let place = bySession[session]?.firstIndex(of: link)
    else { return }
    bySession[session]?.remove(at: place)
    guard bySession[session]?.isEmpty == true else { return }
    bySession[session] = nil
    server.disconnected(session)
  }

  // MARK: Reading marks

  private func beginReading(_ link: Int) {
    readingCount += 1
    peers[link]?.readingMark = hub.beginReading()
  }

  private func takeReadingMark(_ link: Int) -> Int? {
    guard let mark = peers[link]?.readingMark else { return nil }
    peers[link]?.readingMark = nil
    return mark
  }

  private func endReading(_ mark: Int) {
    hub.endReading(mark)
    readingCount -= 1
    if readingCount == 0 { closedWhileReading.removeAll() }
  }

  // MARK: Outcomes and news

  private func finish(_ to: ReplyAddress, _ outcome: RequestOutcome) {
    let link = Int(to.connection)
    let mark = takeReadingMark(link)
    session(link) { $0.finished(to.ticket, outcome, rules, at: now) }
    if let mark { endReading(mark) }
  }

  private func take(_ batch: SimBatch) {
    for answer in batch.answers { finish(answer.to, answer.outcome) }
    for item in batch.news { note(item) }
    var toServe: [HubConnection] = []
    for piece in batch.news.flatMap(\.pieces) {
      let (effects, serve) = hub.publish([piece])
      perform(effects)
      toServe += serve
    }
    for item in batch.news {
      noteMoments(item)
      let out = item.ended.flatMap { hub.connections(of: $0.user) }
      for connection in out { endLinkIfOut(Int(connection.value)) }
    }
    for connection in toServe { serve(Int(connection.value)) }
    for id in batch.closedSessions {
      if readingCount > 0 { closedWhileReading.insert(id) }
      for link in bySession[id] ?? [] { session(link) { $0.signedOut() } }
    }
  }

  /// Counts when somebody is put out while something is on its way to them, and when others are served while a
  /// connection takes nothing.
  private func note(_ item: StreamNews<[UInt8]>) {
    for edge in item.ended {
      let isBehind = peers.contains { link, peer in
        peer.identity?.user == edge.user
          && (peer.stalled != nil || peer.readingMark != nil || world.pendingBytes(link) > 0)
      }
      if isBehind { world.count(.p9Behind) }
    }
    if peers.values.contains(where: { $0.stalled != nil }) { world.count(.p11Others) }
  }

  /// Carries out effects. `isRead` marks what a reader was asked for before the connection stalled.
  private func perform(_ effects: [HubEffect<[UInt8]>], isRead: Bool = false) {
    for effect in effects {
      switch effect {
      case .send(let frame, let connections):
        for connection in connections { send(frame, Int(connection.value), isRead) }
      case .sendObjects(let stream, let epoch, let objects, let connections):
        for push in objects.pushes(of: stream, epoch: epoch) {
          for connection in connections { send(push, Int(connection.value), isRead) }
        }
      case .read(let read): server.reader(of: read.stream).post(.watch(loop: index, read))
      case .tellLive(let connection, let stream, let epoch, let seq):
        world.sendDown(Int(connection.value), Push.live(stream, epoch: epoch, seq: seq))
      case .tellGone(let connection, let stream):
        world.sendDown(Int(connection.value), Push.gone(stream))
        endMoments(Int(connection.value), of: stream)
        // A link has nothing else to look at.
        if peers[Int(connection.value)]?.identity?.isLink == true {
          session(Int(connection.value)) { $0.accessEnded() }
        }
      case .serveLater(let connection):
        retries.append(Int(connection.value))
        arm()
      }
    }
  }

  /// Ends the connection of a link that is over and follows nothing.
  private func endLinkIfOut(_ link: Int) {
    guard peers[link]?.identity?.isLink == true, hub.isOut(HubConnection(UInt64(link))) else {
      return
    }
    session(link) { $0.accessEnded() }
  }

  /// Ends the connections whose link or token is over, because neither shows anything after its end.
  private func endConnections() {
    for link in peers.keys.sorted() {
      guard let end = peers[link]?.identity?.endsAt, end <= now.wall else { continue }
      session(link) { $0.accessEnded() }
    }
  }

  func send(_ frame: [UInt8], _ link: Int, _ isRead: Bool = false) {
    if let end = peers[link]?.identity?.endsAt, end <= now.wall {
      world.fail("P9 somebody is shown something by a link or a token that is over")
    }
    // Frames that were ordered together still leave together.
    if let peer = peers[link], peer.stalled != nil, peer.stalledInTurn < turns, !isRead {
      world.fail("P11 a stalled connection is sent more")
    }
    world.sendDown(link, frame)
    let pending = world.pendingBytes(link)
    guard pending > SimRules.pendingBytesMax, peers[link]?.stalled == nil else { return }
    world.count(.p11Stalled)
    peers[link]?.stalled = (now.milliseconds, pending)
    peers[link]?.stalledInTurn = turns
    hub.stall(HubConnection(UInt64(link)))
    arm()
  }

  private func serve(_ link: Int) {
    guard let peer = peers[link], peer.stalled == nil, !peer.session.hasEnded else { return }
    if let end = peer.identity?.endsAt, end <= now.wall {
      return session(link) { $0.accessEnded() }
    }
    let (effects, more) = hub.serve(HubConnection(UInt64(link)))
    perform(effects)
    tellPending(link)
    if more { due.append(link) }
  }
}
