import CLinux
package import Crypto
import Glibc
import WebSocket

/// The server to dial, and the terms.
package struct DialTarget: Sendable {
  /// A name or an IP address (IPv6 without brackets).
  package var host: String
  /// The port, 1…65 535.
  package var port: UInt16
  /// The path, which begins with `/`, with a query if needed.
  package var path: String
  /// The subprotocol that is offered. `Opening.subprotocol` tells whether the server chose it.
  package var subprotocol: String?
  /// The TLS context of a client, for `wss`. The server must prove to be `host`. Nil for a plain connection.
  package var tls: TLSContext?
  /// Whether compression is offered (RFC 7692).
  package var deflate = false
  /// The largest message taken from the server, in bytes of payload.
  package var messageBytesMax = 256 * 1024

  package init(
    host: String, port: UInt16, path: String, subprotocol: String? = nil, tls: TLSContext? = nil
  ) {
    self.host = host
    self.port = port
    self.path = path
    self.subprotocol = subprotocol
    self.tls = tls
  }
}

/// The state that a dialled connection needs until it is open.
final class Dialling {
  let target: DialTarget
  /// The addresses that are not tried yet, the next one last.
  var addresses: [PeerAddress] = []
  let handshake: ClientHandshake
  var head = HTTPHeadReader()

  /// Makes the handshake. Throws `.notSendable` for a host or path that would break the request.
  init(_ target: DialTarget) throws(HandshakeFault) {
    self.target = target
    var generator = SystemRandomNumberGenerator()
    let nonce = (0..<16).map { _ in UInt8.random(in: 0...UInt8.max, using: &generator) }
    let host = target.host.utf8.contains(UInt8(ascii: ":")) ? "[\(target.host)]" : target.host
    handshake = try ClientHandshake(
      host: target.port == (target.tls == nil ? 80 : 443) ? host : "\(host):\(target.port)",
      target: target.path,
      nonce: nonce, subprotocols: target.subprotocol.map { [$0] } ?? [], deflate: target.deflate)
  }
}

extension Loop {
  /// The most addresses of one name that are tried.
  private static let addressesMax = 8

  /// Opens a connection in the client's role. `opened` or `closed` follows, never in this call. A name is looked up on
  /// a thread of its own.
  package func dial(_ target: DialTarget) -> ConnectionID {
    let id = table.take()
    do {
      table[id.slot].pointee.phase = .dialling(try Dialling(target))
    } catch {
      tellLater(id, .refused(error))
      release(id)
      return id
    }
    setDeadline(id, options.handshakeMilliseconds)
    if let address = PeerAddress(host: target.host, port: target.port) {
      connect(id, to: [address])
    } else {
      resolve(id, target)
    }
    return id
  }

  private func resolve(_ id: ConnectionID, _ target: DialTarget) {
    do {
      let orders = orders
      try Thread.start(name: "resolver") {
        orders.post(.resolved(id, Loop.lookUp(target)))
      }.detach()
    } catch {
      finish(id, .unreachable(error))
    }
  }

  private static func lookUp(_ target: DialTarget) -> [PeerAddress] {
    withUnsafeTemporaryAllocation(of: whattodo_address.self, capacity: addressesMax) { found in
      let count = whattodo_resolve(target.host, found.baseAddress, Int32(addressesMax))
      return (0..<max(0, Int(count))).map { PeerAddress(found[$0]).with(port: target.port) }
    }
  }

  /// Begins to connect to the first of the addresses. The others follow if that fails.
  func connect(_ id: ConnectionID, to addresses: [PeerAddress]) {
    guard let connection = table.find(id), case .dialling(let dialling) = connection.pointee.phase
    else { return }
    guard !addresses.isEmpty else {
      finish(id, .unreachable(.unknownHost(dialling.target.host)))
      return
    }
    dialling.addresses = addresses.reversed()
    connectNext(id, dialling, after: .unknownHost(dialling.target.host))
  }

  private func connectNext(_ id: ConnectionID, _ dialling: Dialling, after failure: NetError) {
    let connection = table[id.slot]
    var failure = failure
    while let address = dialling.addresses.popLast() {
      var raw = address.raw
      let socket = whattodo_connect(&raw)
      guard socket >= 0 else {
        failure = .system(.connect, errno: -socket)
        continue
      }
      connection.pointee.socket = socket
      connection.pointee.peer = address
      connection.pointee.interest = .writable
      do {
        try poller.add(socket, .connection(slot: id.slot), .writable)
        return
      } catch {
        whattodo_close(socket)
        connection.pointee.socket = -1
        failure = error
      }
    }
    finish(id, .unreachable(failure))
  }

  /// Goes on when the kernel has an outcome: connected, or not.
  func connectEnded(_ id: ConnectionID) {
    let connection = table[id.slot]
    guard case .dialling(let dialling) = connection.pointee.phase else { return }
    let error = whattodo_socket_error(connection.pointee.socket)
    guard error == 0 else {
      whattodo_close(connection.pointee.socket)
      connection.pointee.socket = -1
      connectNext(id, dialling, after: .system(.connect, errno: -error))
      return
    }
    setInterest(id.slot, .readable)
    if let context = dialling.target.tls {
      startTLS(id, context, host: dialling.target.host)
    } else {
      writeHandshake(id, dialling)
    }
  }

  /// Asks for the upgrade. Over TLS it is called as soon as the session is there.
  func writeHandshake(_ id: ConnectionID, _ dialling: Dialling) {
    writePlain(id.slot, table[id.slot]) { dialling.handshake.write(to: &$0) }
  }

  /// Reads the server's answer. The bytes behind it stay for the frames.
  func readAnswer(
    _ id: ConnectionID, _ dialling: Dialling, _ buffer: UnsafeBufferPointer<UInt8>,
    at position: inout Int, end: Int
  ) {
    do {
      let bytes = Span(_unsafeElements: buffer)
      guard let head = try dialling.head.next(in: bytes, at: &position, end: end) else { return }
      let accept = webSocketAccept(dialling.handshake.acceptInput)
      do {
        open(id, dialling, try dialling.handshake.check(head: head, accept: accept))
      } catch {
        finish(id, .refused(error))
      }
    } catch {
      // The head is too long, or has another fault that no server of ours would send.
      finish(id, .refused(.malformed))
    }
  }

  private func open(_ id: ConnectionID, _ dialling: Dialling, _ agreement: ClientAgreement) {
    let connection = table[id.slot]
    connection.pointee.phase = .open
    connection.pointee.machine = WebSocketConnection(
      role: .client, messageBytesMax: dialling.target.messageBytesMax,
      deflate: agreement.deflate)
    connectionCount += 1
    counters.add(.opened)
    startHeartbeat(id)
    let local = PeerAddress(localOf: connection.pointee.socket)
    let opening = Opening(
      path: dialling.target.path, subprotocol: agreement.subprotocol, peer: connection.pointee.peer,
      local: local ?? .unix)
    application?.opened(id, opening)
  }
}
