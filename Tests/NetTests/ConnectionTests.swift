import Testing
import WebSocket

@testable import Net

private let hello = Array("hello".utf8)

@Suite("Connections")
struct ConnectionTests {
  @Test("The number of a name gives the name again")
  func numbers() {
    for slot in [0, 1, 77, Int32.max, -1, Int32.min] {
      for generation in [0, 1, 0x8000_0000, UInt32.max] {
        let name = ConnectionID(slot: slot, generation: generation)
        #expect(ConnectionID(number: name.number) == name)
      }
    }
  }

  @Test("frames that arrive byte by byte are one message")
  func bytewise() throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    for byte in RawClient.frame(.text, hello) { client.send([byte]) }
    #expect(client.readFrame() == .init(opcode: .text, payload: hello))
  }

  @Test("Everything of one turn leaves in one write")
  func oneWrite() throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    client.send((0..<16).flatMap { RawClient.frame(.binary, [UInt8($0)]) })
    #expect(client.read())
    let frames = (0..<16).map { _ in client.takeFrame() }
    #expect(frames == (0..<16).map { RawClient.Frame(opcode: .binary, payload: [UInt8($0)]) })
  }

  @Test("own messages and shared frames keep the order in which they were sent")
  func mixed() throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    server.perform { loop, _ in
      let shared = SharedFrame(.text, hello)
      for number in 0..<50 {
        loop.send(.binary, [UInt8(number)], to: id)
        loop.send(shared, to: id)
        if number == 25 { loop.send(.binary, [UInt8](repeating: 7, count: 1 << 20), to: id) }
      }
    }
    for number in 0..<50 {
      #expect(client.readFrame()?.payload == [UInt8(number)])
      #expect(client.readFrame()?.payload == hello)
      if number == 25 { #expect(client.readFrame()?.payload.count == 1 << 20) }
    }
  }

  @Test("a ping is answered with its payload, also between fragments")
  func ping() throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    var part: [UInt8] = []
    FrameWriter.append(
      .text, hello.span, isFinal: false, mask: MaskKey(bits: 1), to: &part)
    client.send(part)
    client.send(.ping, [1, 2, 3])
    client.send(.continuation, hello)
    #expect(client.readFrame() == .init(opcode: .pong, payload: [1, 2, 3]))
    #expect(client.readFrame()?.payload == hello + hello)
  }

  @Test("a close is answered with its code and the server ends its side first")
  func closedByPeer() throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    client.send(.close, [0x0F, 0xA1] + hello)
    #expect(client.readFrame() == .init(opcode: .close, payload: [0x0F, 0xA1]))
    #expect(client.seesEnd())
    let notice = CloseNotice(code: CloseCode(rawValue: 4001), reason: hello)
    #expect(server.nextEnding() == .closed(notice))
  }

  @Test("our close carries code and reason, and what was sent before it still arrives")
  func closedByUs() throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    server.perform { loop, _ in
      loop.send(.text, hello, to: id)
      loop.close(id, CloseCode(rawValue: 4506), reason: "bye")
      loop.send(.text, hello, to: id)
    }
    #expect(client.readFrame() == .init(opcode: .text, payload: hello))
    let close = client.readFrame()
    #expect(close == .init(opcode: .close, payload: [0x11, 0x9A] + Array("bye".utf8)))
    client.send(.text, hello)
    client.send(.close, [0x11, 0x9A])
    #expect(client.seesEnd())
    let notice = CloseNotice(code: CloseCode(rawValue: 4506), reason: [])
    #expect(server.nextEnding() == .closed(notice))
  }

  @Test(
    "who breaks the protocol is told how, and what follows is not heard",
    arguments: [
      ([0x81, 0x05] + hello, 1002, WebSocketFault.frameNotMasked),
      (RawClient.frame(.text, [0xFF]), 1007, .textNotUTF8),
      (RawClient.frame(.continuation, hello), 1002, .continuationWithoutStart),
    ])
  func failed(bytes: [UInt8], code: Int, fault: WebSocketFault) throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    client.send(bytes + RawClient.frame(.text, hello))
    let close = try #require(client.readFrame())
    #expect(close.opcode == .close)
    #expect(Array(close.payload.prefix(2)) == [UInt8(code >> 8), UInt8(code & 0xFF)])
    #expect(client.seesEnd())
    #expect(server.nextEnding() == .failed(fault))
  }

  @Test(
    "pings and pongs: 20 are allowed, and one more is 1008", arguments: [Opcode.ping, .pong])
  func controlFlood(opcode: Opcode) throws {
    let server = try Server { $0.controlFramesMax = 20 }
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    client.send((0..<20).flatMap { RawClient.frame(opcode, [UInt8($0)]) })
    client.send(.text, hello)
    if opcode == .ping {
      for number in 0..<20 {
        #expect(client.readFrame() == .init(opcode: .pong, payload: [UInt8(number)]))
      }
    }
    #expect(client.readFrame() == .init(opcode: .text, payload: hello))
    client.send(opcode, [])
    let close = client.readFrame()
    #expect(close?.opcode == .close)
    #expect(close?.payload.prefix(2) == [0x03, 0xF0])
    #expect(client.seesEnd())
    #expect(server.nextEnding() == .failed(.controlFramesTooMany))
  }

  @Test("whoever goes on after our last words is not read for long")
  func deaf() throws {
    let server = try Server { $0.closeMilliseconds = 60_000 }
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    client.send(.continuation, hello)
    let flood = [UInt8](repeating: 0, count: 64 << 20)
    #expect(client.sendWhileTaken(flood) < flood.count)
    #expect(client.readFrame()?.payload.prefix(2) == [0x03, 0xEA])
  }

  @Test("a message at the limit of its route arrives, one byte more is 1009")
  func sizes() throws {
    let server = try Server()
    let fields = "Sec-WebSocket-Protocol: whattodo.v1\r\n"
    let client = try #require(RawClient(webSocket: "/ws", port: server.port, fields: fields))
    for count in [999, 1000] {
      client.send(.binary, [UInt8](repeating: 1, count: count))
      #expect(client.readFrame()?.payload.count == count)
    }
    client.send(.binary, [UInt8](repeating: 1, count: 1001))
    #expect(client.readFrame()?.payload.prefix(2) == [0x03, 0xF1])
    #expect(server.nextEnding() == .failed(.messageTooBig))
  }

  @Test("an end without a close frame, orderly or by reset, is a loss", arguments: [false, true])
  func lost(byReset: Bool) throws {
    let server = try Server()
    do {
      let client = try #require(RawClient(webSocket: "/echo", port: server.port))
      if byReset { client.reset() }
    }
    #expect(server.nextEnding() == .lost)
  }

  @Test("a name is not valid after its connection, nor for the next one in its place")
  func names() throws {
    let server = try Server()
    var first = try #require(RawClient(webSocket: "/echo", port: server.port))
    let old = try #require(server.nextOpened())
    server.perform { loop, _ in loop.abort(old) }
    #expect(server.nextEnding() == .aborted)
    first = try #require(RawClient(webSocket: "/echo", port: server.port))
    let new = try #require(server.nextOpened())
    #expect(new.slot == old.slot)
    #expect(new != old)
    server.perform { loop, _ in
      loop.send(.text, Array("for nobody".utf8), to: old)
      loop.send(.text, hello, to: new)
    }
    #expect(first.readFrame()?.payload == hello)
  }

  @Test("a paused connection delivers nothing; resumed, everything in order")
  func pause() throws {
    let server = try Server(.pauses)
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    client.send((0..<50).flatMap { RawClient.frame(.binary, [UInt8($0)]) })
    for number in 0..<60 {
      let payload = server.next { told -> [UInt8]? in
        if case .received(_, _, let payload) = told { payload } else { nil }
      }
      #expect(payload == [UInt8(number)])
      if number < 10 { client.send(.binary, [UInt8(50 + number)]) }
      #expect(!server.hasSeen(.received(id, .binary, [UInt8(number + 1)])))
      server.perform { loop, _ in loop.resumeReading(id) }
    }
    client.send(.ping, [])
    #expect(client.readFrame()?.opcode == .pong)
  }

  @Test("silence is forgiven to a connection that we do not read")
  func pausedSilence() throws {
    let server = try Server(.pauses) {
      $0.pingMilliseconds = 50
      $0.silenceMilliseconds = 150
    }
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    client.send(.text, hello)
    for _ in 0..<8 { #expect(client.readFrame()?.opcode == .ping) }
  }

  @Test("our close is answered also when the connection was paused")
  func pausedClose() throws {
    let server = try Server(.pauses)
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    client.send(RawClient.frame(.text, hello) + RawClient.frame(.text, hello))
    #expect(server.expects(.received(id, .text, hello)))
    server.perform { loop, _ in loop.close(id, .normal) }
    #expect(client.readFrame()?.opcode == .close)
    client.send(.close, [0x03, 0xE8])
    #expect(server.nextEnding() == .closed(CloseNotice(code: .normal, reason: [])))
    #expect(!server.hasSeen(.received(id, .text, hello)))
  }
}
