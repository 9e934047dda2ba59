import Testing
import WebSocket

@testable import Net

private func get(_ path: String, _ fields: String = "", _ method: String = "GET") -> String {
  "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\r\n"
}

@Suite("Requests that the application answers later")
struct QuestionTests {
  private static var routes: RouteTable {
    var routes = Server.standardRoutes
    routes.addQuestions(.get, under: "/asked/")
    routes.add(.get, "/asked/exactly") { _ in .text(.ok, "at once") }
    routes.addQuestion(.post, at: "/told", bodyBytesMax: 20)
    routes.addQuestions(.post, under: "/told/", bodyBytesMax: 20)
    return routes
  }

  /// Returns the next question to the probe, and the connection that asks it.
  private func asked(_ server: Server) throws -> (ConnectionID, String) {
    try #require(
      server.next {
        if case .asked(let connection, let path) = $0 { (connection, path) } else { nil }
      })
  }

  private func reply(_ server: Server, _ connection: ConnectionID, _ text: String) {
    server.perform { loop, _ in loop.reply(connection, .text(.ok, text)) }
  }

  private func answer(_ client: RawClient) -> String? {
    guard let head = client.readHead() else { return nil }
    let length = head.lowercased().split(separator: "content-length: ").last
      .flatMap { Int($0.prefix { $0.isNumber }) }
    return "\(head.split(separator: " ")[1]) \(client.readText(length ?? 0))"
  }

  @Test("wait for it, and what was sent behind them waits too")
  func inOrder() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    client.send(get("/asked/1") + get("/healthz") + get("/asked/2") + get("/asked/exactly"))
    let (first, path) = try asked(server)
    #expect(path == "/asked/1")
    reply(server, first, "one")
    #expect(answer(client) == "200 one\n")
    #expect(answer(client) == "200 well\n")
    let (second, next) = try asked(server)
    #expect(next == "/asked/2")
    reply(server, second, "two")
    #expect(answer(client) == "200 two\n")
    #expect(answer(client) == "200 at once\n")
    client.send(RawClient.upgrade("/echo"))
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
  }

  @Test("take GET and HEAD, and no body")
  func refused() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    client.send(get("/asked/1", "", "POST"))
    #expect(answer(client)?.hasPrefix("405 ") == true)
    client.send(get("/asked/1", "", "HEAD"))
    reply(server, try asked(server).0, "one")
    #expect(client.readHead()?.contains("\r\nContent-Length: 4\r\n") == true)
    client.send(get("/asked/1", "Content-Length: 3\r\n"))
    #expect(answer(client)?.hasPrefix("413 ") == true)
  }

  private static func tell(_ path: String, _ body: String, _ fields: String = "") -> String {
    get(path, "Content-Length: \(body.utf8.count)\r\n\(fields)", "POST") + body
  }

  @Test("have their body where the route takes one, cut at any byte")
  func bodies() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    let request = QuestionTests.tell("/told/1", "build green")
    for cut in 1..<request.utf8.count {
      client.send(String(request.prefix(cut)))
      client.send(String(request.dropFirst(cut)))
      let (connection, told) = try asked(server)
      #expect(told == "/told/1 build green")
      reply(server, connection, "taken")
      #expect(answer(client) == "200 taken\n")
    }
  }

  @Test("have each their own body, one after another on a connection")
  func bodiesInOrder() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    client.send(
      QuestionTests.tell("/told", "one") + QuestionTests.tell("/told", "")
        + QuestionTests.tell("/told", "three"))
    for told in ["/told one", "/told", "/told three"] {
      let (connection, question) = try asked(server)
      #expect(question == told)
      reply(server, connection, "taken")
      #expect(answer(client) == "200 taken\n")
    }
  }

  @Test("have no longer body than the route takes; whoever asks before it sends is told")
  func tooLarge() throws {
    let server = try Server(routes: QuestionTests.routes)
    let body = String(repeating: "x", count: 20)
    let client = try #require(RawClient(port: server.port))
    client.send(
      get("/told", "Content-Length: 20\r\nExpect: 100-continue\r\n", "POST"))
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 100 ") == true)
    client.send(body)
    let (connection, told) = try asked(server)
    #expect(told == "/told \(body)")
    reply(server, connection, "taken")
    #expect(answer(client) == "200 taken\n")
    client.send(QuestionTests.tell("/told", body + "x"))
    #expect(answer(client)?.hasPrefix("413 ") == true)
    #expect(client.seesEnd())
  }

  @Test("end the connection where the client wants it")
  func last() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    client.send(get("/asked/1", "Connection: close\r\n"))
    reply(server, try asked(server).0, "one")
    #expect(answer(client) == "200 one\n")
    #expect(client.seesEnd())
  }

  @Test("are answered 503 when it takes too long; the answer that comes then is nobody's")
  func late() throws {
    let server = try Server(routes: QuestionTests.routes) { $0.handshakeMilliseconds = 50 }
    let client = try #require(RawClient(port: server.port))
    client.send(get("/asked/1"))
    let (connection, _) = try asked(server)
    #expect(answer(client)?.hasPrefix("503 ") == true)
    #expect(client.seesEnd())
    reply(server, connection, "late")
    let other = try #require(RawClient(port: server.port))
    other.send(get("/healthz"))
    #expect(answer(other) == "200 well\n")
  }

  @Test("whoever sends on and on meanwhile is not read")
  func flood() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    client.send(get("/asked/1"))
    let (connection, _) = try asked(server)
    let taken = client.sendWhileTaken([UInt8](repeating: 71, count: 64 << 20))
    #expect(taken < 32 << 20)
    reply(server, connection, "one")
    #expect(answer(client) == "200 one\n")
  }

  @Test("whoever has said all that they say is answered still")
  func halfClosed() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    client.send(get("/asked/1"))
    let (connection, _) = try asked(server)
    client.finishSending()
    reply(server, connection, "one")
    #expect(answer(client) == "200 one\n")
    #expect(client.seesEnd())
  }

  @Test(
    "over TLS too, where the end is said with the question or while it waits",
    arguments: [true, false])
  func endOverTLS(isSaidAtOnce: Bool) throws {
    let tls = try TestTLS()
    let server = try Server(routes: QuestionTests.routes) { $0.tls = tls.server }
    let link = try #require(SecureLink(tls.client))
    let client = try #require(tls.connect(nil, port: server.port, link: link))
    let question = link.seal(Array(get("/asked/1").utf8))
    client.sendRaw(isSaidAtOnce ? question + link.end() : question)
    let (connection, _) = try asked(server)
    if !isSaidAtOnce { client.sendRaw(link.end()) }
    reply(server, connection, "one")
    #expect(answer(client) == "200 one\n")
    #expect(client.seesEnd())
  }

  @Test("whoever has gone is not answered")
  func gone() throws {
    let server = try Server(routes: QuestionTests.routes)
    let client = try #require(RawClient(port: server.port))
    client.send(get("/asked/1"))
    let (connection, _) = try asked(server)
    client.reset()
    reply(server, connection, "one")
    let other = try #require(RawClient(port: server.port))
    other.send(get("/healthz"))
    #expect(answer(other) == "200 well\n")
  }
}
