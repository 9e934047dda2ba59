import Crypto
import TestCertificates
import Testing
import WebSocket

@testable import Net

@Suite("TLS listeners")
struct TLSServerTests {
  private let tls: TestTLS
  private let hello = Array("hello".utf8)

  init() throws {
    tls = try TestTLS()
  }

  @Test("messages go both ways, a close is answered, and the end is said")
  func echo() throws {
    let server = try tls.listener()
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(port: server.port, link: link))
    client.send(.text, hello)
    #expect(client.readFrame() == .init(opcode: .text, payload: hello))
    client.send(.close, [0x03, 0xE8])
    #expect(client.readFrame()?.opcode == .close)
    #expect(client.seesEnd())
    #expect(link.sawEnd && link.fault == nil)
    #expect(server.nextEnding() == .closed(CloseNotice(code: .normal, reason: [])))
  }

  private static let rows: [(String, Int)] = [
    ("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
    ("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404), ("nonsense\r\n\r\n", 400),
    ("POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nok", 200),
  ]

  @Test("requests are answered", arguments: rows)
  func requests(request: String, status: Int) throws {
    let server = try tls.listener()
    let client = try #require(tls.connect(nil, port: server.port))
    client.send(request)
    let head = try #require(client.readHead())
    #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(head)")
  }

  @Test("a greeting, an upgrade and a message that come byte by byte are served")
  func splits() throws {
    let server = try tls.listener()
    let link = try #require(SecureLink(tls.client))
    let raw = try #require(RawClient(port: server.port))
    var due = link.takeDue()
    let deadline = Deadline()
    while !link.isOpen, !deadline.isOver {
      for byte in due { raw.sendRaw([byte]) }
      due = []
      #expect(raw.read(deadline))
      _ = link.open(raw.takeBuffer()[...])
      due = link.takeDue()
    }
    due += link.seal(Array(RawClient.upgrade("/echo").utf8) + RawClient.frame(.text, hello))
    for byte in due { raw.sendRaw([byte]) }
    #expect(server.nextOpened() != nil)
    #expect(
      server.next { if case .received(_, .text, let bytes) = $0 { bytes } else { nil } } == hello)
  }

  @Test("One turn sends one record, not one for each message")
  func coalesced() throws {
    let server = try tls.listener()
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(port: server.port, link: link))
    let id = try #require(server.nextOpened())
    let before = link.recordCount
    server.perform { loop, _ in
      let shared = SharedFrame(.text, Array("shared".utf8))
      for _ in 0..<50 {
        loop.send(shared, to: id)
        loop.send(.text, Array("own".utf8), to: id)
      }
    }
    for _ in 0..<50 {
      #expect(client.readFrame()?.payload == Array("shared".utf8))
      #expect(client.readFrame()?.payload == Array("own".utf8))
    }
    #expect(link.recordCount == before + 1)
  }

  @Test("large messages arrive whole both ways", arguments: [1, 16_383, 16_384, 16_385, 1_500_000])
  func large(count: Int) throws {
    let server = try tls.listener { $0.pingMilliseconds = 0 }
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(port: server.port, link: link))
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    // The kernels' buffers hold less than the message, so writing and reading must go on side by side.
    let sealed = link.seal(RawClient.frame(.binary, payload))
    let writer = client.duplicate()
    let thread = try Thread.start(name: "writer") { writer.sendRaw(sealed) }
    let answer = client.readFrame()
    thread.join()
    // Not in the expectation: a failure would print both.
    let isWhole = answer == .init(opcode: .binary, payload: payload)
    #expect(isWhole, "\(answer?.payload.count ?? 0) bytes")
  }

  @Test("sockets that come from now on see another certificate, the others go on")
  func reload() throws {
    let server = try tls.listener()
    let old = try #require(tls.connect(port: server.port))
    let other = try TestAuthority()
    let identity = try other.issue("reloaded")
    server.group.reload(
      tls: try .server(certificateFile: identity.certificateFile, keyFile: identity.keyFile))
    let client = try TLSContext.client(authorityFile: other.authorityFile)
    let deadline = Deadline()
    var isServed = false
    while !isServed, !deadline.isOver {
      old.send(.text, hello)
      #expect(old.readFrame()?.payload == hello)
      isServed = try tls.connect(port: server.port, link: #require(SecureLink(client))) != nil
    }
    #expect(isServed)
    // Who trusts the first authority only is not served any more.
    #expect(tls.connect(port: server.port) == nil)
    old.send(.text, hello)
    #expect(old.readFrame()?.payload == hello)
  }

  @Test("socket files and side listeners stay plain")
  func plainListeners() throws {
    let folder = TemporaryFolder()
    let context = tls.server
    var side = RouteTable()
    side.add(.get, "/metrics") { _ in .text(.ok, "numbers") }
    let server = try Server(sideRoutes: side) {
      $0.tls = context
      $0.listen = [try ListenAddress("127.0.0.1:0"), try ListenAddress("unix:\(folder.path)/s")]
      $0.side = [try ListenAddress("127.0.0.1:0")]
    }
    let file = try #require(RawClient(path: "\(folder.path)/s"))
    file.send(RawClient.upgrade("/echo"))
    #expect(file.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
    let port = try #require(server.group.sideAddresses.first).port
    let operated = try #require(RawClient(port: port))
    operated.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(operated.readHead()?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(tls.connect(port: server.port) != nil)
  }

  @Test("several loops shake hands side by side, and who comes back is resumed on any of them")
  func loops() throws {
    let server = try tls.listener { $0.loops = 4 }
    let port = server.port
    let clients = try Server {
      $0.listen = []
      $0.loops = 4
    }
    let context = tls.client
    for loop in 0..<4 {
      clients.perform(on: loop) { loop, _ in
        for _ in 0..<25 {
          _ = loop.dial(DialTarget(host: "127.0.0.1", port: port, path: "/echo", tls: context))
        }
      }
    }
    for _ in 0..<100 {
      #expect(clients.nextOpened() != nil)
      #expect(server.nextOpened() != nil)
    }
  }
}
