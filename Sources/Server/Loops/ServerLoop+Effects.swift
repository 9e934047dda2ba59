// Does what sessions and the hub order.

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

extension ServerLoop {
  // MARK: Sessions

  func perform(_ effects: [SessionEffect], _ connection: ConnectionID) {
    for effect in effects { perform(effect, connection) }
  }

  private func perform(_ effect: SessionEffect, _ connection: ConnectionID) {
    switch effect {
    case .answer(let bytes, let answered):
      counters.requests.add(RequestCount(answered))
      send(bytes, connection, hasSecret: answered.method?.row.answersWithSecret ?? false)
    case .push(let bytes): send(bytes, connection)
    case .submit(let ticket, let command):
      submit(command, reply(connection, ticket))
    case .ask(let ticket, let request):
      let address = peer(connection)?.address.prefix
      mailboxes.authenticator.post(.visit(reply(connection, ticket), request, from: address))
    case .hello(let ticket, let hello): greet(connection, ticket, hello)
    case .open(let ticket, let identity, let cursors):
      open(connection, ticket, identity, cursors)
    case .query(let ticket, let id, let identity, let query):
      mailboxes.reader(of: connection, asking: query, as: identity.user)
        .post(.query(reply(connection, ticket), id, identity, query))
    case .logout(let ticket, let identity):
      submit(
        .closeSession(identity.session, of: identity.user), .logout(reply(connection, ticket)))
    case .about(let ticket, let id):
      session(connection) { $0.finished(ticket, .answer(Answer.about(id, about)), rules, at: now) }
    case .ephemeral(let ticket, let identity, let request):
      say(connection, ticket, identity, request)
    case .ready(let identity, let followsAll, let wantsObjects):
      ready(connection, identity, followsAll: followsAll, wantsObjects: wantsObjects)
    case .watch(let attachments): watch(connection, attachments)
    case .unwatch(let streams):
      for stream in streams {
        hub.detach(HubConnection(connection), stream)
        endEphemerals(HubConnection(connection), of: stream)
      }
      endLinkIfOut(connection)
    case .pauseReading: loop.pauseReading(connection)
    case .resumeReading: loop.resumeReading(connection)
    case .close(let code): close(connection, code)
    }
  }

  private func reply(_ connection: ConnectionID, _ ticket: Ticket) -> ReplyAddress {
    ReplyAddress(loop: index, connection: connection.number, ticket: ticket)
  }

  func submit(_ command: SessionCommand, _ to: ReplyAddress) {
    submit(
      .command(
        Submission(
          actor: command.actor, command: command.command, key: command.key,
          hash: sha256(command.canonical), base: command.base)),
      .command(to))
  }

  private func send(_ bytes: [UInt8], _ connection: ConnectionID, hasSecret: Bool = false) {
    recorder?.record(.sent, bytes, recordName(connection))
    loop.send(.text, bytes, to: connection, compressible: !hasSecret)
  }

  private func close(_ connection: ConnectionID, _ code: Wire.CloseCode) {
    counters.ended(code)
    if let peer = peer(connection) { forget(connection, peer) }
    loop.close(connection, WebSocket.CloseCode(rawValue: code.rawValue), reason: code.reason)
  }

  private func greet(_ connection: ConnectionID, _ ticket: Ticket, _ hello: Hello) {
    beginReading(connection)
    mailboxes.reader(of: connection).post(.hello(reply(connection, ticket), hello))
  }

  private func open(
    _ connection: ConnectionID, _ ticket: Ticket, _ identity: Identity, _ cursors: [Cursor]
  ) {
    let watches = hub.watches(of: HubConnection(connection))
    guard watches + cursors.count <= Limits.subscriptionsMax else {
      let quota = Refusal.quota(limit: "subscriptions", max: Limits.subscriptionsMax)
      session(connection) { $0.finished(ticket, .failed(.refused(quota)), rules, at: now) }
      return
    }
    beginReading(connection)
    mailboxes.reader(of: connection)
      .post(.open(reply(connection, ticket), identity, cursors))
  }

  private func ready(
    _ connection: ConnectionID, _ identity: Identity, followsAll: Bool, wantsObjects: Bool
  ) {
    setIdentity(identity, connection)
    let entered = hub.add(
      HubConnection(connection), user: identity.user, followsAll: followsAll,
      token: identity.token, wantsObjects: wantsObjects)
    for stream in entered { addPendingEphemerals(HubConnection(connection), of: stream) }
    if closedWhileReading.contains(identity.session) {
      session(connection) { $0.signedOut() }
    }
  }

  private func watch(_ connection: ConnectionID, _ attachments: [Attachment]) {
    for attachment in attachments {
      hub.attach(HubConnection(connection), attachment)
      addPendingEphemerals(HubConnection(connection), of: attachment.stream)
    }
    serve(connection)
    endLinkIfOut(connection)
  }

  /// Tells the end to a connection that looks by a link, when the link is over and it follows nothing. Nothing else
  /// would tell it.
  private func endLinkIfOut(_ connection: ConnectionID) {
    guard peer(connection)?.identity?.isLink == true, hub.isOut(HubConnection(connection)) else {
      return
    }
    session(connection) { $0.accessEnded() }
  }

  // MARK: Reading marks

  private func beginReading(_ connection: ConnectionID) {
    readingCount += 1
    setReadingMark(hub.beginReading(), connection)
  }

  func endReading(_ mark: Int) {
    hub.endReading(mark)
    readingCount -= 1
    if readingCount == 0 { closedWhileReading.removeAll() }
  }

  // MARK: Outcomes and news

  func finish(_ to: ReplyAddress, _ outcome: RequestOutcome) {
    if finishedHook(to, outcome) { return }
    // The mark is taken before the session goes on, which may begin the next reading at once.
    let connection = ConnectionID(number: to.connection)
    let mark = takeReadingMark(connection)
    let outcome = withinLimits(outcome)
    session(connection) { $0.finished(to.ticket, outcome, rules, at: now) }
    // The streams that were read are attached now, or never will be.
    if let mark { endReading(mark) }
  }

  /// Refuses a connection by a link that has as many as it may have.
  private func withinLimits(_ outcome: RequestOutcome) -> RequestOutcome {
    guard case .welcome(let result, _, _, _) = outcome, result.link != nil,
      hub.connections(of: result.user).count >= rules.linkConnectionsMax
    else { return outcome }
    return .failed(.refused(.quota(limit: "linkConnections", max: rules.linkConnectionsMax)))
  }

  /// Takes a batch, answers first: a client that signs out or ends its own session is answered before it is closed.
  func take(_ batch: LedgerBatch) {
    for answer in batch.answers { finish(answer.to, answer.outcome) }
    publish(batch.news)
    for session in batch.closedSessions { endSession(session) }
  }

  /// Publishes push by push, so that a connection that does not take one is not given the next (P11).
  private func publish(_ news: [StreamNews<SharedFrame>]) {
    var toServe: [HubConnection] = []
    for piece in news.lazy.flatMap(\.pieces) {
      let (effects, serve) = hub.publish([piece])
      perform(effects)
      toServe += serve
    }
    for item in news {
      noteEphemerals(item)
      let out = item.ended.flatMap { hub.connections(of: $0.user) }
      for connection in out { endLinkIfOut(ConnectionID(connection)) }
    }
    for connection in toServe { serve(ConnectionID(connection)) }
  }

  private func endSession(_ id: SessionID) {
    if readingCount > 0 { closedWhileReading.insert(id) }
    for connection in bySession[id] ?? [] { session(connection) { $0.signedOut() } }
  }

  // MARK: Hub

  func perform(_ effects: [HubEffect<SharedFrame>]) {
    for effect in effects {
      switch effect {
      case .send(let frame, let connections): send(frame, connections)
      case .sendObjects(let stream, let epoch, let objects, let connections):
        for push in objects.pushes(of: stream, epoch: epoch) {
          send(SharedFrame(.text, push), connections)
        }
      case .read(let read):
        mailboxes.reader(of: read.stream).post(.watch(loop: index, read))
      case .tellLive(let connection, let stream, let epoch, let seq):
        send(Push.live(stream, epoch: epoch, seq: seq), ConnectionID(connection))
      case .tellGone(let connection, let stream):
        send(Push.gone(stream), ConnectionID(connection))
        endEphemerals(connection, of: stream)
        // The connection has nothing else to look at.
        if peer(ConnectionID(connection))?.identity?.isLink == true {
          session(ConnectionID(connection)) { $0.accessEnded() }
        }
      case .serveLater(let connection): serveLater(ConnectionID(connection))
      }
    }
  }

  func send(_ frame: SharedFrame, _ connections: [HubConnection]) {
    for name in connections {
      let connection = ConnectionID(name)
      recorder?.record(frame, recordName(connection))
      loop.send(frame, to: connection)
      stallIfFull(connection)
    }
  }
}
