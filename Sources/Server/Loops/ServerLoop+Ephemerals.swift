// Things that hold for a moment (protocol §5.5) on this loop: the board decides, the hub knows who follows, the loops
// tell each other. A connection that is catching up or does not take its bytes is told later, and then the newest only.

internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

/// The state that a loop keeps for things that hold for a moment.
struct LoopEphemerals {
  var board: EphemeralBoard
  var pending = PendingTopics()
  var words = RunWords()
  /// The moment at which a timer that was set will fire.
  var wakesAt: Int64?

  /// The time between two tries to tell connections that could not be told.
  static let pendingMilliseconds: Int64 = 500

  init(loop: Int) { board = EphemeralBoard(loop: loop) }
}

extension ServerLoop {
  private var milliseconds: Int64 { loop.now.milliseconds }

  // MARK: News

  func say(
    _ connection: ConnectionID, _ ticket: Ticket, _ identity: Identity, _ request: EphemeralRequest
  ) {
    let outcome = take(HubConnection(connection), identity.user, request)
    session(connection) { $0.finished(ticket, outcome, rules, at: now) }
  }

  private func take(
    _ connection: HubConnection, _ user: UserID, _ request: EphemeralRequest
  ) -> RequestOutcome {
    guard hub.follows(connection, request.stream) else {
      return .failed(.refused(.notFound(request.stream.noun)))
    }
    let failure = ephemerals.board.set(request, by: connection, user, at: milliseconds)
    if let failure { return .failed(failure) }
    if let word = ephemerals.words.word(of: request, by: user, at: milliseconds) {
      mailboxes.ledger.post(.heard(word))
    }
    return .noted
  }

  /// Notes that the connection has begun to follow the stream: it is told what is there as soon as it is level.
  func addPendingEphemerals(_ connection: HubConnection, of stream: StreamID) {
    for topic in ephemerals.board.topics(of: stream) { ephemerals.pending.add(connection, topic) }
  }

  /// Notes that the connection follows the stream no longer, or from the beginning again.
  func endEphemerals(_ connection: HubConnection, of stream: StreamID) {
    ephemerals.board.end(connection, in: stream, at: milliseconds)
    ephemerals.pending.forget(connection, stream)
    if hub.follows(connection, stream) { addPendingEphemerals(connection, of: stream) }
  }

  func endEphemerals(_ connection: HubConnection) {
    ephemerals.board.remove(connection, at: milliseconds)
    ephemerals.pending.forget(connection)
  }

  /// Notes the effects of a commit of the ledger, after the hub has heard of it.
  func noteEphemerals(_ news: StreamNews<SharedFrame>) {
    for edge in news.ended {
      ephemerals.board.ended(edge.user, in: news.stream, at: milliseconds)
    }
    ephemerals.board.closed(news.closed, in: news.stream, at: milliseconds)
    for edge in news.begun {
      for connection in hub.connections(of: edge.user) where hub.follows(connection, news.stream) {
        addPendingEphemerals(connection, of: news.stream)
      }
    }
  }

  // MARK: Telling

  /// Tells what is due, at the end of each turn.
  func tellEphemerals() {
    guard !ephemerals.board.isEmpty || !ephemerals.pending.isEmpty else { return }
    let notes = ephemerals.board.takeNotes()
    if !notes.isEmpty {
      for (other, mailbox) in mailboxes.loops.enumerated() where other != index {
        mailbox.post(.ephemeral(notes))
      }
    }
    for set in ephemerals.board.due(at: milliseconds) { tell(set) }
    if let wakesAt = ephemerals.wakesAt, wakesAt > milliseconds { return setEphemeralTimer() }
    for connection in ephemerals.pending.connections { tellPending(connection) }
    setEphemeralTimer()
  }

  private func tell(_ set: EphemeralSet) {
    let frame = SharedFrame(.text, Push.ephemeral(set))
    let topic = EphemeralTopic(stream: set.stream, kind: set.kind)
    var ready: [HubConnection] = []
    for connection in hub.followers(of: set.stream) {
      if canHear(connection, set.stream) {
        ready.append(connection)
      } else {
        ephemerals.pending.add(connection, topic)
      }
    }
    send(frame, ready)
  }

  /// Pays what is owed to a connection that can be told by now.
  func tellPending(_ connection: HubConnection) {
    guard !ephemerals.pending.isEmpty else { return }
    let topics = ephemerals.pending.take(connection) { canHear(connection, $0.stream) }
    for topic in topics {
      send(SharedFrame(.text, Push.ephemeral(ephemerals.board.set(of: topic))), [connection])
    }
  }

  /// Answers whether a connection can be told now. Under pressure these things are dropped first: none is laid on top
  /// of bytes that nobody takes.
  private func canHear(_ connection: HubConnection, _ stream: StreamID) -> Bool {
    hub.isCurrent(connection, stream) && loop.pendingBytes(ConnectionID(connection)) == 0
  }

  private func setEphemeralTimer() {
    let now = milliseconds
    if let wakesAt = ephemerals.wakesAt, wakesAt <= now { ephemerals.wakesAt = nil }
    let pending = ephemerals.pending.isEmpty ? nil : now + LoopEphemerals.pendingMilliseconds
    guard let next = [ephemerals.board.dueAt, pending].compactMap(\.self).min(),
      ephemerals.wakesAt.map({ next < $0 }) ?? true
    else { return }
    ephemerals.wakesAt = next
    _ = loop.setTimer(afterMilliseconds: max(1, next - now))
  }
}
