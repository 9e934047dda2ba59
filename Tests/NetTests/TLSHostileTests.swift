import Crypto
import Testing
import WebSocket

@testable import Net

@Suite("TLS listeners and what comes to them")
struct TLSHostileTests {
  private let tls: TestTLS
  private let hello = Array("hello".utf8)

  init() throws {
    tls = try TestTLS()
  }

  private static let strangers: [(String, [UInt8])] = [
    ("zeros", [UInt8](repeating: 0, count: 2000)),
    ("noise", (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 &+ 3) }),
    ("SSH", Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)),
    ("half a greeting, then noise", [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3] + [UInt8](0...250)),
  ]

  @Test("random bytes are answered with an alert and the end", arguments: strangers.indices)
  func garbage(index: Int) throws {
    let server = try tls.listener()
    let client = try #require(RawClient(port: server.port))
    client.send(TLSHostileTests.strangers[index].1)
    #expect(client.seesEnd())
    // A fatal alert.
    #expect(client.buffer.count == 7 && client.buffer[0] == 21 && client.buffer[5] == 2)
    #expect(tls.connect(port: server.port) != nil)
  }

  @Test("a plain request is told in plain words that TLS is spoken here")
  func plainRequest() throws {
    let server = try tls.listener()
    let client = try #require(RawClient(port: server.port))
    client.send(RawClient.upgrade("/echo"))
    let answer = client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 400 "))
    #expect(answer.hasSuffix("This port speaks TLS: use https or wss.\n"))
    #expect(client.isAtEnd)
  }

  @Test("a TLS greeting on a plain port is answered 400")
  func tlsOnPlain() throws {
    let server = try Server()
    let link = try #require(SecureLink(tls.client))
    let client = try #require(RawClient(port: server.port))
    client.sendRaw(link.takeDue())
    #expect(client.readToEnd().hasPrefix("HTTP/1.1 400 "))
  }

  @Test("a handshake that is not finished in time ends without a word", arguments: [0, 1, 5, 100])
  func slowHandshake(sent: Int) throws {
    let server = try tls.listener { $0.handshakeMilliseconds = 200 }
    let link = try #require(SecureLink(tls.client))
    let client = try #require(RawClient(port: server.port))
    client.sendRaw(Array(link.takeDue().prefix(sent)))
    #expect(client.seesEnd())
    #expect(client.buffer.isEmpty)
  }

  @Test("a connection that is kept for the next request and hears none is ended in words of TLS")
  func keptAlive() throws {
    let server = try tls.listener { $0.keepAliveMilliseconds = 100 }
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(nil, port: server.port, link: link))
    client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(client.seesEnd())
    #expect(link.sawEnd)
  }

  @Test("one that is finished but asks nothing is told so over TLS")
  func slowRequest() throws {
    let server = try tls.listener { $0.handshakeMilliseconds = 300 }
    let client = try #require(tls.connect(nil, port: server.port))
    client.send("GET /healthz HTT")
    #expect(client.readToEnd().hasPrefix("HTTP/1.1 408 "))
  }

  @Test("too many connections are told so over TLS")
  func tooMany() throws {
    let server = try tls.listener { $0.connectionsMax = 1 }
    let first = tls.connect(port: server.port)
    #expect(first != nil)
    let second = try #require(tls.connect(nil, port: server.port))
    second.send(RawClient.upgrade("/echo"))
    #expect(second.readToEnd().hasPrefix("HTTP/1.1 503 "))
  }

  @Test("a record that was tampered with ends that connection only")
  func tampered() throws {
    let server = try tls.listener()
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(port: server.port, link: link))
    let other = try #require(tls.connect(port: server.port))
    var record = link.seal(RawClient.frame(.text, hello))
    record[record.count - 1] ^= 1
    client.sendRaw(record)
    guard case .unprotected = try #require(server.nextEnding()) else {
      Issue.record("the connection ended in another way")
      return
    }
    #expect(client.seesEnd())
    #expect(link.fault != nil)
    other.send(.text, hello)
    #expect(other.readFrame()?.payload == hello)
  }

  @Test("an end of TLS, or of the socket alone, is a loss, after what came before it")
  func peerEnds() throws {
    let server = try tls.listener()
    for saysEnd in [true, false] {
      let link = try #require(SecureLink(tls.client))
      let client = try #require(tls.connect(port: server.port, link: link))
      let id = try #require(server.nextOpened())
      client.sendRaw(link.seal(RawClient.frame(.text, hello)) + (saysEnd ? link.end() : []))
      if !saysEnd { client.finishSending() }
      #expect(server.expects(.received(id, .text, hello)))
      #expect(server.nextEnding() == .lost)
      #expect(client.seesEnd())
    }
  }

  @Test("Bytes from before a pause come after it, then the peer's end")
  func pausedEnd() throws {
    let server = try tls.listener(.pauses)
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(port: server.port, link: link))
    let id = try #require(server.nextOpened())
    let frames = (0..<3).map { link.seal(RawClient.frame(.text, [48 + $0])) }
    client.sendRaw(frames.flatMap(\.self) + link.end())
    for number: UInt8 in 0..<3 {
      #expect(server.expects(.received(id, .text, [48 + number])))
      #expect(!server.hasSeen(.closed(id, .lost)))
      server.perform { loop, _ in loop.resumeReading(id) }
    }
    #expect(server.nextEnding() == .lost)
  }

  // MARK: Back-pressure

  // Not with the smallest buffers: a window of one segment is told with an acknowledgement that the kernel
  // delays by 200 ms now and then, and a megabyte takes minutes.

  @Test(
    "Bytes that a small kernel buffer does not take arrive later, whole, in order, then the close")
  func backlog() throws {
    let server = try tls.listener { $0.sendBufferBytes = 65_536 }
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(port: server.port, link: link))
    let id = try #require(server.nextOpened())
    let pending = try Mailbox<Int>()
    server.perform { loop, _ in
      for number: UInt8 in 0..<64 {
        loop.send(.binary, [UInt8](repeating: number, count: 1 << 16), to: id)
      }
    }
    server.perform { loop, _ in
      pending.post(loop.pendingBytes(id))
      loop.send(SharedFrame(.text, Array("shared".utf8)), to: id)
      loop.send(.text, Array("own".utf8), to: id)
      loop.close(id, .normal)
    }
    #expect(pending.wait(milliseconds: Int(patienceMilliseconds)).first ?? 0 > 1 << 21)
    for number: UInt8 in 0..<64 {
      #expect(client.readFrame()?.payload == [UInt8](repeating: number, count: 1 << 16))
    }
    #expect(client.readFrame()?.payload == Array("shared".utf8))
    #expect(client.readFrame()?.payload == Array("own".utf8))
    #expect(client.readFrame()?.opcode == .close)
    client.send(.close, [0x03, 0xE8])
    #expect(client.seesEnd())
    #expect(link.sawEnd)
  }

  @Test("one who asks and does not read is not read either, until the answers are taken")
  func asksOnly() throws {
    let server = try tls.listener {
      $0.sendBufferBytes = 65_536
      $0.receiveBytes = 65_536
      $0.backlogBytesMax = 65_536
    }
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(port: server.port, link: link))
    let id = try #require(server.nextOpened())
    let question = RawClient.frame(.binary, [UInt8](repeating: 7, count: 125))
    let some = [[UInt8]](repeating: question, count: 512).flatMap(\.self)
    var flood: [UInt8] = []
    for _ in 0..<((16 << 20) / some.count) { flood += link.seal(some) }
    let taken = client.sendWhileTaken(flood)
    #expect(taken < flood.count)
    let pending = try Mailbox<Int>()
    server.perform { loop, _ in pending.post(loop.pendingBytes(id)) }
    let most = pending.wait(milliseconds: Int(patienceMilliseconds)).first ?? .max
    // One read's answers come on top, each turn's in records of their own.
    #expect((65_537...3 * 65_536).contains(most))
    // Records that went whole have all been answered in the end.
    let records = taken / link.seal(some).count
    let answers = records * 512 * (question.count - 4)
    while client.buffer.count < answers, client.read() {}
    #expect(client.buffer.count >= answers)
  }
}
