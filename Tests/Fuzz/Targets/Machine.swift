// A whole connection of the server without its socket: head, upgrade, frames, messages, session. An input
// is two knobs and a client's bytes.
//
//   knob 0   bit 0: the stream begins behind the handshake; bit 1: and behind a successful `hello`
//   knob 1   how the stream is cut, when outcomes come back and which
//
// Promises: the same bytes go out however the stream is cut. Every message that was heard has exactly one answer, in
// order, that a client can read. A session that reads no more has something in flight. After the close nothing is
// answered.

import Domain
import Sync
import TestRandom
import WebSocket
import Wire

func fuzzMachine(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 2) else { return }
  var first: [UInt8]?
  for pieces in input.stream.cuts(seed: input.knobs[1]) {
    var machine = try ServerMachine(
      isUpgraded: input.knobs[0] & 1 != 0, isReady: input.knobs[0] & 2 != 0, seed: input.knobs[1])
    for piece in pieces { try machine.receive(piece) }
    try machine.finishAll()
    try promiseEqual(machine.output, first ?? machine.output, "what is sent to other pieces")
    first = machine.output
  }
}

/// The parts of the server that stand behind one socket.
struct ServerMachine {
  private(set) var output: [UInt8] = []
  private var head: HTTPHeadReader? = HTTPHeadReader()
  private var frames = WebSocketConnection(role: .server, messageBytesMax: 256 * 1024)
  private var session: Session
  private let rules = SessionRules()
  private var isOver = false
  /// Whether the session has had its last effect.
  private var hasClosed = false
  private var isPaused = false
  /// The bytes that were read while it was paused.
  private var stash: [UInt8] = []
  private var inFlight: [(ticket: Ticket, outcome: RequestOutcome)] = []
  /// The ids of the messages that were heard and not answered.
  private var unanswered: [RequestID?] = []
  private var choices: SeededRandom
  private var milliseconds: Int64 = 0

  init(isUpgraded: Bool, isReady: Bool, seed: UInt8) throws(Finding) {
    choices = SeededRandom(seed: UInt64(seed))
    session = Session(rules, at: SessionMoment(milliseconds: 0, wall: wall))
    guard isUpgraded else { return }
    head = nil
    guard isReady else { return }
    let hello = Hello(
      token: "t", client: ClientName(name: "fuzz", version: "1"), cursors: [], streams: .all)
    let envelope = RequestEnvelope(
      id: .text("hello"), method: .connection(.hello), request: .hello(hello), canonical: [])
    try hear(.success(envelope), id: envelope.id)
    try finishAll()
  }

  private var now: SessionMoment {
    SessionMoment(
      milliseconds: milliseconds, wall: Timestamp(milliseconds: wall.milliseconds + milliseconds))
  }

  // MARK: Bytes

  mutating func receive(_ piece: ArraySlice<UInt8>) throws(Finding) {
    if isPaused {
      stash += piece
      return
    }
    var buffer = Array(piece)
    var position = 0
    if head != nil { readHead(buffer, &position) }
    while head == nil, !isOver, !isPaused, position < buffer.count {
      try readFrame(&buffer, &position)
    }
    if isPaused { stash += buffer[position...] }
  }

  private mutating func readHead(_ buffer: [UInt8], _ position: inout Int) {
    guard !isOver else { return }
    do throws(HTTPFault) {
      guard
        let bytes = try head?.next(in: buffer.span, at: &position, end: buffer.count)
      else { return }
      let request = try HTTPRequest(head: bytes)
      switch request.upgrade(subprotocols: Subprotocols(["whattodo.v1"], areRequired: true)) {
      case .accepted(let upgrade):
        upgrade.write(accept: upgrade.key, to: &output)
        head = nil
      case .refused(let reply): end(reply)
      }
    } catch {
      end(.refusal(error))
    }
  }

  private mutating func end(_ reply: HTTPReply) {
    reply.write(to: &output, keepsAlive: false)
    isOver = true
  }

  private mutating func readFrame(_ buffer: inout [UInt8], _ position: inout Int) throws(Finding) {
    var span = buffer.mutableSpan
    let end = span.count
    switch frames.next(in: &span, at: &position, end: end) {
    case .needMore: break
    case .message(let kind, let range): try hear(kind, range.map { span[$0] })
    case .joinedMessage(let kind, let payload): try hear(kind, payload)
    case .ping(let payload): frames.writePong(payload, to: &output)
    case .pong: break
    case .closed(let notice):
      frames.writeClose(notice.code, to: &output)
      isOver = true
    case .failed(let fault):
      frames.writeClose(fault.closeCode, reason: fault.sentence, to: &output)
      isOver = true
    }
  }

  // MARK: Messages

  private mutating func hear(_ kind: MessageKind, _ payload: [UInt8]) throws(Finding) {
    try promise(!hasClosed, "a message was heard after the close")
    milliseconds += Int64(choices.below(120))
    guard kind == .text else {
      try perform(session.receivedBinary())
      return
    }
    let message = Result { () throws(RequestError) in try RequestEnvelope(decoding: payload) }
    switch message {
    case .success(let envelope): try hear(message, id: envelope.id)
    case .failure(let error): try hear(message, id: error.id)
    }
    for _ in 0..<choices.below(3) { try finishOne() }
    // The loop reads on only after the session says so.
    while isPaused { try finishOne() }
  }

  private mutating func hear(
    _ message: Result<RequestEnvelope, RequestError>, id: RequestID?
  ) throws(Finding) {
    unanswered.append(id)
    try perform(session.received(message, rules, at: now))
    try promise(unanswered.count <= Limits.inFlightMax, "\(unanswered.count) requests in flight")
  }

  /// Gives some request in flight its outcome.
  private mutating func finishOne() throws(Finding) {
    guard !inFlight.isEmpty else {
      try promise(!isPaused, "nothing is in flight, and yet the socket is not read")
      return
    }
    let (ticket, outcome) = inFlight.remove(at: choices.below(inFlight.count))
    try perform(session.finished(ticket, outcome, rules, at: now))
  }

  /// Finishes all requests: the client says nothing more and waits.
  mutating func finishAll() throws(Finding) {
    while !inFlight.isEmpty { try finishOne() }
    try promise(hasClosed || unanswered.isEmpty, "\(unanswered.count) requests without an answer")
    try promise(stash.isEmpty, "bytes were read and not looked at")
  }

  private mutating func perform(_ effects: [SessionEffect]) throws(Finding) {
    for effect in effects {
      try promise(!hasClosed, "an effect after the close: \(effect)")
      switch effect {
      case .answer(let bytes, let answered): try send(bytes, answered)
      case .push(let bytes):
        throw Finding(sentence: "a push of \(String(decoding: bytes, as: UTF8.self))")
      case .submit(let ticket, _): start(ticket, .done(CommandResult(changed: true)))
      case .ask(let ticket, let request): start(ticket, outcome(of: request))
      case .hello(let ticket, _): start(ticket, welcome)
      case .open(let ticket, _, _): start(ticket, .opened([], []))
      case .query(let ticket, let id, _, _): start(ticket, .answer(Answer.done(id)))
      case .logout(let ticket, _): start(ticket, .loggedOut)
      case .about(let ticket, let id): start(ticket, .answer(Answer.done(id)))
      case .ephemeral(let ticket, _, _): start(ticket, .noted)
      case .ready, .watch, .unwatch: break
      case .pauseReading:
        try promise(!isPaused, "paused twice")
        isPaused = true
      case .resumeReading:
        try promise(isPaused, "resumed without a pause")
        isPaused = false
      case .close(let code):
        hasClosed = true
        inFlight = []
        isPaused = false
        frames.writeClose(WebSocket.CloseCode(rawValue: code.rawValue), to: &output)
      }
    }
    try promise(!hasClosed || session.hasEnded, "a session that goes on after its close")
  }

  private mutating func send(_ bytes: [UInt8], _ answered: Answered) throws(Finding) {
    try promise(!unanswered.isEmpty, "an answer that nobody asked for")
    let expected = unanswered.removeFirst()
    switch serverMessage(bytes) {
    case .result(let id, _):
      try promiseEqual(id, expected, "whose answer it is")
      try promiseEqual(answered.error, nil, "the error that is counted")
    case .error(let id, let error):
      try promiseEqual(id, expected, "whose error it is")
      try promiseEqual(answered.error, error.kind, "the error that is counted")
    case .events, .snapshot, .objects, .live, .gone, .ephemeral, .drain, .unknown, nil:
      throw Finding(sentence: "no answer: \(String(decoding: bytes, as: UTF8.self))")
    }
    if head == nil { frames.writeMessage(.text, bytes.span, to: &output) }
  }

  private mutating func start(_ ticket: Ticket, _ outcome: RequestOutcome) {
    let isRefused = choices.below(4) == 0
    inFlight.append((ticket, isRefused ? .failed(.unavailable(afterMilliseconds: 9)) : outcome))
  }

  private func outcome(of request: AuthenticationRequest) -> RequestOutcome {
    switch request.kind {
    case .register: .failed(.credentials)
    case .openPairing:
      .pairing(PairingResult(code: "c", expiresAfterMilliseconds: 1, tries: 1))
    case .upgrade: .failed(.credentials)
    case .login, .pair, .guest:
      .signedIn(
        LoginResult(
          token: "t", user: user, session: SessionID(UUID(high: 1, low: 2)), expiresAfterDays: 1))
    case .recover: .recovered(RecoverResult(changed: true, recoveryCode: "c"))
    case .deleteAccount: .done(CommandResult(changed: true))
    case .changePassword: .done(CommandResult(changed: true))
    }
  }
}

private let wall = Timestamp(milliseconds: 1_790_000_000_000)
private let user = UserID(UUID(high: 1, low: 1))

private let welcome = RequestOutcome.welcome(
  HelloResult(
    user: user, session: SessionID(UUID(high: 1, low: 2)), time: wall,
    server: ServerName(name: "s", version: "1"),
    heartbeat: Heartbeat(pingEveryMilliseconds: 1, timeoutMilliseconds: 1),
    retry: RetryAdvice(minMilliseconds: 1, maxMilliseconds: 1, factor: 2), limits: [], streams: []),
  Identity(user: user, session: SessionID(UUID(high: 1, low: 2))), followsAll: true, [])
