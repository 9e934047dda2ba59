import CLinux
import Glibc

/// A refusal of the machine, with the system call and its errno, or an address that nobody can use.
package enum NetError: Error, Hashable, Sendable {
  /// The text is neither `host:port`, with an IPv4 address, an IPv6 address in brackets or `localhost`, nor
  /// `unix:PATH`.
  case badAddress(String)
  /// The text is neither `ADDRESS/BITS`, an address nor `unix`.
  case badRange(String)
  /// The path of a socket file is above `ListenAddress.pathBytesMax`.
  case pathTooLong(String)
  /// Another program listens there (EADDRINUSE).
  case portInUse(String)
  /// The machine does not have this address (EADDRNOTAVAIL), we may not use the port (EACCES), or
  /// another file has the socket file's name (EEXIST).
  case addressRefused(String, errno: Int32)
  /// A name that could not be looked up.
  case unknownHost(String)
  /// Any other failure of the kernel.
  case system(SystemCall, errno: Int32)
}

/// The system calls whose failure is reported; the raw value is the call's own name.
package enum SystemCall: String, Sendable {
  case socket, setsockopt, bind, listen, accept, getsockname, connect, recv, send, eventfd, signalfd
  case epollCreate = "epoll_create1"
  case epollControl = "epoll_ctl"
  case epollWait = "epoll_wait"
  case threadCreate = "pthread_create"
  case signalMask = "pthread_sigmask"
}

extension NetError: CustomStringConvertible {
  /// One sentence for a person.
  package var description: String {
    switch self {
    case .badAddress(let text):
      """
      "\(text)" is not an address: use 127.0.0.1:8484, [::1]:8484 or localhost:8484 \
      (port 0 for any free one), or unix:/run/whattodo.sock.
      """
    case .badRange(let text):
      """
      "\(text)" is not a range of addresses: use 10.0.0.0/8, 192.0.2.7, 2001:db8::/32 or unix; \
      what the bits leave out is 0.
      """
    case .pathTooLong(let path):
      """
      The path of a socket file has \(ListenAddress.pathBytesMax) bytes at most, \(path) has \
      \(path.utf8.count).
      """
    case .portInUse(let address):
      "Another program already listens on \(address): stop it or choose another port."
    case .addressRefused(let address, let errno):
      "This machine does not let us listen on \(address): \(NetError.text(of: errno))."
    case .unknownHost(let host):
      "The host \"\(host)\" could not be found."
    case .system(let call, let errno):
      "\(call.rawValue) failed: \(NetError.text(of: errno)) (errno \(errno))."
    }
  }

  private static func text(of errno: Int32) -> String {
    guard let text = strerror(errno) else { return "unknown error" }
    return String(cString: text)
  }
}

/// Returns a call's result, or throws its failure: the C doors return a negative errno.
func checked(_ result: Int32, _ call: SystemCall) throws(NetError) -> Int32 {
  guard result >= 0 else { throw .system(call, errno: -result) }
  return result
}
