import Glibc
import Net
import Synchronization

/// A way to the server that is cut after so many bytes, again and again. Each connection lives for the next number of
/// bytes of its list, in both directions together. When the list is used up, it lives for ever.
final class CuttingProxy: Sendable {
  /// The bytes that went through a connection: those from this side, and those from the server.
  struct Recording: Sendable {
    var near: [UInt8] = []
    var far: [UInt8] = []
  }

  let port: UInt16
  private let listener: Int32
  private let target: UInt16
  private let lives: Mutex<[Int]>
  private let recorded = Mutex<[Recording]>([])

  init(to target: UInt16, lives: [Int]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = CuttingProxy.loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard bound else { throw NetError.system(.bind, errno: errno) }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    self.target = target
    self.lives = Mutex(lives.reversed())
    _ = try Thread.start(name: "proxy") { [self] in accept() }
  }

  /// The number of times that a connection can still be cut.
  var cutsLeft: Int { lives.withLock { $0.count } }

  /// The recordings of the connections, in their order.
  var recordings: [Recording] { recorded.withLock { $0 } }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func accept() {
    while true {
      let near = Glibc.accept(listener, nil, nil)
      guard near >= 0 else { break }
      let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = CuttingProxy.loopback(target)
      let connected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if connected { pump(near, far, life: lives.withLock { $0.popLast() } ?? .max) }
      close(near)
      close(far)
    }
    close(listener)
  }

  private func pump(_ near: Int32, _ far: Int32, life: Int) {
    var left = life
    let number = recorded.withLock { recordings in
      recordings.append(Recording())
      return recordings.count - 1
    }
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    while left > 0 {
      var ends = [near, far].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&ends, 2, -1) > 0 else { return }
      for (index, end) in ends.enumerated() where end.revents != 0 {
        let count = recv(end.fd, &bytes, min(bytes.count, left), 0)
        guard count > 0 else { return }
        left -= count
        recorded.withLock { recordings in
          if index == 0 {
            recordings[number].near += bytes[..<count]
          } else {
            recordings[number].far += bytes[..<count]
          }
        }
        guard send(index == 0 ? far : near, bytes, count, Int32(MSG_NOSIGNAL)) == count else {
          return
        }
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
