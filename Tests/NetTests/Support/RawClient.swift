import Glibc
import Net
import WebSocket

/// A plain blocking socket to 127.0.0.1 or to a socket file with the few WebSocket words that a test needs.
final class RawClient {
  private let socket: Int32
  /// Received but not looked at.
  private(set) var buffer: [UInt8] = []
  private(set) var isAtEnd = false
  /// With TLS.
  private var secure: SecureLink?

  struct Frame: Equatable {
    let opcode: Opcode
    let payload: [UInt8]
    /// RSV1 (RFC 7692 §6).
    var isCompressed = false
  }

  init?(port: UInt16, receiveBufferBytes: Int32? = nil) {
    let socket = Glibc.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    self.socket = socket
    if var bytes = receiveBufferBytes {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    var on: Int32 = 1
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  /// Connected to a socket file.
  init?(path: String) {
    let socket = Glibc.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    self.socket = socket
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  /// Connected and upgraded.
  convenience init?(
    webSocket path: String, port: UInt16, receiveBufferBytes: Int32? = nil, fields: String = ""
  ) {
    self.init(port: port, receiveBufferBytes: receiveBufferBytes)
    send(RawClient.upgrade(path, fields: fields))
    guard let head = readHead(), head.hasPrefix("HTTP/1.1 101 ") else { return nil }
  }

  /// Connected, and greeted by a server that speaks TLS.
  convenience init?(secure link: SecureLink, port: UInt16) {
    self.init(port: port)
    secure = link
    sendRaw(link.takeDue())
    let deadline = Deadline()
    while !link.isOpen, link.fault == nil, read(deadline) {}
    guard link.isOpen else { return nil }
  }

  private init(socket: Int32) {
    self.socket = socket
  }

  /// The same socket for another thread, which owns it.
  func duplicate() -> sending RawClient { RawClient(socket: fcntl(socket, F_DUPFD_CLOEXEC, 0)) }

  deinit {
    close(socket)
  }

  static func upgrade(_ path: String, host: String = "127.0.0.1", fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
      + fields + "\r\n"
  }

  static func frame(
    _ opcode: Opcode, _ payload: [UInt8], isCompressed: Bool = false
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    FrameWriter.append(
      opcode, payload.span, isCompressed: isCompressed, mask: MaskKey(bits: 0x3712_A5F0), to: &bytes
    )
    return bytes
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { sendRaw(secure.map { $0.seal(bytes) } ?? bytes) }

  /// Past TLS.
  func sendRaw(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Sends until the other side has taken nothing for half a second; answers how much went.
  func sendWhileTaken(_ bytes: [UInt8]) -> Int {
    var sent = 0
    var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    while sent < bytes.count, poll(&entry, 1, 500) == 1 {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  func send(_ opcode: Opcode, _ payload: [UInt8]) { send(RawClient.frame(opcode, payload)) }

  /// Ends our side of the socket.
  func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Ends the socket with a reset instead of an orderly end.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  /// One read; false at the end of the stream or when nothing comes in time.
  @discardableResult
  func read(_ deadline: Deadline = Deadline()) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(deadline.leftMilliseconds)) == 1 else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = recv(socket, &bytes, bytes.count, 0)
    if count <= 0 {
      isAtEnd = true
      return false
    }
    guard let secure else {
      buffer += bytes[..<count]
      return true
    }
    buffer += secure.open(bytes[..<count])
    sendRaw(secure.takeDue())
    return true
  }

  /// Returns the bytes that were received and not looked at.
  func takeBuffer() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  /// Everything up to the end of the stream.
  func readToEnd() -> String {
    let deadline = Deadline()
    while read(deadline) {}
    let text = String(decoding: buffer, as: UTF8.self)
    buffer = []
    return text
  }

  /// So many bytes as text; fewer at the end of the stream or when nothing comes in time.
  func readText(_ count: Int) -> String {
    let deadline = Deadline()
    while buffer.count < count, read(deadline) {}
    let bytes = buffer.prefix(count)
    buffer.removeFirst(bytes.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  func readHead() -> String? {
    let deadline = Deadline()
    while true {
      let text = String(decoding: buffer, as: UTF8.self)
      if let end = text.range(ofHeadEnd: ()) {
        buffer.removeFirst(text[..<end].utf8.count)
        return String(text[..<end])
      }
      guard read(deadline) else { return nil }
    }
  }

  /// The next frame; nil at the end of the stream or when nothing comes in time.
  func readFrame(_ deadline: Deadline = Deadline()) -> Frame? {
    while true {
      if let frame = takeFrame() { return frame }
      guard read(deadline) else { return nil }
    }
  }

  /// A frame that has arrived.
  func takeFrame() -> Frame? {
    guard buffer.count >= 2, let opcode = Opcode(rawValue: buffer[0] & 0x0F) else { return nil }
    var length = Int(buffer[1])
    var start = 2
    if length >= 126 {
      let count = length == 126 ? 2 : 8
      guard buffer.count >= 2 + count else { return nil }
      length = buffer[2..<2 + count].reduce(0) { $0 << 8 | Int($1) }
      start += count
    }
    guard buffer.count >= start + length else { return nil }
    let frame = Frame(
      opcode: opcode, payload: Array(buffer[start..<start + length]),
      isCompressed: buffer[0] & 0x40 != 0)
    buffer.removeFirst(start + length)
    return frame
  }

  /// True once the server has ended its side.
  func seesEnd() -> Bool {
    let deadline = Deadline()
    while read(deadline) {}
    return isAtEnd
  }
}

extension String {
  /// Behind the empty line.
  fileprivate func range(ofHeadEnd: Void) -> String.Index? {
    let bytes = Array(utf8)
    guard bytes.count >= 4 else { return nil }
    for end in 4...bytes.count where bytes[(end - 4)..<end].elementsEqual("\r\n\r\n".utf8) {
      return utf8.index(startIndex, offsetBy: end)
    }
    return nil
  }
}
