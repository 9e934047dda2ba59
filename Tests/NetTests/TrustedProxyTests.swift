import Testing
import WebSocket

@testable import Net

@Suite("Trusted proxies")
struct TrustedProxyTests {
  private func address(_ text: String) throws -> PeerAddress {
    if text == "unix" { return .unix }
    return try #require(PeerAddress(host: text, port: 0))
  }

  @Test(
    "are ranges of addresses",
    arguments: [
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
      ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
      ("192.0.2.7/32", "192.0.2.7", true), ("192.0.2.6/31", "192.0.2.7", true),
      ("192.0.2.6/31", "192.0.2.8", false), ("0.0.0.0/0", "192.0.2.7", true),
      ("0.0.0.0/0", "2001:db8::1", false), ("0.0.0.0/0", "unix", false),
      ("::/0", "2001:db8::1", true), ("::/0", "192.0.2.7", false), ("::/0", "unix", false),
      ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
      ("2001:db8:1:2::/65", "2001:db8:1:2:7fff::", true),
      ("2001:db8:1:2::/65", "2001:db8:1:2:8000::", false), ("::1", "::1", true),
      ("::1", "::2", false), ("unix", "unix", true), ("unix", "127.0.0.1", false),
    ])
  func ranges(range: String, peer: String, isCovered: Bool) throws {
    #expect(try TrustedProxy(range).covers(try address(peer)) == isCovered)
    #expect(
      try TrustedProxy(range).covers(try address(peer).with(port: 7)) == isCovered || peer == "unix"
    )
  }

  @Test(
    "that are no ranges are refused with a sentence",
    arguments: [
      "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
      "10.0.0.1/8", "10.0.0.0/0008", "2001:db8::/129", "2001:db8::1/32", "[::1]",
      "example.org",
      "10.0.0.0/a", "10.0.0/8", "unix:", "UNIX", "127.0.0.1:80",
    ])
  func refused(text: String) {
    let error = #expect(throws: NetError.badRange(text)) { try TrustedProxy(text) }
    #expect(error?.description.contains("is not a range of addresses") == true)
  }

  @Test(
    "tell who the client is, as far as they can be believed",
    arguments: [
      ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", ["192.0.2.7"], "192.0.2.7"),
      ("10.0.0.1", ["203.0.113.9, 192.0.2.7"], "192.0.2.7"),
      ("10.0.0.1", ["203.0.113.9", "192.0.2.7"], "192.0.2.7"),
      ("10.0.0.1", ["203.0.113.9, 192.0.2.7, 10.0.0.2"], "192.0.2.7"),
      ("10.0.0.1", ["192.0.2.7", "10.0.0.2,10.0.0.3"], "192.0.2.7"),
      ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
      ("10.0.0.1", ["192.0.2.7:4711"], "192.0.2.7"), ("10.0.0.1", [" \t192.0.2.7 "], "192.0.2.7"),
      ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"), ("10.0.0.1", ["[2001:db8::7]"], "2001:db8::7"),
      ("10.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"),
      ("unix", ["192.0.2.7"], "192.0.2.7"), ("10.0.0.1", ["unknown"], "10.0.0.1"),
      ("10.0.0.1", ["192.0.2.7, unknown"], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"),
      ("10.0.0.1", ["192.0.2.7, "], "10.0.0.1"),
      ("10.0.0.1", ["192.0.2.7, unknown, 10.0.0.2"], "10.0.0.2"),
      ("10.0.0.1", ["nonsense, 192.0.2.7"], "192.0.2.7"), ("10.0.0.1", ["unix:"], "10.0.0.1"),
      ("10.0.0.1", ["::"], "10.0.0.1"), ("10.0.0.1", ["[192.0.2.7]"], "10.0.0.1"),
      ("10.0.0.1", ["2001:db8::7:x"], "10.0.0.1"), ("10.0.0.1", ["192.0.2.7;"], "10.0.0.1"),
      // U+0600 and the comma behind it are one Character.
      ("10.0.0.1", ["203.0.113.9\u{600}, 192.0.2.7"], "192.0.2.7"),
      ("10.0.0.1", ["203.0.113.9,\u{301}, 192.0.2.7"], "192.0.2.7"),
      ("10.0.0.1", ["192.0.2.256"], "10.0.0.1"), ("192.0.2.1", ["192.0.2.7"], "192.0.2.1"),
    ] as [(String, [String], String)])
  func clients(peer: String, fields: [String], client: String) throws {
    let proxies = [try TrustedProxy("10.0.0.0/8"), try TrustedProxy("unix")]
    let found = proxies.client(behind: try address(peer), forwardedFor: fields)
    #expect(found == (try address(client)))
  }
}

@Suite("Behind a trusted proxy")
struct ProxiedTests {
  private static func forwarded(_ text: String) -> String { "X-Forwarded-For: \(text)\r\n" }

  private static var routes: RouteTable {
    var routes = Server.standardRoutes
    routes.add(.get, "/who") { .text(.ok, $0.peer.host) }
    return routes
  }

  private func server(
    _ trusted: [String] = ["127.0.0.0/8"], _ change: (inout NetOptions) throws -> Void = { _ in }
  ) throws -> Server {
    try Server(routes: ProxiedTests.routes) {
      $0.trustedProxies = try trusted.map { try TrustedProxy($0) }
      try change(&$0)
    }
  }

  private func who(_ client: RawClient?, _ fields: String) throws -> String {
    let client = try #require(client)
    client.send("GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n")
    let lines = client.readToEnd().split(whereSeparator: \.isNewline)
    return lines.last.map { String($0) } ?? ""
  }

  @Test("a request is the client's; from anybody else the field means nothing")
  func requests() throws {
    let trusting = try server()
    #expect(
      try who(RawClient(port: trusting.port), ProxiedTests.forwarded("192.0.2.7")) == "192.0.2.7")
    #expect(try who(RawClient(port: trusting.port), "") == "127.0.0.1")
    let wary = try server(["10.0.0.0/8", "unix"])
    #expect(try who(RawClient(port: wary.port), ProxiedTests.forwarded("192.0.2.7")) == "127.0.0.1")
    let folder = TemporaryFolder()
    let path = folder.file("socket")
    let behind = try server(["unix"]) { $0.listen = [try ListenAddress("unix:\(path)")] }
    #expect(try who(RawClient(path: path), ProxiedTests.forwarded("192.0.2.7")) == "192.0.2.7")
    withExtendedLifetime(behind) {}
  }

  @Test("each client has its own limit, on every loop; who is over it gets 503", arguments: [1, 3])
  func limits(loops: Int) throws {
    let server = try server {
      $0.loops = loops
      $0.connectionsPerAddressMax = 2
    }
    var clients: [RawClient] = []
    for number in 1...4 {
      for _ in 0..<2 {
        let fields = ProxiedTests.forwarded("192.0.2.\(number)")
        clients.append(
          try #require(RawClient(webSocket: "/echo", port: server.port, fields: fields)))
      }
    }
    let third = try #require(RawClient(port: server.port))
    third.send(RawClient.upgrade("/echo", fields: ProxiedTests.forwarded("192.0.2.3")))
    let answer = third.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 503 "))
    #expect(answer.contains("\r\nRetry-After: "))
    for client in clients {
      client.send(.text, Array("hello".utf8))
      #expect(client.readFrame()?.payload == Array("hello".utf8))
    }
    // Room for that client again when one of its own leaves, and only then.
    clients.remove(at: 4).send(.close, [])
    let deadline = Deadline()
    var isServed = false
    while !isServed, !deadline.isOver {
      let fields = ProxiedTests.forwarded("192.0.2.3")
      isServed = RawClient(webSocket: "/echo", port: server.port, fields: fields) != nil
    }
    #expect(isServed)
  }

  @Test("an address that is over its limit cannot come in by another's name", arguments: [1, 2])
  func pretended(loops: Int) throws {
    let server = try server {
      $0.loops = loops
      $0.connectionsPerAddressMax = 1
    }
    let first = RawClient(
      webSocket: "/echo", port: server.port,
      fields: ProxiedTests.forwarded("198.51.100.1, 192.0.2.7"))
    #expect(first != nil)
    let second = try #require(RawClient(port: server.port))
    second.send(
      RawClient.upgrade("/echo", fields: ProxiedTests.forwarded("198.51.100.2, 192.0.2.7")))
    #expect(second.readHead()?.hasPrefix("HTTP/1.1 503 ") == true)
    withExtendedLifetime(first) {}
  }

  @Test("frames sent with the upgrade wait for it", arguments: [1, 2])
  func early(loops: Int) throws {
    let server = try server { $0.loops = loops }
    let fields = ProxiedTests.forwarded("192.0.2.7")
    let bytes =
      Array(RawClient.upgrade("/echo", fields: fields).utf8)
      + RawClient.frame(.text, Array("hello".utf8))
    for cut in stride(from: bytes.count - 30, to: bytes.count, by: 1) {
      // As many connections as loops, so that each loop has one of them.
      let clients = try (0..<loops).map { _ in try #require(RawClient(port: server.port)) }
      for client in clients {
        client.send(Array(bytes[..<cut]))
        client.send(Array(bytes[cut...]))
      }
      for client in clients {
        #expect(client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
        #expect(client.readFrame()?.payload == Array("hello".utf8))
      }
    }
  }

  @Test("the limit of all counts its connections when they come", arguments: [1, 2])
  func all(loops: Int) throws {
    let server = try server {
      $0.loops = loops
      $0.connectionsMax = 1
    }
    let first = RawClient(
      webSocket: "/echo", port: server.port, fields: ProxiedTests.forwarded("192.0.2.1"))
    #expect(first != nil)
    let second = try #require(RawClient(port: server.port))
    second.send(RawClient.upgrade("/echo", fields: ProxiedTests.forwarded("192.0.2.2")))
    #expect(second.readHead()?.hasPrefix("HTTP/1.1 503 ") == true)
    withExtendedLifetime(first) {}
  }
}
