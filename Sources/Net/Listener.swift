import CLinux
import Glibc

/// A listening socket; loop 0 owns it.
struct Listener: Sendable {
  /// The bound address with its real port.
  let address: PeerAddress
  let descriptor: Int32

  /// Binds and listens. Throws `.portInUse`, `.addressRefused`, `.system`.
  init(_ wanted: ListenAddress) throws(NetError) {
    var raw = wanted.socketAddress.raw
    var step: Int32 = 0
    let result = whattodo_listen(&raw, &step)
    guard result >= 0 else {
      throw Listener.error(errno: -result, step: step, address: wanted.socketAddress)
    }
    guard let address = PeerAddress(localOf: result) else {
      whattodo_close(result)
      throw .system(.getsockname, errno: EINVAL)
    }
    self.address = address
    descriptor = result
  }

  func close() {
    whattodo_close(descriptor)
  }

  /// What one call of accept gave.
  enum Outcome {
    case accepted(socket: Int32, PeerAddress)
    /// Nobody else is waiting.
    case empty
    /// No descriptor or no memory: accept again after a while.
    case exhausted(NetError)
    /// This caller is gone already; there may be others.
    case failed
  }

  func accept() -> Outcome {
    var raw = whattodo_address()
    let result = whattodo_accept(descriptor, &raw)
    if result >= 0 { return .accepted(socket: result, PeerAddress(raw)) }
    switch -result {
    case EAGAIN: return .empty
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      return .exhausted(.system(.accept, errno: -result))
    // Errors of the new socket's network (accept(2), "Error handling").
    default: return .failed
    }
  }

  private static func error(errno: Int32, step: Int32, address: PeerAddress) -> NetError {
    switch errno {
    case EADDRINUSE: return .portInUse(address.description)
    case EADDRNOTAVAIL, EACCES, EAFNOSUPPORT:
      return .addressRefused(address.description, errno: errno)
    default:
      let calls: [SystemCall] = [.socket, .setsockopt, .bind, .listen]
      return .system(calls[Int(step)], errno: errno)
    }
  }
}

extension PeerAddress {
  /// Our end of a socket; nil when the socket has none.
  init?(localOf socket: Int32) {
    var raw = whattodo_address()
    guard whattodo_local_address(socket, &raw) == 0 else { return nil }
    self.init(raw)
  }
}
