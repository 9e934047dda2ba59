import Crypto
import Glibc
import TestCertificates
import Testing
import WebSocket

@testable import Net

@Suite("Dialling over TLS")
struct TLSDialTests {
  private let tls: TestTLS
  private let hello = Array("hello".utf8)

  init() throws {
    tls = try TestTLS()
  }

  private func dialler(_ change: (inout NetOptions) -> Void = { _ in }) throws -> Server {
    try Server(.pauses) {
      $0.listen = []
      change(&$0)
    }
  }

  private func secureServer() throws -> Server {
    let context = tls.server
    return try Server { $0.tls = context }
  }

  private func dial(
    _ client: Server, _ port: UInt16, host: String = "localhost", trust: TLSContext? = nil
  ) {
    let context = trust ?? tls.client
    client.perform { loop, _ in
      _ = loop.dial(DialTarget(host: host, port: port, path: "/echo", tls: context))
    }
  }

  @Test(
    "opens by name and by address, and messages go both ways",
    arguments: ["localhost", "127.0.0.1"])
  func opens(host: String) throws {
    let server = try secureServer()
    let client = try dialler()
    dial(client, server.port, host: host)
    let id = try #require(client.nextOpened())
    #expect(server.nextOpened() != nil)
    client.perform { loop, _ in loop.send(.text, hello, to: id) }
    #expect(client.expects(.received(id, .text, hello)))
    client.perform { loop, _ in
      loop.resumeReading(id)
      loop.close(id, .normal, reason: "done")
    }
    #expect(client.nextEnding() == .closed(CloseNotice(code: .normal, reason: [])))
    #expect(
      server.nextEnding() == .closed(CloseNotice(code: .normal, reason: Array("done".utf8))))
  }

  @Test("a large message goes there and back")
  func large() throws {
    let server = try secureServer()
    let client = try dialler()
    let (port, context) = (server.port, tls.client)
    client.perform { loop, _ in
      var target = DialTarget(host: "localhost", port: port, path: "/echo", tls: context)
      target.messageBytesMax = 1 << 24
      _ = loop.dial(target)
    }
    let id = try #require(client.nextOpened())
    let payload = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    client.perform { loop, _ in loop.send(.binary, payload, to: id) }
    let wanted = Told.received(id, .binary, payload)
    let isWhole = client.expects(wanted)
    #expect(isWhole)
  }

  @Test("a server with another name, or of another authority, is not spoken to")
  func untrusted() throws {
    let identity = try tls.authority.issue("dialled", names: "DNS:example.org")
    let context = try TLSContext.server(
      certificateFile: identity.certificateFile, keyFile: identity.keyFile)
    let named = try Server { $0.tls = context }
    let client = try dialler()
    // X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH.
    dial(client, named.port, host: "localhost")
    #expect(client.nextEnding() == .unprotected(.certificate(62)))
    dial(client, named.port, host: "127.0.0.1")
    #expect(client.nextEnding() == .unprotected(.certificate(64)))
    let server = try secureServer()
    dial(client, server.port, trust: try .client())
    guard case .unprotected(.certificate) = try #require(client.nextEnding()) else {
      Issue.record("a stranger was trusted")
      return
    }
    #expect(server.group.counters[0].counts[.opened] == 0)
  }

  @Test("a server without TLS is not spoken to")
  func plainServer() throws {
    let server = try Server()
    let client = try dialler()
    dial(client, server.port)
    #expect(client.nextEnding() == .unprotected(.notTLS))
    #expect(server.group.counters[0].counts[.opened] == 0)
  }

  @Test("a server that accepts and says nothing times out; one that goes is a refusal")
  func silentServer() throws {
    let listener = try Listener(try ListenAddress("127.0.0.1:0"))
    let port = listener.address.port
    let client = try dialler { $0.handshakeMilliseconds = 200 }
    dial(client, port)
    #expect(client.nextEnding() == .timedOut)
    listener.close()
    dial(client, port)
    #expect(client.nextEnding() == .unreachable(.system(.connect, errno: ECONNREFUSED)))
  }

  @Test("a client that comes back is resumed")
  func resumed() throws {
    let server = try secureServer()
    let client = try dialler()
    for _ in 0..<2 {
      dial(client, server.port)
      let id = try #require(client.nextOpened())
      client.perform { loop, _ in loop.send(.text, hello, to: id) }
      #expect(client.expects(.received(id, .text, hello)))
      let resumed = try Mailbox<Bool>()
      client.perform { loop, _ in
        resumed.post(loop.findOpen(id)?.pointee.tls?.wasResumed ?? false)
        loop.abort(id)
      }
      let answer = resumed.wait(milliseconds: Int(patienceMilliseconds))
      #expect(answer == [server.group.counters[0].counts[.tlsHandshakes] == 2])
      #expect(client.nextEnding() == .aborted)
    }
  }
}
