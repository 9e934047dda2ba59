import Crypto
import WebSocket

/// What a connection needs until its request is answered.
final class RequestReading {
  let wasTurnedAway: Bool
  var head = HTTPHeadReader()
  /// Set when the head is there and its body is not.
  var request: HTTPRequest?
  var body: [UInt8] = []

  init(wasTurnedAway: Bool) {
    self.wasTurnedAway = wasTurnedAway
  }
}

extension Loop {
  /// For those turned away; about as long as a burst of reconnecting clients lasts.
  private static let retryAfterSeconds = 5

  /// Reads a request; what follows an accepted upgrade stays for the frames.
  func readRequest(
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
      if reading.request != nil {
        readBody(id, reading, request, buffer, at: &position, end: end)
      }
    } catch {
      answer(id, .refusal(error))
    }
  }

  func requestTimedOut(_ id: ConnectionID) {
    guard !isInTLSHandshake(id) else {
      counters.add(.refusedTimeout)
      finish(id, .timedOut)
      return
    }
    answer(id, .text(.requestTimeout, "The request did not come in time."))
  }

  /// The checks in their order: room, host, path, then what the path asks for.
  private func judge(_ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest) {
    let isSide = kinds[Int(table[id.slot].pointee.listener)].isSide
    guard !reading.wasTurnedAway, !stopIsRequested || isSide else {
      let reason = stopIsRequested ? "The server is stopping." : "Too many connections."
      let later = HTTPReply.Field("Retry-After", "\(Loop.retryAfterSeconds)")
      answer(
        id, .text(.unavailable, reason, fields: [later]), to: request,
        counts: stopIsRequested ? .refusedStopping : .refusedFull)
      return
    }
    let local = localAddress(table[id.slot].pointee.socket)
    guard visitors.welcome(host: request.host, local: local) else {
      answer(id, .text(.misdirected, "This server is not known by that name."), to: request)
      return
    }
    switch routes(isSide)[request.path] {
    case nil: answer(id, .text(.notFound, "There is nothing here."), to: request)
    case .webSocket(let subprotocols, let messageBytesMax):
      upgrade(id, request, subprotocols, messageBytesMax: messageBytesMax)
    case .request(let method, let bodyBytesMax, let handler):
      begin(id, reading, request, method, bodyBytesMax: bodyBytesMax, handler)
    }
  }

  /// A request for a handler: checks method and size, calls at once when there is no body.
  private func begin(
    _ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest, _ method: HTTPMethod,
    bodyBytesMax: Int, _ handler: (RouteRequest) -> HTTPReply
  ) {
    guard request.method == method || (request.method == .head && method == .get) else {
      answer(id, Loop.methodNotAllowed(method), to: request)
      return
    }
    guard request.bodyBytes <= bodyBytesMax else {
      answer(id, .text(.contentTooLarge, "The body is too large."), to: request)
      return
    }
    reading.request = request
    if request.bodyBytes == 0 { call(id, reading, request, handler) }
  }

  private func readBody(
    _ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest,
    _ buffer: UnsafeBufferPointer<UInt8>, at position: inout Int, end: Int
  ) {
    guard case .head = table[id.slot].pointee.phase else { return }
    let count = min(end - position, request.bodyBytes - reading.body.count)
    reading.body.append(contentsOf: buffer[position..<position + count])
    position += count
    guard reading.body.count == request.bodyBytes,
      case .request(_, _, let handler) = routes(
        kinds[Int(table[id.slot].pointee.listener)].isSide)[request.path]
    else { return }
    call(id, reading, request, handler)
  }

  private func call(
    _ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest,
    _ handler: (RouteRequest) -> HTTPReply
  ) {
    let peer = table[id.slot].pointee.peer
    let reply = handler(RouteRequest(head: request, body: reading.body, peer: peer))
    answer(id, reply, to: request, counts: .answered)
  }

  private func upgrade(
    _ id: ConnectionID, _ request: HTTPRequest, _ subprotocols: Subprotocols,
    messageBytesMax: Int
  ) {
    switch request.upgrade(subprotocols: subprotocols) {
    case .refused(let reply): answer(id, reply, to: request)
    case .accepted(let upgrade):
      guard visitors.welcome(origins: request.values("origin"), host: request.host) else {
        answer(id, .text(.forbidden, "Pages of that origin may not connect."), to: request)
        return
      }
      open(id, request, upgrade, messageBytesMax: messageBytesMax)
    }
  }

  private func open(
    _ id: ConnectionID, _ request: HTTPRequest, _ upgrade: Upgrade, messageBytesMax: Int
  ) {
    let connection = table[id.slot]
    connection.pointee.phase = .open
    connection.pointee.machine = WebSocketConnection(
      role: .server, messageBytesMax: messageBytesMax)
    connectionCount += 1
    counters.add(.opened)
    startHeartbeat(id)
    let accept = webSocketAccept(upgrade.acceptInput)
    writePlain(id.slot, connection) { upgrade.write(accept: accept, to: &$0) }
    let opening = Opening(
      path: request.path, subprotocol: upgrade.subprotocol, peer: connection.pointee.peer,
      local: localAddress(connection.pointee.socket))
    application?.opened(id, opening)
  }

  /// Somebody speaks plain HTTP to a TLS port: says so in the same way.
  func answerPlainRequest(_ id: ConnectionID) {
    answer(id, .text(.badRequest, "This port speaks TLS: use https or wss."), counts: .refusedTLS)
  }

  /// Answers and ends the connection. Counted as refused, by its status, unless something else is said.
  private func answer(
    _ id: ConnectionID, _ reply: HTTPReply, to request: HTTPRequest? = nil,
    counts name: LoopCount? = nil
  ) {
    if let name { counters.add(name) } else { counters.refused(reply.status) }
    let connection = table[id.slot]
    writePlain(id.slot, connection) { bytes in
      reply.write(to: &bytes, keepsAlive: false, answersHead: request?.method == .head)
    }
    startLingering(id, finishesFirst: true)
  }

  /// Our end of a socket. With one specific listener that is known without asking the kernel.
  private func localAddress(_ socket: Int32) -> PeerAddress {
    if let only = visitors.onlyAddress { return only }
    return PeerAddress(localOf: socket) ?? .unix
  }

  private func routes(_ isSide: Bool) -> RouteTable { isSide ? sideRoutes : routes }

  private static func methodNotAllowed(_ method: HTTPMethod) -> HTTPReply {
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

/// base64(SHA-1(key + GUID)), RFC 6455 §4.2.2 item 5.4.
func webSocketAccept(_ input: [UInt8]) -> [UInt8] {
  Array(Base64.encode(sha1(input)).utf8)
}
