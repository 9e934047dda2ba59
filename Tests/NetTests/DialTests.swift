import Testing
import WebSocket

@testable import Net

private let hello = Array("hello".utf8)

@Suite("Dialling")
struct DialTests {
  /// A loop that only dials.
  private func dialler(_ change: (inout NetOptions) -> Void = { _ in }) throws -> Server {
    try Server(.pauses) {
      $0.listen = []
      change(&$0)
    }
  }

  @Test(
    "opens, by address and by name, and messages go both ways",
    arguments: ["127.0.0.1", "localhost"])
  func opens(host: String) throws {
    let server = try Server()
    let client = try dialler()
    let port = server.port
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: host, port: port, path: "/ws?x=1", subprotocol: "whattodo.v1"))
    }
    let id = try #require(client.nextOpened())
    #expect(server.nextOpened() != nil)
    client.perform { loop, _ in loop.send(.text, hello, to: id) }
    #expect(client.expects(.received(id, .text, hello)))
    client.perform { loop, _ in
      loop.resumeReading(id)
      loop.close(id, .normal, reason: "done")
    }
    let notice = CloseNotice(code: .normal, reason: [])
    #expect(client.nextEnding() == .closed(notice))
    #expect(
      server.nextEnding() == .closed(CloseNotice(code: .normal, reason: Array("done".utf8))))
  }

  @Test("a close of the server reaches the client, and both sockets end")
  func closedByServer() throws {
    let server = try Server()
    let client = try dialler()
    let port = server.port
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/echo"))
    }
    let id = try #require(server.nextOpened())
    server.perform { loop, _ in loop.close(id, CloseCode(rawValue: 4001), reason: "drain") }
    let notice = CloseNotice(code: CloseCode(rawValue: 4001), reason: Array("drain".utf8))
    #expect(client.nextEnding() == .closed(notice))
  }

  @Test("heartbeats keep a dialled connection that says nothing")
  func heartbeat() throws {
    let server = try Server {
      $0.pingMilliseconds = 30
      $0.silenceMilliseconds = 2000
    }
    let client = try dialler { $0.pingMilliseconds = 40 }
    let port = server.port
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/echo"))
      _ = loop.setTimer(afterMilliseconds: 300)
    }
    let id = try #require(client.nextOpened())
    #expect(client.expects(.timer))
    client.perform { loop, _ in loop.send(.text, hello, to: id) }
    #expect(client.expects(.received(id, .text, hello)))
  }

  @Test("a server that does not upgrade is a refusal with its status")
  func refused() throws {
    let server = try Server()
    let client = try dialler()
    let port = server.port
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/nothing"))
    }
    #expect(
      client.nextEnding() == .refused(.refused(status: 404, retryAfterSeconds: nil)))
  }

  @Test("a path or host that would break the request is refused before anything is sent")
  func notSendable() throws {
    let client = try dialler()
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "127.0.0.1", port: 1, path: "/a b\r\nX: y"))
    }
    #expect(client.nextEnding() == .refused(.notSendable))
  }

  @Test("nobody there, and no such name")
  func unreachable() throws {
    let port: UInt16
    do { port = try Server().port }
    let client = try dialler()
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/echo"))
    }
    #expect(client.nextEnding() == .unreachable(.system(.connect, errno: 111)))
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "no-such-host.invalid", port: port, path: "/echo"))
    }
    #expect(client.nextEnding() == .unreachable(.unknownHost("no-such-host.invalid")))
  }

  @Test("a server that accepts and says nothing times out; one given up is aborted")
  func silentServer() throws {
    // A listener whose loop never runs accepts in the kernel only.
    let listener = try Listener(try ListenAddress("127.0.0.1:0"))
    defer { listener.close() }
    let port = listener.address.port
    let client = try dialler { $0.handshakeMilliseconds = 100 }
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/echo"))
    }
    #expect(client.nextEnding() == .timedOut)
    client.perform { loop, _ in
      loop.abort(loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/echo")))
    }
    #expect(client.nextEnding() == .aborted)
  }
}
