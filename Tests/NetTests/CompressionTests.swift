import Deflate
import Testing
import WebSocket

@testable import Net

private let wide = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
private let narrow = "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=12\r\n"

/// A text that is worth compressing.
private func words(_ count: Int, _ number: Int = 0) -> [UInt8] {
  let text = "\(number) " + String(repeating: "bread and milk ", count: count / 15 + 1)
  return Array(text.utf8.prefix(count))
}

/// The same bytes in every run, from `first` on, of so many values (Knuth, TAOCP 2 §3.3.4, MMIX).
private func noise(_ count: Int, from first: UInt8 = 0, values: UInt64 = 256) -> [UInt8] {
  var state: UInt64 = 7692
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return first &+ UInt8(truncatingIfNeeded: (state >> 40) % values)
  }
}

private func compressed(_ message: [UInt8]) -> [UInt8] {
  var payload: [UInt8] = []
  Deflater(window: .bits15).compress(message.span, to: &payload)
  return payload
}

extension RawClient.Frame {
  /// The message that the receiver of this frame reads.
  fileprivate var message: [UInt8] {
    get throws {
      isCompressed ? try Inflater().inflate(payload.span, bytesMax: 1 << 24) : payload
    }
  }
}

@Suite("RFC 7692 permessage-deflate over sockets")
struct CompressionTests {
  private static func server(
    loops: Int = 1, _ change: (inout NetOptions) -> Void = { _ in }
  ) throws -> Server {
    var routes = RouteTable()
    routes.addWebSocket("/echo", messageBytesMax: 100_000, deflate: true)
    routes.addWebSocket("/plain", messageBytesMax: 100_000)
    return try Server(routes: routes) {
      $0.loops = loops
      change(&$0)
    }
  }

  @Test("the answer to the upgrade says what was agreed on")
  func answer() throws {
    let server = try CompressionTests.server()
    let agreed = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
    for (path, fields, wanted) in [
      ("/echo", wide, agreed), ("/echo", narrow, agreed + "; server_max_window_bits=9"),
      ("/echo", "", nil), ("/plain", wide, nil),
    ] {
      let client = try #require(RawClient(port: server.port))
      client.send(RawClient.upgrade(path, fields: fields))
      let head = try #require(client.readHead())
      #expect(head.hasPrefix("HTTP/1.1 101 "))
      #expect(head.contains("Sec-WebSocket-Extensions: ") == (wanted != nil))
      if let wanted { #expect(head.contains("Sec-WebSocket-Extensions: \(wanted)\r\n")) }
    }
    let client = try #require(RawClient(port: server.port))
    client.send(
      RawClient.upgrade("/echo", fields: "Sec-WebSocket-Extensions: permessage-deflate;\r\n"))
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 400 ") == true)
  }

  @Test("compressed both ways, from the size on where it pays, if it gets shorter")
  func echo() throws {
    let server = try CompressionTests.server()
    for fields in [wide, narrow] {
      let client = try #require(
        RawClient(webSocket: "/echo", port: server.port, fields: fields))
      for (message, isCompressed) in [
        (words(255), false), (words(256), true), (words(257), true), (words(100_000), true),
        (noise(2000), false), ([], false),
      ] {
        // The client may compress anything.
        for frame in [
          RawClient.frame(.binary, message),
          RawClient.frame(.binary, compressed(message), isCompressed: true),
        ] {
          client.send(frame)
          let echo = try #require(client.readFrame())
          #expect(echo.opcode == .binary && echo.isCompressed == isCompressed)
          #expect(try echo.message == message)
        }
      }
    }
  }

  @Test("Messages that may not be compressed are not, and nothing is for who did not offer it")
  func plain() throws {
    let server = try CompressionTests.server()
    let text = words(1000)
    for (path, fields, isCompressed) in [
      ("/echo", wide, true), ("/echo", "", false), ("/plain", wide, false),
    ] {
      let client = try #require(RawClient(webSocket: path, port: server.port, fields: fields))
      let id = try #require(server.nextOpened())
      server.perform { loop, _ in
        loop.send(.text, text, to: id)
        loop.send(.text, text, to: id, compressible: false)
        loop.send(SharedFrame(.text, text), to: id)
        loop.send(SharedFrame(.text, text, compressible: false), to: id)
      }
      for wanted in [isCompressed, false, isCompressed, false] {
        let frame = try #require(client.readFrame())
        #expect(frame.isCompressed == wanted)
        #expect(try frame.message == text)
      }
    }
  }

  @Test("one message to many: three forms, the same bytes for all of a kind on all loops")
  func forms() throws {
    let server = try CompressionTests.server(loops: 2)
    let kinds = ["", wide, narrow]
    var clients: [RawClient] = []
    for number in 0..<12 {
      clients.append(
        try #require(
          RawClient(webSocket: "/echo", port: server.port, fields: kinds[number % 3])))
      #expect(server.nextOpened() != nil)
    }
    // Repeats after 3000 bytes: far for a window of 9 bits.
    let unit = noise(3000, from: 97, values: 8)
    let frames = (0..<20).map { SharedFrame(.text, Array("\($0)".utf8) + unit + unit) }
    for loop in 0..<2 {
      server.perform(on: loop) { loop, probe in
        for frame in frames { for id in probe.open { loop.send(frame, to: id) } }
      }
    }
    for frame in frames {
      var seen: [[RawClient.Frame]] = [[], [], []]
      for (number, client) in clients.enumerated() {
        seen[number % 3].append(try #require(client.readFrame()))
      }
      for (kind, frames) in seen.enumerated() {
        #expect(frames.allSatisfy { $0 == frames[0] })
        #expect(frames[0].isCompressed == (kind > 0))
        #expect(try frames[0].message == seen[0][0].payload)
      }
      #expect(frame.bytes.suffix(6000).elementsEqual(unit + unit))
      #expect(seen[1][0].payload.count < seen[2][0].payload.count)
    }
  }

  @Test("a receiver that does not read gets compressed frames in the end, in order")
  func slow() throws {
    let server = try CompressionTests.server {
      $0.pingMilliseconds = 0
      $0.sendBufferBytes = 8192
    }
    let client = try #require(
      RawClient(webSocket: "/echo", port: server.port, fields: wide))
    let id = try #require(server.nextOpened())
    let body = noise(20_000, from: 97, values: 4)
    let bodies = (0..<100).map { Array("\($0) ".utf8) + body }
    for bodies in [bodies[..<50], bodies[50...]] {
      server.perform { loop, _ in
        for (number, body) in bodies.enumerated() {
          if number.isMultiple(of: 2) {
            loop.send(SharedFrame(.text, body), to: id)
          } else {
            loop.send(.text, body, to: id)
          }
        }
      }
    }
    for body in bodies {
      let frame = try #require(client.readFrame())
      #expect(frame.isCompressed)
      #expect(try frame.message == body)
    }
  }

  @Test("bombs, broken streams and misplaced bits end their connection and no other")
  func hostile() throws {
    let server = try CompressionTests.server()
    let other = try #require(RawClient(webSocket: "/echo", port: server.port, fields: wide))
    let bomb = compressed(Array(repeating: 0, count: 50 << 20))
    #expect(bomb.count < 100_000)
    let ping: [UInt8] = [0xC9, 0x80, 0, 0, 0, 0]
    let isCompressed = true
    for (path, bytes, fault) in [
      ("/echo", RawClient.frame(.binary, bomb, isCompressed: isCompressed), .messageTooBig),
      ("/echo", RawClient.frame(.binary, [7, 0], isCompressed: isCompressed), .compressionBroken),
      ("/echo", RawClient.frame(.text, compressed([0xFF]), isCompressed: true), .textNotUTF8),
      ("/echo", ping, .reservedBitSet),
      ("/plain", RawClient.frame(.text, [0], isCompressed: isCompressed), .reservedBitSet),
    ] as [(String, [UInt8], WebSocketFault)] {
      let client = try #require(RawClient(webSocket: path, port: server.port, fields: wide))
      client.send(bytes)
      let close = try #require(client.readFrame())
      #expect(close.opcode == .close)
      let code = close.payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
      #expect(code == fault.closeCode.rawValue)
      #expect(server.nextEnding() == .failed(fault))
      other.send(.text, words(500))
      #expect(try other.readFrame()?.message == words(500))
    }
  }

  @Test("many large messages in few bytes do not hold up the others, and come all, in order")
  func flood() throws {
    let server = try CompressionTests.server()
    let flooder = try #require(RawClient(webSocket: "/echo", port: server.port, fields: wide))
    #expect(server.nextOpened() != nil)
    let other = try #require(RawClient(webSocket: "/echo", port: server.port))
    let otherID = try #require(server.nextOpened())
    let count = 200
    let bodies = (0..<count).map { Array("\($0) ".utf8) + Array(repeating: 0x20, count: 99_000) }
    // The loop waits until both have sent.
    let gate = try Mailbox<Bool>()
    server.perform { _, _ in _ = gate.wait() }
    flooder.send(bodies.flatMap { RawClient.frame(.text, compressed($0), isCompressed: true) })
    other.send(.text, Array("me too".utf8))
    gate.post(true)
    var heard: [ConnectionID] = []
    while heard.last != otherID {
      heard.append(
        try #require(server.next { if case .received(let id, _, _) = $0 { id } else { nil } }))
    }
    for body in bodies {
      let echo = try #require(flooder.readFrame())
      #expect(try echo.message == body)
    }
    #expect(other.readFrame()?.payload == Array("me too".utf8))
    #expect(heard.count < count / 2)
  }

  @Test("a dialled connection offers compression, uses it, and masks")
  func dialled() throws {
    let server = try CompressionTests.server()
    let client = try Server(.pauses) { $0.listen = [] }
    let port = server.port
    for path in ["/echo", "/plain"] {
      client.perform { loop, _ in
        var target = DialTarget(host: "127.0.0.1", port: port, path: path)
        target.deflate = true
        _ = loop.dial(target)
      }
      let id = try #require(client.nextOpened())
      let text = words(50_000)
      let before = client.group.counters[0].counts[.bytesOut]
      client.perform { loop, _ in loop.send(.text, text, to: id) }
      #expect(client.expects(.received(id, .text, text)))
      let sent = client.group.counters[0].counts[.bytesOut] - before
      #expect(path == "/echo" ? sent < 1000 : sent > 50_000)
      #expect(
        server.next { if case .received(_, .text, let bytes) = $0 { bytes } else { nil } } == text)
    }
  }

  @Test("a form made by several threads at once is one form for all of them")
  func atOnce() throws {
    let frames = (0..<500).map { SharedFrame(.text, words(400, $0)) }
    let results = try Mailbox<[ObjectIdentifier]>()
    let threads = try (0..<4).map { _ in
      try Net.Thread.start(name: "former") {
        let compressors = Compressors(bytesMin: 256)
        results.post(
          frames.flatMap { frame in
            [DeflateWindow.bits15, .bits9].map { ObjectIdentifier(frame.form($0, compressors)) }
          })
      }
    }
    for thread in threads { thread.join() }
    let lists = results.take()
    #expect(lists.count == 4)
    #expect(Set(lists).count == 1)
    #expect(Set(lists[0]).count == 1000)
  }
}
