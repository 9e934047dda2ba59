import Testing
import WebSocket

@testable import Net

@Suite("Requests over HTTP")
struct RequestTests {
  private static func get(_ path: String, _ fields: String = "", method: String = "GET") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(fields)\r\n"
  }

  private static let longField = "X: " + String(repeating: "a", count: 9000) + "\r\n"
  private static let longPath = "/" + String(repeating: "a", count: 3000)

  private static let rows: [(String, Int)] = [
    (get("/healthz"), 200), (get("/healthz?x=1"), 200), (get("/nothing"), 404),
    (get("/healthz/"), 404), (get("/healthz", method: "POST"), 405), (get("/take"), 405),
    (get("/healthz", method: "DELETE"), 405), (get("/healthz", method: "BREW"), 501),
    (get("/echo"), 426),
    (get("/echo", method: "POST"), 405), (get("/healthz", "Content-Length: 1\r\n") + "x", 413),
    (get("/take", "Content-Length: 11\r\n", method: "POST") + "01234567890", 413),
    (get("/take", "Content-Length: 10\r\n", method: "POST") + "0123456789", 200),
    (get("/take", "Content-Length: 9\r\n", method: "POST") + "012345678", 200),
    (get("/take", "Transfer-Encoding: chunked\r\n", method: "POST") + "0\r\n\r\n", 501),
    ("GET / HTTP/2.0\r\n\r\n", 505), ("nonsense\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\n\r\n", 400), ("GET /healthz HTTP/1.0\r\n\r\n", 200),
    (get(longPath), 414),
    (get("/healthz", longField), 431),
    (RawClient.upgrade("/nothing", fields: "Connection: close\r\n"), 404),
    (RawClient.upgrade("/ws"), 400),
    (RawClient.upgrade("/echo", host: "evil.example"), 421),
    (RawClient.upgrade("/echo", fields: "Origin: null\r\n"), 403),
    (RawClient.upgrade("/echo", fields: "Origin: http://evil.example\r\n"), 403),
  ]

  @Test("are answered by the route table and then the connection ends", arguments: rows)
  func statuses(request: String, status: Int) throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    client.send(request)
    let answer = client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    #expect(client.isAtEnd)
  }

  @Test(
    "requests of browsers and programs that are welcome are upgraded",
    arguments: ["", "Origin: http://127.0.0.1:3000\r\n", "Origin: https://127.0.0.1\r\n"])
  func upgrades(fields: String) throws {
    let server = try Server()
    #expect(RawClient(webSocket: "/echo", port: server.port, fields: fields) != nil)
    #expect(server.nextOpened() != nil)
  }

  @Test("a body arrives whole, and HEAD answers like GET without one")
  func bodies() throws {
    let server = try Server()
    let poster = try #require(RawClient(port: server.port))
    poster.send(RequestTests.get("/take", "Content-Length: 9\r\n", method: "POST") + "one ")
    poster.send("two 3")
    #expect(poster.readToEnd().hasSuffix("\r\n\r\none two 3"))
    let head = try #require(RawClient(port: server.port))
    head.send(RequestTests.get("/healthz", method: "HEAD"))
    let answer = head.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  @Test("a method that a path does not take is told which it takes")
  func allow() throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    client.send(RequestTests.get("/take"))
    #expect(client.readToEnd().contains("\r\nAllow: POST\r\n"))
  }

  @Test("an upgrade cut at every byte, with a first message behind it, is served")
  func splits() throws {
    let server = try Server()
    let request =
      Array(RawClient.upgrade("/echo").utf8) + RawClient.frame(.text, Array("hello".utf8))
    for cut in stride(from: 1, to: request.count, by: 1) {
      let client = try #require(RawClient(port: server.port))
      client.send(Array(request[..<cut]))
      client.send(Array(request[cut...]))
      let head = try #require(client.readHead())
      #expect(head.hasPrefix("HTTP/1.1 101 "))
      #expect(client.readFrame() == .init(opcode: .text, payload: Array("hello".utf8)))
    }
  }

  @Test("too many connections: 503 with Retry-After, and room again when one leaves")
  func tooMany() throws {
    let server = try Server { $0.connectionsMax = 2 }
    let first = try #require(RawClient(webSocket: "/echo", port: server.port))
    let second = RawClient(webSocket: "/echo", port: server.port)
    #expect(second != nil)
    let third = try #require(RawClient(port: server.port))
    third.send(RawClient.upgrade("/echo"))
    let answer = third.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 503 "))
    #expect(answer.contains("\r\nRetry-After: "))
    first.send(.close, [])
    #expect(first.seesEnd())
    first.finishSending()
    let deadline = Deadline()
    var isServed = false
    while !isServed, !deadline.isOver {
      isServed = RawClient(webSocket: "/echo", port: server.port) != nil
    }
    #expect(isServed)
  }

  @Test("a crowd that nobody waits for is told 503 all the same")
  func crowd() throws {
    let server = try Server { $0.connectionsMax = 0 }
    // They say nothing, so that each keeps one of the places for those who are to be told.
    let clients = try (0..<Admission.turnedAwayMax + 20).map { _ in
      try #require(RawClient(port: server.port))
    }
    for client in clients[Admission.turnedAwayMax...] {
      let answer = client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 503 "))
      #expect(answer.contains("\r\nRetry-After: "))
    }
  }

  @Test("a request that does not come in time is told so and ended")
  func slowRequest() throws {
    let server = try Server { $0.handshakeMilliseconds = 100 }
    let client = try #require(RawClient(port: server.port))
    client.send("GET /healthz HTTP/1.1\r\nHost: 127.")
    #expect(client.readToEnd().hasPrefix("HTTP/1.1 408 "))
  }

  @Test("one that goes in the middle of its request disturbs nobody")
  func leaves() throws {
    let server = try Server()
    do {
      let client = try #require(RawClient(port: server.port))
      client.send("GET /hea")
      client.reset()
    }
    let other = try #require(RawClient(port: server.port))
    other.send(RequestTests.get("/healthz"))
    #expect(other.readToEnd().hasPrefix("HTTP/1.1 200 "))
  }
}
