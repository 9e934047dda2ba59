// The client's brain: one person's copies of the streams they see, and the requests that are not settled. It is pure:
// bytes, times (monotonic milliseconds) and random numbers come in, `ReplicaEffect`s go out.
//
// Rules (DESIGN §5, protocol §2.4, §5, §10):
//  - copies: an event is applied when it is the next one of the same epoch; anything else that is not a repetition
//    means "ask again with the cursor" (`sync.open`). Pages of a snapshot are gathered and replace the copy when the
//    last one is in. `gone` drops the copy. Nothing else changes a copy.
//  - requests: a request keeps its key until it is answered, and is sent again after a lost connection, in the order in
//    which it was made, when `hello` has been answered. A settled command is told when the copies that we hold contain
//    it, so whoever waited for it sees its effect. A login is the exception: its lost answer is told as lost.
//  - queued commands (`Outbox`): the same holds, but they are kept on disk, survive the program, and are never given
//    up: only a result or a refusal ends one, and `.outbox` tells which.
//  - connection: when it is lost, refused or closed with a code that invites it, we come back after a wait (`Backoff`).
//    A code from 4500 on ends it: only a new sign-in helps.
//
// Without a token there is no `hello`. The connection is then made for the requests that come before it, and is not
// held open when there is none (the server would end it after ten seconds).

package import Domain
package import Wire

/// Copies, requests and the state of the connection; one mutating method for each thing that can happen.
package struct Replica: Sendable {
  enum Phase: Equatable {
    /// No connection is wanted.
    case idle
    case waiting(until: Int64)
    case connecting
    /// The connection is open, without a token.
    case anonymous
    /// The `hello` was sent.
    case greeting
    case live(since: Int64)
  }

  let client: ClientName
  let selection: StreamSelection
  /// The additions that are asked for. The copies are made from events alone.
  let features: [Feature]
  var token: String?
  /// Whether the token is the code of a link.
  let isLink: Bool
  /// The user that `hello` says we are.
  package internal(set) var user: UserID?
  var copies: [StreamID: StreamCopy] = [:]
  var gathering: [StreamID: SnapshotGathering] = [:]
  /// The streams whose `sync.open` is not answered.
  var asked: Set<StreamID> = []
  /// The streams of `hello` that are not level yet; nil when it was told that all are.
  var awaited: Set<StreamID>?
  var requests = RequestQueue()
  var backoff = Backoff()
  var phase = Phase.idle
  /// The reason why there is no token any more.
  var endReason: EndReason?
  var drain: (afterMilliseconds: Int, withinMilliseconds: Int)?

  /// Makes a replica. `token` is that of an earlier login; nil to register or log in first. `streams` selects what to
  /// keep copies of. `saved` and `waiting` are what an earlier replica of this user has left behind.
  package init(
    client: ClientName, token: String?, streams: StreamSelection, saved: SavedCopies? = nil,
    waiting: [QueuedCommand] = [], isLink: Bool = false, features: [Feature] = []
  ) {
    self.features = features
    self.isLink = isLink
    self.client = client
    self.token = token
    selection = streams
    user = saved?.user
    for copy in saved?.copies ?? [] where streams.contains(copy.state.stream) {
      copies[copy.state.stream] = StreamCopy(state: copy.state, cursor: copy.cursor)
    }
    for queued in waiting { requests.add(queued, isKept: true) }
  }

  /// Returns the copy of a stream, if there is one.
  package func state(of stream: StreamID) -> StreamState? { copies[stream]?.state }

  /// Returns the cursor of the copy of a stream, if there is one.
  package func cursor(of stream: StreamID) -> CursorPosition? { copies[stream]?.cursor }

  /// The streams with a copy, in no order.
  package var streams: some Collection<StreamID> { copies.keys }

  /// The number of requests that are not settled.
  package var pendingCount: Int { requests.count }

  // MARK: What can happen

  /// Begins, or tries again at once.
  package mutating func start() -> [ReplicaEffect] {
    switch phase {
    case .idle, .waiting: return hasReasonToConnect ? connect() : []
    case .connecting, .anonymous, .greeting, .live: return []
    }
  }

  /// Takes the token of a login, made here or elsewhere; it is ours from now on.
  package mutating func signIn(token: String) -> [ReplicaEffect] {
    self.token = token
    endReason = nil
    guard phase == .anonymous else { return start() }
    return [sendHello()]
  }

  /// Takes a request of the program. `ticket` comes back with its answer; at once when nobody is signed in and the
  /// request needs that.
  package mutating func submit(_ request: Request, ticket: RequestTicket) -> [ReplicaEffect] {
    guard token != nil || request.needsNoSession else {
      return [.answered(ticket, .failure(.ended(endReason ?? .signedOut)))]
    }
    if case .ephemeral = request, !isLive {
      // It would be about a moment that is over.
      return [.answered(ticket, .failure(.lost))]
    }
    requests.add(request, ticket: ticket)
    return start() + sendRequests()
  }

  /// Takes a command that is kept already. It is sent until it is answered, now or when there is a connection and a
  /// session. Its ticket is its number.
  package mutating func queue(_ queued: QueuedCommand) -> [ReplicaEffect] {
    requests.add(queued)
    return start() + sendRequests()
  }

  /// Takes back what a person has asked for, as long as no server can have received it.
  package mutating func withdraw(_ number: Int64) -> [ReplicaEffect] {
    [.withdrawn(number, requests.withdraw(number))]
  }

  /// Notes that the connection stands.
  package mutating func opened() -> [ReplicaEffect] {
    guard token == nil else { return [sendHello()] }
    phase = .anonymous
    return sendRequests()
  }

  /// Takes one message of the server.
  package mutating func received(_ bytes: [UInt8], now: Int64) -> [ReplicaEffect] {
    do throws(WireError) {
      return try handle(ServerMessage(decoding: bytes), now: now)
    } catch {
      return end(.unreadable) + [.close]
    }
  }

  /// Notes that the connection is gone, or could not be made. `random` is any number.
  package mutating func closed(
    _ ending: Disconnection, now: Int64, random: UInt64
  ) -> [ReplicaEffect] {
    guard phase != .idle else { return [] }
    let wasLiveSince: Int64? = if case .live(let since) = phase { since } else { nil }
    forgetConnection()
    // A hello that the network has held up is nobody's mistake (protocol §12).
    let wasHeldUp =
      phase == .greeting && ending == .closed(code: CloseCode.helloTimeout.rawValue)
    if token != nil, !wasHeldUp, let reason = ending.end { return end(reason) }
    let lost = requests.connectionLost().map { ReplicaEffect.answered($0, .failure(.lost)) }
    guard hasReasonToConnect else {
      phase = .idle
      return lost
    }
    let wait = backoff.delay(wasLiveSince: wasLiveSince, now: now, drain: drain, random: random)
    drain = nil
    phase = .waiting(until: now + wait)
    return lost + [.standing(.offline(ending, retryMilliseconds: wait)), .wake(at: now + wait)]
  }

  /// Notes that a moment has come for which `.wake` asked.
  package mutating func woke(now: Int64) -> [ReplicaEffect] {
    if case .waiting(let until) = phase {
      return now >= until ? connect() : [.wake(at: until)]
    }
    requests.release(now: now)
    return sendRequests() + nextWake()
  }

  // MARK: Parts of them

  private var isLive: Bool {
    if case .live = phase { true } else { false }
  }

  private var hasReasonToConnect: Bool { token != nil || requests.wantsNoSession }

  private mutating func connect() -> [ReplicaEffect] {
    phase = .connecting
    return [.standing(.connecting), .connect]
  }

  private mutating func sendHello() -> ReplicaEffect {
    phase = .greeting
    let cursors = copies.keys.sorted().map { Cursor(stream: $0, position: copies[$0]?.cursor) }
    let hello = Hello(
      token: isLink ? "" : token ?? "", client: client, cursors: cursors, streams: selection,
      features: features.map(\.rawValue), link: isLink ? token : nil)
    return message(.hello(hello), requests.own(.hello))
  }

  func message(_ request: Request, _ id: RequestID) -> ReplicaEffect {
    .send(request.encoded(id: id), hasSecret: request.hasSecret)
  }

  func nextWake() -> [ReplicaEffect] {
    requests.nextRelease.map { [.wake(at: $0)] } ?? []
  }

  /// Sends the requests that may be sent now.
  mutating func sendRequests() -> [ReplicaEffect] {
    switch phase {
    case .anonymous: return requests.take(beforeHello: true).map(message)
    case .live: return requests.take(beforeHello: false).map(message)
    case .idle, .waiting, .connecting, .greeting: return []
    }
  }

  private mutating func forgetConnection() {
    gathering = [:]
    asked = []
    awaited = nil
  }

  /// Ends the session: nothing is tried any more, and whoever waits is told.
  mutating func end(_ reason: EndReason) -> [ReplicaEffect] {
    phase = .idle
    token = nil
    endReason = reason
    forgetConnection()
    let failed = requests.failAll().map { ReplicaEffect.answered($0, .failure(.ended(reason))) }
    return failed + [.standing(.ended(reason))]
  }

  private mutating func handle(
    _ message: ServerMessage, now: Int64
  ) throws(WireError) -> [ReplicaEffect] {
    switch message {
    case .result(let id, let node): return try resulted(id, node, now: now)
    case .error(let id, let error): return failed(id, error, now: now)
    case .events(let push): return apply(push)
    case .snapshot(let page): return gather(page)
    case .objects: return []
    case .live(let stream, _, _): return level(stream)
    case .gone(let stream): return drop(stream)
    case .ephemeral(let set): return [.ephemeral(set)]
    case .drain(let after, let within):
      drain = (after, within)
      return []
    case .unknown: return []
    }
  }
}

extension StreamSelection {
  /// Answers whether a stream is among those asked for.
  func contains(_ stream: StreamID) -> Bool {
    switch self {
    case .all: true
    case .none: false
    case .only(let streams): streams.contains(stream)
    }
  }
}
