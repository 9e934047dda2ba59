// One connection's side of the protocol (protocol: connection states, order of answers).
//
//   anonymous ──hello──▶ ready ──drain──▶ draining ──▶ ended
//       └─ 10 s without hello: 4501; token not valid: 4502; session closed elsewhere: 4506
//
// Every request gets exactly one answer, in the order of the requests (P7). A request stands in a slot until everything
// before it is answered. Commands are handed to the ledger as they come, several at once: the ledger keeps their order.
// A ping needs no other part of the server. Any other request is *exclusive*: it is dispatched when everything before
// it has its outcome, and nothing after it is dispatched before it has its own. So a query sees everything that was
// answered before it, and a request after `hello` or `account.login` meets its effect.
//
// With `Limits.inFlightMax` requests unanswered the socket is not read.

internal import Domain
package import Wire

/// The state machine of one connection. Each method is one thing that can happen. It returns the effects that must be
/// carried out, in order. `now` is the monotonic clock in milliseconds.
package struct Session: Sendable {
  private enum State {
    case anonymous(deadline: Int64)
    case ready(Identity)
    case draining(Identity?)
    case ended
  }

  private struct Slot {
    enum Stage {
      case waiting(RequestEnvelope)
      case dispatched(exclusive: Bool)
      case answered([UInt8], ErrorKind?, then: [SessionEffect])
    }

    let ticket: Ticket
    let id: RequestID?
    let method: Method?
    var stage: Stage
  }

  private var state: State
  private var slots: [Slot] = []
  private var ticketsMade = 0
  private var bucket: TokenBucket
  /// The moment until which everything that has a cost is refused, because the first such request was.
  private var restsUntil = Int64.min
  private var nonsense = 0
  private var paused = false

  package init(_ rules: SessionRules, at now: SessionMoment) {
    state = .anonymous(deadline: now.milliseconds + rules.helloMilliseconds)
    bucket = TokenBucket(rules.rate, at: now.milliseconds)
  }

  /// The user and session of the connection; nil before `hello`.
  package var identity: Identity? {
    switch state {
    case .ready(let identity): identity
    case .draining(let identity): identity
    case .anonymous, .ended: nil
    }
  }

  /// The moment at which `deadlinePassed` is due; nil after `hello`.
  package var deadline: Int64? {
    switch state {
    case .anonymous(let deadline): deadline
    case .ready, .draining, .ended: nil
    }
  }

  /// Whether the session is over, and has no more effects.
  package var hasEnded: Bool {
    switch state {
    case .ended: true
    case .anonymous, .ready, .draining: false
    }
  }

  // MARK: Things that can happen

  /// Takes a text message.
  package mutating func received(
    _ message: Result<RequestEnvelope, RequestError>, _ rules: SessionRules, at now: SessionMoment
  ) -> [SessionEffect] {
    guard !hasEnded else { return [] }
    if let identity, let over = identity.endsAt, over <= now.wall { return end(identity.endCode) }
    switch message {
    case .success(let envelope):
      nonsense = 0
      accept(envelope, rules, at: now)
    case .failure(let error):
      nonsense += error.id == nil ? 1 : 0
      appendAnswer(error.id, error.method, error.failure)
    }
    var effects = advance(at: now)
    if nonsense >= rules.nonsenseMax { effects += end(.protocolAbuse) }
    if !hasEnded, slots.count >= Limits.inFlightMax, !paused {
      paused = true
      effects.append(.pauseReading)
    }
    return effects
  }

  /// Takes a binary message, which this protocol does not have.
  package mutating func receivedBinary() -> [SessionEffect] {
    hasEnded ? [] : end(.unsupportedData)
  }

  /// Takes the outcome of a dispatched request.
  package mutating func finished(
    _ ticket: Ticket, _ outcome: RequestOutcome, _ rules: SessionRules, at now: SessionMoment
  ) -> [SessionEffect] {
    guard !hasEnded, let index = slots.firstIndex(where: { $0.ticket == ticket }),
      let id = slots[index].id
    else { return [] }
    let then = consequences(of: outcome, rules, at: now)
    slots[index].stage = .answered(outcome.encoded(id), outcome.error, then: then)
    return advance(at: now)
  }

  /// Ends a session that has not said hello in time. To be called at `deadline`.
  package mutating func deadlinePassed(_ rules: SessionRules, at now: SessionMoment)
    -> [SessionEffect]
  {
    guard let deadline, deadline <= now.milliseconds else { return [] }
    // A request that is being worked on is not the client's delay.
    guard slots.isEmpty else {
      state = .anonymous(deadline: now.milliseconds + rules.helloMilliseconds)
      return []
    }
    return end(.helloTimeout)
  }

  /// Ends the session, because it was closed, here or elsewhere, or because the password changed.
  package mutating func signedOut() -> [SessionEffect] {
    hasEnded ? [] : end(.signedOut)
  }

  /// Ends a session that looks by a link or acts by a token, because that is over or was taken back.
  package mutating func accessEnded() -> [SessionEffect] {
    hasEnded ? [] : end(identity?.endCode ?? .signedOut)
  }

  /// Ends the session, because its connection took no bytes for too long.
  package mutating func tooSlow() -> [SessionEffect] {
    hasEnded ? [] : end(.slow)
  }

  /// Begins to drain, because the server stops: requests in flight are finished, and nothing new is begun. `push` is
  /// `server.drain`.
  package mutating func drain(_ push: [UInt8], at now: SessionMoment) -> [SessionEffect] {
    switch state {
    case .ended, .draining: return []
    case .anonymous:
      // Nothing is pushed before the answer to hello.
      state = .draining(nil)
      return advance(at: now)
    case .ready(let identity):
      state = .draining(identity)
      return [.push(push)] + advance(at: now)
    }
  }

  // MARK: Slots

  private mutating func accept(
    _ envelope: RequestEnvelope, _ rules: SessionRules, at now: SessionMoment
  ) {
    if slots.contains(where: { $0.id == envelope.id }) {
      appendAnswer(envelope.id, envelope.method, .invalidRequest(.idInFlight))
      return
    }
    // A batch may be more than a small burst: it then waits for a full bucket.
    let cost = min(Int64(envelope.request.cost), rate(rules).burst)
    if cost > 0, let after = wait(for: cost, rules, at: now.milliseconds) {
      appendAnswer(
        envelope.id, envelope.method, .rateLimited(afterMilliseconds: Int(after)))
      return
    }
    appendSlot(envelope.id, envelope.method, .waiting(envelope))
  }

  /// Returns the milliseconds to wait, or nil to go on. The first refused request keeps its place: when its sender
  /// repeats it in time, it comes before all others.
  private mutating func wait(for cost: Int64, _ rules: SessionRules, at now: Int64) -> Int64? {
    if now < restsUntil { return restsUntil - now }
    guard let after = bucket.take(rate(rules), count: cost, at: now) else { return nil }
    restsUntil = now + max(after, rules.restMilliseconds)
    return restsUntil - now
  }

  private func rate(_ rules: SessionRules) -> TokenRate {
    rules.rate(of: identity?.kind ?? .person)
  }

  private mutating func appendAnswer(_ id: RequestID?, _ method: Method?, _ failure: Failure) {
    appendSlot(id, method, .answered(Answer.error(id, failure), failure.kind, then: []))
  }

  private mutating func appendSlot(_ id: RequestID?, _ method: Method?, _ stage: Slot.Stage) {
    ticketsMade += 1
    slots.append(Slot(ticket: Ticket(ticketsMade), id: id, method: method, stage: stage))
  }

  /// Sends the answers that are due and dispatches what may be dispatched.
  private mutating func advance(at now: SessionMoment) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    var index = 0
    // Slots before `index` are dispatched commands; answers leave only while there are none.
    while !hasEnded, index < slots.count {
      switch slots[index].stage {
      case .answered(let bytes, let error, let then):
        guard index == 0 else {
          index += 1
          continue
        }
        let slot = takeFirst()
        effects.append(.answer(bytes, Answered(slot.method, error)))
        effects += then
        if then.contains(where: \.isClose) { state = .ended }
      case .dispatched(let exclusive):
        if exclusive { return effects + resume() }
        index += 1
      case .waiting(let envelope):
        guard dispatch(envelope, at: index, now, &effects) else { return effects + resume() }
      }
    }
    return effects + resume() + finishDraining()
  }

  /// Dispatches or answers the request of a slot. Returns false, and does neither, when the request has to wait.
  private mutating func dispatch(
    _ envelope: RequestEnvelope, at index: Int, _ now: SessionMoment,
    _ effects: inout [SessionEffect]
  ) -> Bool {
    let isExclusive = envelope.request.isExclusive
    let mustWait = slots[..<index].contains { slot in
      if case .dispatched = slot.stage { isExclusive } else { false }
    }
    if mustWait { return false }
    let ticket = slots[index].ticket
    switch order(envelope, ticket, now) {
    case .failure(let failure):
      slots[index].stage = .answered(
        Answer.error(envelope.id, failure), failure.kind, then: [])
    case .success(.answer(let bytes, let then)):
      slots[index].stage = .answered(bytes, nil, then: then)
    case .success(.effect(let effect)):
      slots[index].stage = .dispatched(exclusive: isExclusive)
      effects.append(effect)
    }
    return true
  }

  /// Takes the first slot. An idle connection keeps no room for requests, which would be most of its memory.
  private mutating func takeFirst() -> Slot {
    let slot = slots.removeFirst()
    if slots.isEmpty { slots = [] }
    return slot
  }

  private mutating func resume() -> [SessionEffect] {
    guard paused, !hasEnded, slots.count <= Limits.inFlightMax / 2 else { return [] }
    paused = false
    return [.resumeReading]
  }

  private mutating func finishDraining() -> [SessionEffect] {
    guard case .draining = state, slots.isEmpty else { return [] }
    return end(.drain)
  }

  private mutating func end(_ code: CloseCode) -> [SessionEffect] {
    state = .ended
    slots.removeAll()
    return [.close(code)]
  }

  // MARK: Requests and outcomes

  private enum Order {
    case effect(SessionEffect)
    case answer([UInt8], then: [SessionEffect])
  }

  /// Returns the effect by which a request asks another part of the server, or its answer when it needs none.
  private func order(
    _ envelope: RequestEnvelope, _ ticket: Ticket, _ now: SessionMoment
  ) -> Result<Order, Failure> {
    if case .draining = state { return .failure(.draining) }
    // A token may not call the methods for those who have not said who they are either.
    if let identity, let token = identity.token,
      let failure = envelope.failure(by: token, of: identity.user)
    {
      return .failure(failure)
    }
    switch envelope.request {
    case .ping: return .success(.answer(Answer.ping(envelope.id, time: now.wall), then: []))
    case .about: return .success(.effect(.about(ticket, envelope.id)))
    case .hello(let hello):
      guard identity == nil else {
        return .failure(.invalidRequest(.helloAgain))
      }
      return .success(.effect(.hello(ticket, hello)))
    case .register(let request): return .success(authenticate(ticket, .register(request), envelope))
    case .login(let request): return .success(authenticate(ticket, .login(request), envelope))
    case .recover(let request): return .success(authenticate(ticket, .recover(request), envelope))
    case .pair(let request): return .success(authenticate(ticket, .pair(request), envelope))
    case .guest(let request): return .success(authenticate(ticket, .guest(request), envelope))
    case .open, .close, .changePassword, .logout, .command, .query, .ephemeral, .openPairing,
      .upgrade, .deleteAccount:
      guard let identity else { return .failure(.helloFirst) }
      if identity.isLink, let failure = envelope.failureByLink { return .failure(failure) }
      return .success(order(envelope, ticket, identity))
    }
  }

  private func order(
    _ envelope: RequestEnvelope, _ ticket: Ticket, _ identity: Identity
  ) -> Order {
    switch envelope.request {
    case .open(let cursors): return .effect(.open(ticket, identity, cursors))
    case .close(let streams):
      return .answer(Answer.done(envelope.id), then: [.unwatch(streams)])
    case .changePassword(let request):
      return authenticate(ticket, .changePassword(request, identity), envelope)
    case .openPairing: return authenticate(ticket, .openPairing(identity), envelope)
    case .upgrade(let request): return authenticate(ticket, .upgrade(request, identity), envelope)
    case .deleteAccount(let request):
      return authenticate(ticket, .deleteAccount(request, identity), envelope)
    case .logout: return .effect(.logout(ticket, identity))
    case .command(let command, let key, let base):
      return .effect(
        .submit(
          ticket,
          SessionCommand(
            actor: identity.actor, command: command, key: key, base: base,
            canonical: envelope.canonical)))
    case .query(let query): return .effect(.query(ticket, envelope.id, identity, query))
    case .ephemeral(let request): return .effect(.ephemeral(ticket, identity, request))
    case .ping, .about, .hello, .register, .login, .recover, .pair, .guest:
      preconditionFailure("answered before an identity is asked for")
    }
  }

  private func authenticate(
    _ ticket: Ticket, _ kind: AuthenticationRequest.Kind, _ envelope: RequestEnvelope
  ) -> Order {
    .effect(.ask(ticket, AuthenticationRequest(kind: kind, canonical: envelope.canonical)))
  }

  /// Returns the effects that follow the answer.
  private mutating func consequences(
    of outcome: RequestOutcome, _ rules: SessionRules, at now: SessionMoment
  ) -> [SessionEffect] {
    switch outcome {
    case .welcome(let result, let identity, let followsAll, let attachments):
      if case .anonymous = state { state = .ready(identity) }
      // A bot has a bucket of its own, and a full one: the first bucket is for everybody who says hello. This happens
      // only once, as a second hello is refused.
      if identity.kind == .bot { bucket = TokenBucket(rules.botRate, at: now.milliseconds) }
      let wantsObjects = result.features.contains(.objects)
      return [
        .ready(identity, followsAll: followsAll, wantsObjects: wantsObjects), .watch(attachments),
      ]
    case .opened(let statuses, let attachments):
      // A client drops what is gone. So nothing more of it is told, also if the loop does not know yet that it is gone.
      let gone = statuses.filter { $0.mode == .gone }.map(\.stream)
      return (gone.isEmpty ? [] : [.unwatch(gone)]) + [.watch(attachments)]
    case .loggedOut: return [.close(.normal)]
    case .unwelcome: return [.close(.tokenInvalid)]
    case .registered, .signedIn, .recovered:
      // A client that signs in gets the whole time again to say hello.
      if case .anonymous = state {
        state = .anonymous(deadline: now.milliseconds + rules.helloMilliseconds)
      }
      return []
    case .done, .noted, .answer, .failed, .pairing: return []
    }
  }
}

extension Request {
  /// Whether the request waits for everything before it, and everything after waits for it.
  fileprivate var isExclusive: Bool {
    switch self {
    case .command, .ping, .about: false
    case .hello, .open, .close, .register, .login, .recover, .changePassword, .logout, .query,
      .ephemeral, .openPairing, .pair, .guest, .upgrade, .deleteAccount:
      true
    }
  }
}

extension Identity {
  /// The code with which the connection closes when its time is over.
  fileprivate var endCode: CloseCode { isLink ? .linkEnded : .signedOut }
}

extension SessionEffect {
  fileprivate var isClose: Bool {
    if case .close = self { true } else { false }
  }
}
