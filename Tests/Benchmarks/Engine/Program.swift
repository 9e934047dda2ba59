// What the pure part of the network engine costs, without a socket: nanoseconds of CPU per operation, one line
// each, the best of several repeats (a busy machine makes repeats slower, never faster).
//
// usage: EngineBenchmark [REPEATS]

import Crypto
import Glibc
import WebSocket

@main
enum EngineBenchmark {
  static func main() {
    let repeats = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30
    for bytes in [64, 200, 1024, 16_384] {
      var reading = Reading(payloadBytes: bytes)
      report("read a masked text of \(bytes) B", repeats, of: reading.messages) { reading.run() }
      let writing = Writing(payloadBytes: bytes)
      var output: [UInt8] = []
      report("write a text of \(bytes) B", repeats, of: 1000) { writing.run(into: &output) }
    }
    for request in [Requests.program, Requests.browser] {
      report("read and answer an upgrade of \(request.count) B", repeats, of: 200) {
        for _ in 0..<200 { Requests.answer(request) }
      }
      report("  of which the head is split and checked", repeats, of: 200) {
        for _ in 0..<200 { Requests.read(request) }
      }
    }
    report("  of which SHA-1 and base64", repeats, of: 1000) {
      let key = Array("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
      for _ in 0..<1000 { keep(Base64.encode(sha1(key)).utf8.count) }
    }
  }

  private static func report(_ name: String, _ repeats: Int, of count: Int, _ body: () -> Void) {
    body()
    var best = Int64.max
    for _ in 0..<repeats {
      let begun = processNanoseconds()
      body()
      best = min(best, processNanoseconds() - begun)
    }
    let tenths = best * 10 / Int64(count)
    print("\(tenths / 10).\(tenths % 10) ns  \(name)")
  }
}

/// A buffer full of masked frames, as one read of a socket gives it.
private struct Reading {
  let messages = 100
  private let frames: [UInt8]
  private var machine = WebSocketConnection(role: .server, messageBytesMax: 1 << 20)

  init(payloadBytes: Int) {
    let client = WebSocketConnection(role: .client, messageBytesMax: 1 << 20)
    let payload = [UInt8](repeating: UInt8(ascii: "x"), count: payloadBytes)
    var frames: [UInt8] = []
    for _ in 0..<messages {
      client.writeMessage(.text, payload.span, mask: MaskKey(bits: 0x37FA_213D), to: &frames)
    }
    self.frames = frames
  }

  mutating func run() {
    // Unmasking happens in place, so a copy is read; it is part of the figure (1 KiB: 20 ns).
    var bytes = frames
    var span = bytes.mutableSpan
    var position = 0
    var found = 0
    while position < span.count {
      if case .message = machine.next(in: &span, at: &position, end: span.count) { found += 1 }
    }
    precondition(found == messages, "every frame is a message")
  }
}

private struct Writing {
  private let payload: [UInt8]
  private let machine = WebSocketConnection(role: .server, messageBytesMax: 1 << 20)

  init(payloadBytes: Int) {
    payload = [UInt8](repeating: UInt8(ascii: "x"), count: payloadBytes)
  }

  func run(into output: inout [UInt8]) {
    for _ in 0..<1000 {
      if output.count > 1 << 18 { output.removeAll(keepingCapacity: true) }
      machine.writeMessage(.text, payload.span, to: &output)
    }
  }
}

private enum Requests {
  static let program = Array(
    """
    GET /ws HTTP/1.1\r
    Host: 127.0.0.1:8484\r
    Upgrade: websocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    Sec-WebSocket-Version: 13\r
    \r\n
    """.utf8)

  /// The fields that Chromium sends.
  static let browser = Array(
    """
    GET /ws HTTP/1.1\r
    Host: todo.example.org\r
    Connection: Upgrade\r
    Pragma: no-cache\r
    Cache-Control: no-cache\r
    User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36\r
    Upgrade: websocket\r
    Origin: https://todo.example.org\r
    Sec-WebSocket-Version: 13\r
    Accept-Encoding: gzip, deflate, br, zstd\r
    Accept-Language: en-GB,en;q=0.9\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r
    \r\n
    """.utf8)

  static func read(_ bytes: [UInt8]) { keep(request(bytes).path.utf8.count) }

  static func answer(_ bytes: [UInt8]) {
    guard case .accepted(let upgrade) = request(bytes).upgrade(subprotocols: .none) else {
      preconditionFailure("these requests are welcome")
    }
    var answer: [UInt8] = []
    upgrade.write(accept: Array(Base64.encode(sha1(upgrade.acceptInput)).utf8), to: &answer)
    keep(answer.count)
  }

  private static func request(_ bytes: [UInt8]) -> HTTPRequest {
    var reader = HTTPHeadReader()
    var position = 0
    do {
      guard let head = try reader.next(in: bytes.span, at: &position, end: bytes.count) else {
        preconditionFailure("these requests are whole")
      }
      return try HTTPRequest(head: head)
    } catch {
      preconditionFailure("these requests are well-formed")
    }
  }
}

/// Uses a result, so that the work for it is not left out.
@inline(never)
private func keep(_ value: Int) {
  precondition(value >= 0, "a count")
}

private func processNanoseconds() -> Int64 {
  var time = timespec()
  guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { preconditionFailure("no clock") }
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
