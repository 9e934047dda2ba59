import CLinux
import Glibc

/// The facts about a listener that code needs when it meets a connection later.
struct ListenerKind: Sendable {
  /// The bound address with its real port.
  let address: ListenAddress
  /// Whether a client begins with a TLS handshake. Always false for socket files and side listeners.
  let speaksTLS: Bool
  /// Whether it is one of `NetOptions.side`, with other routes and outside of the limits.
  let isSide: Bool

  var isUnix: Bool { address.isUnix }
}

/// A listening socket; loop 0 owns it.
struct Listener: Sendable {
  /// The bound address with its real port.
  let address: ListenAddress
  let descriptor: Int32
  /// The socket file that was made, so that nobody else's file is removed.
  private let file: (path: String, id: whattodo_file)?

  /// Binds and listens. Throws `.portInUse`, `.addressRefused`, `.system`. A socket file that no
  /// program listens on any more is replaced.
  init(_ wanted: ListenAddress) throws(NetError) {
    var step: Int32 = 0
    var id = whattodo_file()
    let result: Int32
    switch wanted.endpoint {
    case .socket(let address):
      var raw = address.raw
      result = whattodo_listen(&raw, &step)
      file = nil
    case .unix(let path):
      result = whattodo_listen_unix(path, &id, &step)
      file = (path, id)
    }
    guard result >= 0 else { throw Listener.error(errno: -result, step: step, address: wanted) }
    descriptor = result
    guard !wanted.isUnix else {
      address = wanted
      return
    }
    guard let address = PeerAddress(localOf: result) else {
      whattodo_close(result)
      throw .system(.getsockname, errno: EINVAL)
    }
    self.address = ListenAddress(.socket(address))
  }

  /// Closes the socket. A socket file goes first, so that the next server finds its place free.
  func close() {
    if let file {
      var id = file.id
      whattodo_remove_unix(file.path, &id)
    }
    whattodo_close(descriptor)
  }

  /// The outcome of one call of accept.
  enum AcceptResult {
    case accepted(socket: Int32, PeerAddress)
    /// Nobody else is waiting.
    case empty
    /// There is no descriptor or no memory: accept again after a while.
    case exhausted(NetError)
    /// This caller has gone already; there may be others.
    case failed
  }

  func accept() -> AcceptResult {
    var raw = whattodo_address()
    let result = whattodo_accept(descriptor, &raw)
    if result >= 0 { return .accepted(socket: result, PeerAddress(raw)) }
    switch -result {
    case EAGAIN: return .empty
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      return .exhausted(.system(.accept, errno: -result))
    // These are errors of the new socket's network (accept(2), "Error handling").
    default: return .failed
    }
  }

  private static func error(errno: Int32, step: Int32, address: ListenAddress) -> NetError {
    switch errno {
    case EADDRINUSE: return .portInUse(address.description)
    case EADDRNOTAVAIL, EACCES, EPERM, EROFS, EAFNOSUPPORT, EEXIST, ENOENT, ENOTDIR:
      return .addressRefused(address.description, errno: errno)
    default:
      let calls: [SystemCall] = [.socket, .setsockopt, .bind, .listen]
      return .system(calls[Int(step)], errno: errno)
    }
  }
}

extension PeerAddress {
  /// Reads the address of our end of a socket. Nil when the socket has none.
  init?(localOf socket: Int32) {
    var raw = whattodo_address()
    guard whattodo_local_address(socket, &raw) == 0 else { return nil }
    self.init(raw)
  }
}
