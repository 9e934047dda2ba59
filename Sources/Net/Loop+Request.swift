// HTTP beside the socket and on the way to it. A connection carries requests one after another, also requests that were
// sent before the answer to the one before (RFC 9112 §9.3). It ends after an answer in these cases: the client wants
// it; the bytes that follow could not be told apart (anything malformed, a body that was not read); after
// `requestsMax`; when answers pile up; and with every refusal that a person should look at.

import Crypto
import WebSocket

/// The state that a connection needs until it is a WebSocket.
final class RequestReading {
  let wasTurnedAway: Bool
  var head = HTTPHeadReader()
  /// The request whose head is there and whose body is not.
  var request: HTTPRequest?
  var body: [UInt8] = []
  /// The number of requests of this connection that were answered.
  var answered = 0
  /// The number of bytes of answers in the turn `answeredAt`.
  var answerBytes = 0
  var answeredAt = Moment(milliseconds: 0)
  /// An upgrade that loop 0 is asked about. Nothing is read meanwhile.
  var claim: Claim?
  /// A request that the application is asked and has not answered. Nothing is read meanwhile.
  var question: HTTPRequest?

  init(wasTurnedAway: Bool) {
    self.wasTurnedAway = wasTurnedAway
  }

  /// Whether the bytes that follow on the connection are kept for later.
  var waits: Bool { claim != nil || question != nil }
  /// Whether the connection is between two requests.
  var isIdle: Bool { answered > 0 && request == nil && head.isEmpty && !waits }
}

extension Loop {
  /// The wait that a refused client is told, in seconds: about as long as a burst of reconnecting clients lasts.
  private static let retryAfterSeconds = 5
  /// The most requests of one connection. A client that wants more connects again, and limits count it again.
  static let requestsMax = 100
  /// The most bytes of answers on their way with which a connection goes on. A client that asks in advance reads in
  /// between.
  private static let answerBytesMax = 64 * 1024

  /// Reads requests. The bytes behind an accepted upgrade stay for the frames.
  func readRequests(
    _ id: ConnectionID, _ buffer: UnsafeBufferPointer<UInt8>, at position: inout Int, end: Int
  ) {
    let connection = table[id.slot]
    while position < end, case .head(let reading) = connection.pointee.phase {
      guard !reading.waits else {
        connection.pointee.stash.append(contentsOf: buffer[position..<end])
        position = end
        return
      }
      if reading.isIdle { setDeadline(id, options.handshakeMilliseconds) }
      readRequest(id, reading, buffer, at: &position, end: end)
    }
  }

  private func readRequest(
    _ id: ConnectionID, _ reading: RequestReading, _ buffer: UnsafeBufferPointer<UInt8>,
    at position: inout Int, end: Int
  ) {
    if let request = reading.request {
      readBody(id, reading, request, buffer, at: &position, end: end)
      return
    }
    do {
      let bytes = Span(_unsafeElements: buffer)
      guard let head = try reading.head.next(in: bytes, at: &position, end: end) else { return }
      let request = try HTTPRequest(head: head)
      judge(id, reading, request)
      // RFC 9110 §10.1.1: the client asks before the body, and is answered unless the body is there already.
      if reading.request != nil, position == end, request.expectsContinue {
        writePlain(id.slot, table[id.slot]) {
          HTTPReply(.goOn).write(to: &$0, keepsAlive: true)
        }
      }
    } catch {
      answer(id, .refusal(error))
    }
  }

  func requestTimedOut(_ id: ConnectionID) {
    if case .head(let reading) = table[id.slot].pointee.phase, reading.isIdle {
      finish(id, .timedOut)
      return
    }
    guard !isInTLSHandshake(id) else {
      counters.add(.refusedTimeout)
      finish(id, .timedOut)
      return
    }
    if let question = asked(id)?.question {
      answer(id, Loop.unavailable("The answer took too long."), to: question)
      return
    }
    answer(id, .text(.requestTimeout, "The request did not come in time."))
  }

  /// Makes the checks in their order: room, host, path, and then those that the path asks for.
  private func judge(_ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest) {
    guard !reading.wasTurnedAway, !stopIsRequested || isSide(id) else {
      turnAway(id, request)
      return
    }
    let local = localAddress(table[id.slot].pointee.socket)
    guard originPolicy.allows(host: request.host, local: local) else {
      answer(id, .text(.misdirected, "This server is not known by that name."), to: request)
      return
    }
    switch routes(id)[request.path] {
    case nil: goOn(id, reading, .text(.notFound, "There is nothing here."), to: request)
    case .webSocket(let route): upgrade(id, request, route)
    case .request(let method, let bodyBytesMax, let handler):
      begin(id, reading, request, method, bodyBytesMax: bodyBytesMax) {
        call(id, reading, request, handler)
      }
    case .question(let method, let bodyBytesMax):
      begin(id, reading, request, method, bodyBytesMax: bodyBytesMax) {
        ask(id, reading, request)
      }
    }
  }

  /// Answers 503, because the server is full or going down.
  func turnAway(_ id: ConnectionID, _ request: HTTPRequest) {
    let reason = stopIsRequested ? "The server is stopping." : Loop.fullReason
    let isFull = table[id.slot].pointee.admittedAs == .turnedAway
    answer(
      id, Loop.unavailable(reason), to: request,
      counts: stopIsRequested ? .refusedStopping : isFull ? .refusedFull : .refusedAddress)
  }

  private static let fullReason = "Too many connections."

  static func unavailable(_ reason: String) -> HTTPReply {
    .text(.unavailable, reason, fields: [.init("Retry-After", "\(retryAfterSeconds)")])
  }

  /// The answer to those whose request is not waited for.
  static let fullReply: [UInt8] = {
    var bytes: [UInt8] = []
    unavailable(fullReason).write(to: &bytes, keepsAlive: false)
    return bytes
  }()

  /// Begins a request for a handler or the application. It checks method and size, and goes on at once when there is no
  /// body.
  private func begin(
    _ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest, _ method: HTTPMethod,
    bodyBytesMax: Int, _ goOn: () -> Void
  ) {
    guard request.method == method || (request.method == .head && method == .get) else {
      self.goOn(id, reading, Loop.refusal(of: request.method, takes: method), to: request)
      return
    }
    guard request.bodyBytes <= bodyBytesMax else {
      answer(id, .text(.contentTooLarge, "The body is too large."), to: request)
      return
    }
    reading.request = request
    if request.bodyBytes == 0 { goOn() }
  }

  private func readBody(
    _ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest,
    _ buffer: UnsafeBufferPointer<UInt8>, at position: inout Int, end: Int
  ) {
    let count = min(end - position, request.bodyBytes - reading.body.count)
    reading.body.append(contentsOf: buffer[position..<position + count])
    position += count
    guard reading.body.count == request.bodyBytes else { return }
    switch routes(id)[request.path] {
    case .request(_, _, let handler): call(id, reading, request, handler)
    case .question: ask(id, reading, request)
    case .webSocket, nil: break
    }
  }

  private func call(
    _ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest,
    _ handler: (RouteRequest) -> HTTPReply
  ) {
    let peer = client(of: id, request)
    let reply = handler(RouteRequest(head: request, body: reading.body, peer: peer))
    counters.add(.answered)
    goOn(id, reading, reply, to: request, hasReadBody: true)
  }

  private func upgrade(
    _ id: ConnectionID, _ request: HTTPRequest, _ route: WebSocketRoute
  ) {
    switch request.upgrade(subprotocols: route.subprotocols, deflate: route.deflate) {
    case .refused(let reply): answer(id, reply, to: request)
    case .accepted(let upgrade):
      guard originPolicy.allows(origins: request.values("origin"), host: request.host) else {
        answer(id, .text(.forbidden, "Pages of that origin may not connect."), to: request)
        return
      }
      admit(id, Claim(request: request, upgrade: upgrade, route: route))
    }
  }

  func open(_ id: ConnectionID, _ claim: Claim) {
    let (request, upgrade) = (claim.request, claim.upgrade)
    let connection = table[id.slot]
    connection.pointee.phase = .open
    connection.pointee.machine = WebSocketConnection(
      role: .server, messageBytesMax: claim.route.messageBytesMax, deflate: upgrade.deflate)
    connectionCount += 1
    counters.add(.opened)
    if upgrade.deflate != nil { counters.add(.openedCompressed) }
    startHeartbeat(id)
    let accept = webSocketAccept(upgrade.acceptInput)
    writePlain(id.slot, connection) { upgrade.write(accept: accept, to: &$0) }
    let opening = Opening(
      path: request.path, subprotocol: upgrade.subprotocol, peer: connection.pointee.peer,
      local: localAddress(connection.pointee.socket))
    application?.opened(id, opening)
  }

  /// Answers a client that speaks plain HTTP to a TLS port, in plain HTTP.
  func answerPlainRequest(_ id: ConnectionID) {
    answer(id, .text(.badRequest, "This port speaks TLS: use https or wss."), counts: .refusedTLS)
  }

  /// Answers, and takes the next request unless something speaks against it. An answer that no handler made is counted
  /// as refused.
  func goOn(
    _ id: ConnectionID, _ reading: RequestReading, _ reply: HTTPReply, to request: HTTPRequest,
    hasReadBody: Bool = false
  ) {
    if !hasReadBody { counters.refused(reply.status) }
    let connection = table[id.slot]
    reading.answered += 1
    let isAtEnd = hasReadBody || request.bodyBytes == 0
    let waiting = reading.bytesOnTheirWay(at: now) + connection.pointee.backlogBytes
    guard request.keepsAlive, isAtEnd, !stopIsRequested || isSide(id),
      reading.answered < Loop.requestsMax, waiting <= Loop.answerBytesMax
    else {
      write(id, reply, to: request, keepsAlive: false)
      startLingering(id, finishesFirst: true)
      return
    }
    reading.answerBytes += write(id, reply, to: request, keepsAlive: true)
    reading.request = nil
    reading.body = []
    setDeadline(id, options.keepAliveMilliseconds)
  }

  /// Answers and ends the connection. The answer is counted as refused, by its status, unless `counts` names another
  /// count.
  func answer(
    _ id: ConnectionID, _ reply: HTTPReply, to request: HTTPRequest? = nil,
    counts name: LoopCount? = nil
  ) {
    if let name { counters.add(name) } else { counters.refused(reply.status) }
    write(id, reply, to: request, keepsAlive: false)
    startLingering(id, finishesFirst: true)
  }

  @discardableResult
  private func write(
    _ id: ConnectionID, _ reply: HTTPReply, to request: HTTPRequest?, keepsAlive: Bool
  ) -> Int {
    var count = 0
    let connection = table[id.slot]
    writePlain(id.slot, connection) { bytes in
      let start = bytes.count
      reply.write(
        to: &bytes, keepsAlive: keepsAlive, answersHead: request?.method == .head,
        isOverTLS: connection.pointee.tls != nil)
      count = bytes.count - start
    }
    return count
  }

  /// Returns the address of our end of a socket. With one specific listener it is known without asking the kernel.
  private func localAddress(_ socket: Int32) -> PeerAddress {
    if let only = originPolicy.onlyAddress { return only }
    return PeerAddress(localOf: socket) ?? .unix
  }

  private func isSide(_ id: ConnectionID) -> Bool {
    kinds[Int(table[id.slot].pointee.listener)].isSide
  }

  private func routes(_ id: ConnectionID) -> RouteTable { isSide(id) ? sideRoutes : routes }

  private static func refusal(of asked: HTTPMethod, takes method: HTTPMethod) -> HTTPReply {
    guard asked != .other else { return .text(.notImplemented, "The method is not known here.") }
    let allowed =
      switch method {
      case .get: "GET, HEAD"
      case .head: "HEAD"
      case .post: "POST"
      case .put: "PUT"
      case .delete: "DELETE"
      case .options: "OPTIONS"
      case .other: ""
      }
    return .text(
      .methodNotAllowed, "This path takes \(allowed).", fields: [.init("Allow", allowed)])
  }
}

extension RequestReading {
  /// Returns the number of bytes of answers that this turn has not written yet.
  fileprivate func bytesOnTheirWay(at now: Moment) -> Int {
    if answeredAt != now { (answerBytes, answeredAt) = (0, now) }
    return answerBytes
  }
}

/// Computes base64(SHA-1(key + GUID)), RFC 6455 §4.2.2 item 5.4.
func webSocketAccept(_ input: [UInt8]) -> [UInt8] {
  Array(Base64.encode(sha1(input)).utf8)
}
