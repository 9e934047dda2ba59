import Glibc

/// A socket that is connected to 127.0.0.1. It waits at most thirty seconds for anything: longer than the ledger waits
/// between two looks at what nobody woke it for (ten).
func connectedSocket(port: UInt16, receiveBufferBytes: Int32? = nil) throws -> Int32 {
  let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var wait = timeval(tv_sec: 30, tv_usec: 0)
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
  if var bytes = receiveBufferBytes {
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
  }
  var peer = sockaddr_in()
  peer.sin_family = sa_family_t(AF_INET)
  peer.sin_port = port.bigEndian
  peer.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let connected = withUnsafePointer(to: &peer) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard connected == 0 else {
    close(socket)
    throw TestFailure.lost
  }
  return socket
}
