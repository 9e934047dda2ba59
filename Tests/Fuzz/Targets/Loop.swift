// The real loop behind a real socket. An input is two knobs and a client's bytes.
//
//   knob 0   bit 0: the stream begins behind a right upgrade request; bit 1: which offers compression
//   knob 1   in which pieces the client writes it
//
// Promises: the first answer is one that our client can read. After an upgrade the frames that come are those with
// which the plain decoder answers the client's, even when the application stops reading for a turn after some messages.
// The server ends every connection whose client is done.

import Deflate
import Glibc
import Net
import WebSocket

func fuzzLoop(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 2) else { return }
  let isUpgraded = input.knobs[0] & 1 != 0
  // There is a close at the end, so that the server has something to end for.
  let stream = input.stream + (isUpgraded ? [0x88, 0x80, 0, 0, 0, 0] : [])
  let socket = try FuzzedServer.shared.connect()
  defer { close(socket) }
  let isCompressed = input.knobs[0] & 2 != 0
  if isUpgraded { send(upgradeRequest(isCompressed)[...], to: socket) }
  for piece in stream.cuts(seed: input.knobs[1]).last ?? [] { send(piece, to: socket) }
  var plain = PlainFrames(
    FrameScene(
      role: .server, messageBytesMax: FuzzedServer.messageBytesMax,
      window: isCompressed ? .bits15 : nil))
  plain.read(stream)
  let endsByItself = isUpgraded && plain.hasEnded
  if !endsByItself { shutdown(socket, Int32(SHUT_WR)) }
  let output = try readToEnd(socket)
  let frames = try framesAfterUpgrade(output, isUpgraded: isUpgraded)
  guard isUpgraded else { return }
  let (found, expected) = (heard(frames), heard(plain.output))
  if endsByItself {
    try promiseEqual(found, expected, "the frames from the server")
  } else {
    // A client that ends its side misses frames that were not sent yet.
    try promise(expected.starts(with: found), "the frames \(found) do not begin \(expected)")
  }
}

/// Returns the events of a server's frames as a client understands them; a close comes without its reason.
private func heard(_ frames: [UInt8]) -> [FrameEvent] {
  var client = PlainFrames(
    FrameScene(role: .client, messageBytesMax: 1 << 20, window: .bits15))
  client.read(frames)
  return client.events.map { event in
    if case .closed(let notice) = event {
      .closed(CloseNotice(code: notice.code, reason: []))
    } else {
      event
    }
  }
}

/// Returns the frames after a granted upgrade; empty when the answer was another one, or none.
private func framesAfterUpgrade(_ output: [UInt8], isUpgraded: Bool) throws(Finding) -> [UInt8] {
  switch readHead([output[...]], HTTPLimits()) {
  case .unfinished:
    try promise(output.isEmpty && !isUpgraded, "half a head")
    return []
  case .fault(let fault): throw Finding(sentence: "an answer with \(fault)")
  case .head(let head, let left):
    let accept = Array("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=".utf8)
    let view = try seenByClient(head, accept, offersDeflate: true)
    if case .refused = view {
      try promise(!isUpgraded, "the upgrade was refused: \(String(decoding: head, as: UTF8.self))")
      return []
    }
    let frames = Array(output.suffix(left))
    let faults = heard(frames).filter { if case .failed = $0 { true } else { false } }
    try promise(faults.isEmpty, "frames that break the protocol: \(frames)")
    return frames
  }
}

private func upgradeRequest(_ isCompressed: Bool) -> [UInt8] {
  let offer = isCompressed ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""
  return Array(
    """
    GET /echo HTTP/1.1\r
    Host: localhost\r
    Upgrade: websocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    Sec-WebSocket-Version: 13\r
    \(offer)\r

    """.utf8)
}

// MARK: The server

/// A server with one group for all inputs, on a socket file, so that no port is used up.
private struct FuzzedServer {
  static let shared = FuzzedServer()
  static let messageBytesMax = 1000
  private static let folder = "/tmp/whattodo-fuzz.\(getpid())"

  private let path: String
  private let group: LoopGroup

  private init() {
    mkdir(FuzzedServer.folder, 0o700)
    path = FuzzedServer.folder + "/socket"
    atexit {
      unlink(FuzzedServer.folder + "/socket")
      rmdir(FuzzedServer.folder)
    }
    var options = NetOptions()
    options.pingMilliseconds = 0
    options.closeMilliseconds = 3000
    options.controlFramesMax = .max
    var routes = RouteTable()
    routes.addWebSocket("/echo", messageBytesMax: FuzzedServer.messageBytesMax, deflate: true)
    routes.add(.get, "/healthz") { _ in .text(.ok, "well") }
    routes.add(.post, "/take", bodyBytesMax: 100) { HTTPReply(.ok, body: $0.body) }
    do {
      options.listen = [try ListenAddress("unix:\(path)")]
      group = try LoopGroup(options, routes: routes) { _ in PausingEcho() }
    } catch {
      fatalError("no server to fuzz: \(error)")
    }
  }

  func connect() throws(Finding) -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let address = $0
        return repeated {
          Int(Glibc.connect(socket, address, socklen_t(MemoryLayout<sockaddr_un>.size)))
        }
      }
    }
    try promise(socket >= 0 && result == 0, "no connection: \(errno)")
    return socket
  }
}

/// An application that echoes. After a message that begins with an odd byte it reads no more in this turn.
private final class PausingEcho: LoopApplication {
  private var loop: Loop?
  private var paused: [ConnectionID] = []

  func started(_ loop: Loop) { self.loop = loop }

  func opened(_ connection: ConnectionID, _ opening: Opening) {}

  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>) {
    loop?.send(kind, payload, to: connection)
    guard payload.count > 0, payload[0] & 1 == 1 else { return }
    loop?.pauseReading(connection)
    paused.append(connection)
    loop?.turnAgain()
  }

  func turnEnded() {
    for connection in paused { loop?.resumeReading(connection) }
    paused = []
  }

  func closed(_ connection: ConnectionID, _ ending: Ending) {}

  func stopRequested() { loop?.end() }
}

// MARK: The client's socket

/// Sends bytes. A server that has ended the connection takes nothing more; that is not judged here.
private func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) {
  guard !bytes.isEmpty else { return }
  _ = bytes.withUnsafeBytes { part in
    repeated { Glibc.send(socket, part.baseAddress, part.count, Int32(MSG_NOSIGNAL)) }
  }
}

private func readToEnd(_ socket: Int32) throws(Finding) -> [UInt8] {
  var output: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    let ready = repeated { Int(poll(&entry, 1, 8000)) }
    try promise(ready == 1, "the server did not end the connection")
    let count = repeated { recv(socket, &part, part.count, 0) }
    if count <= 0 { return output }
    output += part[..<count]
  }
}

/// Repeats an interrupted call. The fuzzer's clock is a signal, which interrupts waiting calls every few seconds.
private func repeated(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
