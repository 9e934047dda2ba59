import Testing
import WebSocket

@testable import Net

private func request(
  _ method: String, _ path: String, _ fields: String = "", version: String = "1.1"
) -> String {
  "\(method) \(path) HTTP/\(version)\r\nHost: 127.0.0.1\r\n\(fields)\r\n"
}

private let get = request("GET", "/healthz")
private let last = request("GET", "/healthz", "Connection: close\r\n")

/// One answer, with the body that its head announces.
private struct Answer {
  let head: String
  let body: String

  init?(_ client: RawClient, toHead: Bool = false) {
    guard let head = client.readHead() else { return nil }
    self.head = head
    let prefix = "content-length: "
    let lines = head.lowercased().split(whereSeparator: \.isNewline)
    let length = lines.first { $0.hasPrefix(prefix) }.flatMap { Int($0.dropFirst(prefix.count)) }
    body = client.readText(toHead ? 0 : length ?? 0)
  }

  var status: Int { Int(head.split(separator: " ")[1]) ?? 0 }
  var closes: Bool { head.contains("\r\nConnection: close\r\n") }
}

@Suite("Several requests on one connection (RFC 9112 §9.3)")
struct KeepAliveTests {
  @Test("are answered one after another, refusals of a path too, and then it is upgraded")
  func oneAfterAnother() throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    let rows = [
      (get, 200), (request("GET", "/nothing"), 404), (request("POST", "/healthz"), 405),
      (request("HEAD", "/healthz"), 200),
      (request("POST", "/take", "Content-Length: 5\r\n") + "hello", 200), (get, 200),
    ]
    for (text, status) in rows {
      client.send(text)
      let answer = try #require(Answer(client, toHead: text.hasPrefix("HEAD")))
      #expect(answer.status == status)
      #expect(!answer.closes)
    }
    client.send(RawClient.upgrade("/echo"))
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
    client.send(.text, Array("hello".utf8))
    #expect(client.readFrame()?.payload == Array("hello".utf8))
  }

  @Test(
    "sent together, cut at every byte, are answered in their order; the upgrade keeps its frames")
  func pipelined() throws {
    let server = try Server()
    let post = request("POST", "/take", "Content-Length: 3\r\n") + "one"
    let together = Array(
      (get + post + request("GET", "/nothing") + RawClient.upgrade("/echo")).utf8)
    let bytes = together + RawClient.frame(.text, Array("hello".utf8))
    for cut in 1..<bytes.count {
      let client = try #require(RawClient(port: server.port))
      client.send(Array(bytes[..<cut]))
      client.send(Array(bytes[cut...]))
      #expect(Answer(client)?.body == "well\n")
      #expect(Answer(client)?.body == "one")
      #expect(Answer(client)?.status == 404)
      #expect(client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
      #expect(client.readFrame()?.payload == Array("hello".utf8))
    }
  }

  @Test(
    "end where the client wants it, and in HTTP/1.0",
    arguments: [
      last, request("GET", "/healthz", version: "1.0"),
      request("GET", "/healthz", "Connection: keep-alive, CLOSE\r\n"),
      request("GET", "/nothing", "Connection: close\r\n"),
    ])
  func ended(text: String) throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    client.send(text + get)
    let answer = client.readToEnd()
    #expect(answer.contains("\r\nConnection: close\r\n"))
    #expect(answer.components(of: "HTTP/1.1 ") == 1)
  }

  @Test("are a hundred at most")
  func bounded() throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    for _ in 0..<3 { client.send(String(repeating: get, count: 50)) }
    let answer = client.readToEnd()
    #expect(answer.components(of: "HTTP/1.1 200 ") == Loop.requestsMax)
    #expect(answer.components(of: "Connection: close") == 1)
  }

  @Test("asked without reading the answers are no more than fit")
  func unread() throws {
    var routes = RouteTable()
    routes.add(.get, "/large") { _ in
      HTTPReply(.ok, body: [UInt8](repeating: 0x61, count: 40_000))
    }
    let server = try Server(routes: routes) { $0.sendBufferBytes = 4096 }
    let client = try #require(RawClient(port: server.port, receiveBufferBytes: 4096))
    client.send(String(repeating: request("GET", "/large"), count: 90))
    let answers = client.readToEnd()
    #expect((2...4).contains(answers.components(of: "HTTP/1.1 200 ")))
    #expect(answers.components(of: "Connection: close") == 1)
  }

  @Test("may rest between two, for a while")
  func idle() throws {
    let server = try Server { $0.keepAliveMilliseconds = 150 }
    let client = try #require(RawClient(port: server.port))
    client.send(get)
    #expect(Answer(client)?.status == 200)
    #expect(client.readToEnd() == "")
    #expect(client.isAtEnd)
  }

  @Test("have their own deadline once they have begun")
  func begun() throws {
    let server = try Server {
      $0.keepAliveMilliseconds = 60_000
      $0.handshakeMilliseconds = 1_500
    }
    let client = try #require(RawClient(port: server.port))
    client.send(get)
    #expect(Answer(client)?.status == 200)
    client.send("G")
    #expect(client.readToEnd().hasPrefix("HTTP/1.1 408 "))
  }

  @Test("end at the stop, each with its answer")
  func stop() throws {
    let server = try Server(.stays)
    let client = try #require(RawClient(port: server.port))
    client.send(get)
    #expect(Answer(client)?.closes == false)
    server.group.stop()
    #expect(server.expects(.stopRequested))
    client.send(get)
    let answer = try #require(Answer(client))
    #expect(answer.status == 503)
    #expect(answer.closes)
  }

  @Test("wait for 100 before the body, if they ask for it")
  func goOn() throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    let fields = "Content-Length: 3\r\nExpect: 100-continue\r\n"
    client.send(request("POST", "/take", fields))
    #expect(client.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("one")
    #expect(Answer(client)?.body == "one")
    client.send(request("POST", "/take", fields) + "two")
    #expect(Answer(client)?.body == "two")
    client.send(request("POST", "/take", "Content-Length: 30\r\nExpect: 100-continue\r\n"))
    #expect(Answer(client)?.status == 413)
  }
}

@Suite(
  "A request that readers could understand differently is refused, and nothing behind it is heard"
)
struct SmugglingTests {
  private static func post(_ fields: String, version: String = "1.1") -> String {
    "POST /take HTTP/\(version)\r\nHost: 127.0.0.1\r\n\(fields)\r\n"
  }

  private static let rows: [(String, Int)] = [
    (post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 400),
    (post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"), 400),
    (post("Transfer-Encoding: chunked\r\n"), 501), (post("Transfer-Encoding: identity\r\n"), 501),
    (post("transfer-encoding: ,chunked\r\n"), 501), (post("Transfer-Encoding: xchunked\r\n"), 501),
    (post("Transfer-Encoding:\r\n"), 501), (post("Transfer-Encoding : chunked\r\n"), 400),
    (post("Transfer-Encoding\t: chunked\r\n"), 400), (post(" Transfer-Encoding: chunked\r\n"), 400),
    (post("X: a\r\n\tTransfer-Encoding: chunked\r\n"), 400),
    (post("Transfer-Encoding: chunked\r\n", version: "1.0"), 400),
    (post("Content-Length: 3\r\nContent-Length: 3\r\n"), 400),
    (post("Content-Length: 3\r\nContent-Length: 0\r\n"), 400),
    (post("Content-Length: 3, 3\r\n"), 400), (post("Content-Length: +3\r\n"), 400),
    (post("Content-Length: -3\r\n"), 400), (post("Content-Length: 0x3\r\n"), 400),
    (post("Content-Length: 3 \r\nContent-Length: \r\n"), 400), (post("Content-Length:\r\n"), 400),
    (post("Content-Length: 99999999999999999999\r\n"), 400),
    (post("Content-Length: 18446744073709551619\r\n"), 400),
    (post("Content-Length: 3\n"), 400), (post("Content-Length: 3\rX: a\r\n"), 400),
    (post("X: a\0b\r\n"), 400), (post("X\u{e9}: a\r\n"), 400), (post(": a\r\n"), 400),
    (post("X\r\n"), 400), (post("Host: 127.0.0.1\r\n"), 400), (post("Host: localhost\r\n"), 400),
    ("GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    ("GET http://evil.example/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 421),
    ("GET /healthz\tHTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    ("GET  /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    ("GET /healthz http/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1 \r\nHost: 127.0.0.1\r\n\r\n", 400),
    ("\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    ("CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    ("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\n", 413),
    ("GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\n", 404),
    (RawClient.upgrade("/echo", fields: "Content-Length: 3\r\n"), 400),
    (RawClient.upgrade("/echo", fields: "Transfer-Encoding: chunked\r\n"), 501),
  ]

  @Test("requests", arguments: rows)
  func refused(text: String, status: Int) throws {
    let server = try Server()
    let client = try #require(RawClient(port: server.port))
    client.send(text + get)
    let answer = client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    #expect(answer.components(of: "HTTP/1.1 ") == 1)
    #expect(answer.contains("\r\nConnection: "))
    #expect(client.isAtEnd)
  }

  @Test("limits of the head: at each, and one above")
  func limits() throws {
    let server = try Server()
    func status(_ text: String) throws -> Int {
      let client = try #require(RawClient(port: server.port))
      client.send(text)
      return Answer(client)?.status ?? 0
    }
    let limits = HTTPLimits()
    let target = "/" + String(repeating: "a", count: limits.targetBytesMax - 1)
    #expect(try status(request("GET", target)) == 404)
    #expect(try status(request("GET", target + "a")) == 414)
    let fields = String(repeating: "X: y\r\n", count: limits.fieldsMax - 1)
    #expect(try status(request("GET", "/healthz", fields)) == 200)
    #expect(try status(request("GET", "/healthz", fields + "X: y\r\n")) == 431)
    let rest = limits.headBytesMax - request("GET", "/healthz", "X: \r\n").utf8.count
    let long = String(repeating: "a", count: rest)
    #expect(try status(request("GET", "/healthz", "X: \(long)\r\n")) == 200)
    #expect(try status(request("GET", "/healthz", "X: \(long)a\r\n")) == 431)
  }
}

extension String {
  /// How often the word occurs.
  fileprivate func components(of word: String) -> Int {
    let (bytes, sought) = (Array(utf8), Array(word.utf8))
    guard bytes.count >= sought.count else { return 0 }
    return (0...bytes.count - sought.count)
      .filter { bytes[$0..<$0 + sought.count].elementsEqual(sought) }.count
  }
}
