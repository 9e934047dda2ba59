// A host that takes letters, on plain sockets: a thread accepts, and each connection has a thread of its own. All of
// them end with the receiver.

import COpenSSL
import Glibc
import TestCertificates

/// A host on 127.0.0.1.
final class Receiver: Sendable {
  /// The way in which a receiver treats each request.
  enum Habit: Sendable {
    /// Sends these bytes and waits for the next request.
    case answers(String)
    /// Sends these bytes and closes.
    case answersOnce(String)
    /// Sends nothing, and keeps the connection open.
    case keepsSilent
    /// Closes without reading.
    case hangsUp
    /// Sends these bytes one at a time, with 20 ms between them.
    case trickles(String)
    /// Sends these bytes, and then `filler` without end.
    case floods(String, filler: String)
  }

  /// A request that has arrived whole.
  struct Request: Sendable {
    /// The number of its connection, from 1.
    let connection: Int
    let head: String
    let body: [UInt8]
  }

  let port: UInt16
  private let listener: Int32
  private let thread: TestThread
  private let state = Guarded(State())

  /// A copy, so that no reader holds what the threads of the connections add to: ThreadSanitizer does not see that they
  /// add in place only when nobody holds it.
  var requests: [Request] { state.locked { $0.requests.map { $0 } } }
  /// The number of connections that were ever opened.
  var connections: Int { state.locked { $0.connections } }
  /// The number of connections that are open now.
  var open: Int { state.locked { $0.open.count } }
  /// The highest number of connections that were open at once.
  var openMax: Int { state.locked { $0.openMax } }

  init(_ habit: Habit, _ identity: TestAuthority.Identity? = nil) throws {
    (listener, port) = try Receiver.listen()
    let secure = try identity.map(SecureContext.init)
    thread = TestThread { [listener, state] in
      Receiver.accept(on: listener, state, habit, secure)
    }
  }

  deinit {
    state.locked { state in
      state.isStopped = true
      for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
    thread.join()
    close(listener)
  }

  /// The address of a path here.
  func address(_ path: String = "/", host: String = "127.0.0.1", scheme: String = "http") -> String
  {
    "\(scheme)://\(host):\(port)\(path)"
  }

  private struct State: Sendable {
    var isStopped = false
    var open: Set<Int32> = []
    var openMax = 0
    var connections = 0
    var requests: [Request] = []
  }

  /// Opens a socket that listens on a free port.
  static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var count = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(descriptor, raw, count) | Glibc.listen(descriptor, 64)
          | getsockname(descriptor, raw, &count)
      }
    }
    guard result == 0 else { throw Failure(errno: errno) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  struct Failure: Error {
    let errno: Int32
  }

  private static func accept(
    on listener: Int32, _ state: Guarded<State>, _ habit: Habit, _ secure: SecureContext?
  ) {
    var threads: [TestThread] = []
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { break }
      let number = state.locked { state in
        state.open.insert(descriptor)
        state.openMax = max(state.openMax, state.open.count)
        state.connections += 1
        if state.isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
        return state.connections
      }
      threads.append(
        TestThread {
          if let link = ReceiverLink(descriptor, secure) {
            serve(link, habit) { head, body in
              let request = Request(connection: number, head: head, body: body)
              state.locked { $0.requests.append(request) }
            }
          }
          state.locked { _ = $0.open.remove(descriptor) }
          close(descriptor)
        })
    }
    for thread in threads { thread.join() }
  }

  /// Serves one connection until it is over.
  private static func serve(
    _ link: ReceiverLink, _ habit: Habit, _ note: (_ head: String, _ body: [UInt8]) -> Void
  ) {
    if case .hangsUp = habit { return }
    while let (head, body) = link.readRequest() {
      note(head, body)
      switch habit {
      case .answers(let text): guard link.write(text) else { return }
      case .answersOnce(let text): return _ = link.write(text)
      case .keepsSilent: break
      case .hangsUp: return
      case .trickles(let text):
        for byte in text.unicodeScalars {
          guard link.write(String(byte)), !link.isReadable(milliseconds: 20) else { return }
        }
      case .floods(let text, let filler):
        guard link.write(text) else { return }
        let block = String(repeating: filler, count: 4_096 / filler.utf8.count)
        while link.write(block) {}
      }
    }
  }
}
