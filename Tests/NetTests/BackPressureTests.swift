import Testing
import WebSocket

@testable import Net

@Suite("Back-pressure")
struct BackPressureTests {
  /// Less than what is sent, and not the least that the kernel takes: with a window of one segment each two
  /// kilobytes may wait for an acknowledgement that is delayed by 200 ms.
  private static let small = 65_536

  /// 4 MiB in frames whose payloads tell their number.
  private static func payload(_ number: Int) -> [UInt8] {
    [UInt8(number)] + [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31), count: 1 << 16)
  }

  @Test("Bytes that a small kernel buffer does not take arrive later, whole and in order")
  func splitWrites() throws {
    let server = try Server { $0.sendBufferBytes = BackPressureTests.small }
    let client = try #require(
      RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    server.perform { loop, _ in
      for number in 0..<64 { loop.send(.binary, BackPressureTests.payload(number), to: id) }
    }
    let pending = try Mailbox<Int>()
    server.perform { loop, _ in pending.post(loop.pendingBytes(id)) }
    #expect(pending.wait(milliseconds: Int(patienceMilliseconds)).first ?? 0 > 1 << 21)
    for number in 0..<64 {
      #expect(client.readFrame()?.payload == BackPressureTests.payload(number))
    }
    #expect(server.expects(.writable(id)))
    server.perform { loop, _ in pending.post(loop.pendingBytes(id)) }
    #expect(pending.wait(milliseconds: Int(patienceMilliseconds)) == [0])
  }

  @Test("a message sent while others wait keeps its place, and so does the close")
  func order() throws {
    let server = try Server { $0.sendBufferBytes = BackPressureTests.small }
    let client = try #require(
      RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    server.perform { loop, _ in
      loop.send(.binary, [UInt8](repeating: 9, count: 1 << 22), to: id)
    }
    server.perform { loop, _ in
      loop.send(SharedFrame(.text, Array("shared".utf8)), to: id)
      loop.send(.text, Array("own".utf8), to: id)
      loop.close(id, .normal)
    }
    #expect(client.readFrame()?.payload.count == 1 << 22)
    #expect(client.readFrame()?.payload == Array("shared".utf8))
    #expect(client.readFrame()?.payload == Array("own".utf8))
    #expect(client.readFrame()?.opcode == .close)
    client.send(.close, [0x03, 0xE8])
    #expect(client.seesEnd())
  }

  @Test("one who does not read costs the others nothing")
  func slowReader() throws {
    let server = try Server { $0.sendBufferBytes = BackPressureTests.small }
    let slow = try #require(
      RawClient(webSocket: "/echo", port: server.port))
    let slowID = try #require(server.nextOpened())
    let quick = try #require(RawClient(webSocket: "/echo", port: server.port))
    let quickID = try #require(server.nextOpened())
    server.perform { loop, _ in
      loop.send(.binary, [UInt8](repeating: 9, count: 1 << 22), to: slowID)
    }
    for number in 0..<200 {
      server.perform { loop, _ in
        let frame = SharedFrame(.binary, [UInt8(number)])
        if loop.pendingBytes(slowID) == 0 { loop.send(frame, to: slowID) }
        loop.send(frame, to: quickID)
      }
      #expect(quick.readFrame()?.payload == [UInt8(number)])
    }
    #expect(slow.readFrame()?.payload.count == 1 << 22)
    #expect(slow.takeFrame() == nil)
  }

  @Test("one who asks and does not read is not read either, until the answers are taken")
  func asksOnly() throws {
    let server = try Server {
      $0.sendBufferBytes = BackPressureTests.small
      $0.receiveBytes = 65_536
      $0.backlogBytesMax = 65_536
    }
    let client = try #require(
      RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    let question = RawClient.frame(.binary, [UInt8](repeating: 7, count: 125))
    let flood = [[UInt8]](repeating: question, count: (32 << 20) / question.count).flatMap(\.self)
    let taken = client.sendWhileTaken(flood)
    #expect(taken < flood.count)
    let pending = try Mailbox<Int>()
    server.perform { loop, _ in pending.post(loop.pendingBytes(id)) }
    let most = pending.wait(milliseconds: Int(patienceMilliseconds)).first ?? .max
    #expect((65_537...2 * 65_536 + 4096).contains(most))
    let answers = taken / question.count * (question.count - 4)
    while client.buffer.count < answers, client.read() {}
    #expect(client.buffer.count >= answers)
  }

  @Test("a client reads on while its server does not, so that the two never wait for each other")
  func clientReadsOn() throws {
    let server = try Server()
    let client = try Server {
      $0.listen = []
      $0.sendBufferBytes = BackPressureTests.small
      $0.backlogBytesMax = 65_536
    }
    let port = server.port
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/echo"))
    }
    let (near, far) = (try #require(client.nextOpened()), try #require(server.nextOpened()))
    let pending = try Mailbox<Int>()
    server.perform { loop, _ in
      loop.pauseReading(far)
      pending.post(0)
    }
    #expect(pending.wait(milliseconds: Int(patienceMilliseconds)) == [0])
    client.perform { loop, _ in
      for _ in 0..<4 { loop.send(.binary, [UInt8](repeating: 9, count: 1 << 22), to: near) }
    }
    client.perform { loop, _ in pending.post(loop.pendingBytes(near)) }
    #expect(pending.wait(milliseconds: Int(patienceMilliseconds)).first ?? 0 > 65_536)
    server.perform { loop, _ in loop.send(.text, Array("news".utf8), to: far) }
    #expect(client.expects(.received(near, .text, Array("news".utf8))))
  }

  @Test("one who goes while bytes wait is a loss")
  func leaves() throws {
    let server = try Server { $0.sendBufferBytes = BackPressureTests.small }
    do {
      let client = try #require(
        RawClient(webSocket: "/echo", port: server.port))
      let id = try #require(server.nextOpened())
      server.perform { loop, _ in
        loop.send(.binary, [UInt8](repeating: 9, count: 1 << 22), to: id)
      }
      #expect(client.read())
      client.reset()
    }
    #expect(server.nextEnding() == .lost)
  }
}

@Suite("Silence and deadlines")
struct SilenceTests {
  @Test("a peer from whom nothing comes is gone after the silence, not before")
  func halfOpen() throws {
    let server = try Server {
      $0.pingMilliseconds = 100
      $0.silenceMilliseconds = 300
    }
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    #expect(server.nextOpened() != nil)
    let opened = MachineClock.monotonic()
    #expect(client.readFrame()?.opcode == .ping)
    #expect(server.nextEnding() == .timedOut)
    #expect(MachineClock.monotonic() - opened >= 250)
    #expect(client.seesEnd())
  }

  @Test("one who answers pings stays")
  func answers() throws {
    let server = try Server {
      $0.pingMilliseconds = 50
      $0.silenceMilliseconds = 1000
    }
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    for _ in 0..<30 {
      #expect(client.readFrame() == .init(opcode: .ping, payload: []))
      client.send(.pong, [])
    }
    client.send(.text, Array("here".utf8))
    let deadline = Deadline()
    var payload = client.readFrame(deadline)
    while payload?.opcode == .ping { payload = client.readFrame(deadline) }
    #expect(payload?.payload == Array("here".utf8))
  }

  @Test("one who does not answer our close is dropped")
  func closeDeadline() throws {
    let server = try Server { $0.closeMilliseconds = 100 }
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    server.perform { loop, _ in loop.close(id, .goingAway) }
    #expect(client.readFrame()?.opcode == .close)
    #expect(server.nextEnding() == .timedOut)
    #expect(client.seesEnd())
  }

  @Test("at the stop nobody waits long for one who does not answer, whenever it was told")
  func stopDeadline() throws {
    let server = try Server(.stays) {
      $0.closeMilliseconds = 60_000
      $0.stopMilliseconds = 100
    }
    let first = try #require(RawClient(webSocket: "/echo", port: server.port))
    let firstID = try #require(server.nextOpened())
    let second = try #require(RawClient(webSocket: "/echo", port: server.port))
    let secondID = try #require(server.nextOpened())
    server.perform { loop, _ in loop.close(firstID, .goingAway) }
    #expect(first.readFrame()?.opcode == .close)
    server.group.stop()
    #expect(server.expects(.stopRequested))
    server.perform { loop, _ in loop.close(secondID, .goingAway) }
    #expect(server.expects(.closed(firstID, .timedOut)))
    #expect(server.expects(.closed(secondID, .timedOut)))
    #expect(second.readFrame()?.opcode == .close)
    #expect(first.seesEnd() && second.seesEnd())
  }

  @Test("a timer fires once")
  func timer() throws {
    let server = try Server()
    server.perform { loop, _ in
      _ = loop.setTimer(afterMilliseconds: 20)
      loop.cancelTimer(loop.setTimer(afterMilliseconds: 1))
    }
    #expect(server.expects(.timer))
    server.perform { loop, _ in _ = loop.setTimer(afterMilliseconds: 50) }
    #expect(server.expects(.timer))
    #expect(!server.hasSeen(.timer))
  }
}
