import Testing
import WebSocket

private let nosniff = "X-Content-Type-Options: nosniff\r\n"

@Suite("RFC 9110 §6 and §15, replies")
struct HTTPReplyTests {
  @Test("a text, with its length")
  func plain() {
    let reply = HTTPReply.text(.ok, "gut ✓", fields: [.init("Cache-Control", "no-store")])
    #expect(
      text { reply.write(to: &$0, keepsAlive: true) } == """
        HTTP/1.1 200 OK\r
        Cache-Control: no-store\r
        Content-Type: text/plain; charset=utf-8\r
        X-Content-Type-Options: nosniff\r
        Content-Length: 8\r
        \r
        gut ✓

        """)
  }

  @Test("the end of the connection is said")
  func close() {
    let reply = HTTPReply(.notFound)
    #expect(
      text { reply.write(to: &$0, keepsAlive: false) }
        == "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\(nosniff)Content-Length: 0\r\n\r\n")
  }

  @Test("over TLS browsers are asked to come so again (RFC 6797)")
  func overTLS() {
    let written = text { HTTPReply(.ok).write(to: &$0, keepsAlive: true, isOverTLS: true) }
    #expect(written.contains("\r\nStrict-Transport-Security: max-age=31536000\r\n"))
    #expect(!text { HTTPReply(.ok).write(to: &$0, keepsAlive: true) }.contains("Strict-Transport"))
  }

  @Test("HEAD gets the length without the body (§9.3.2)")
  func toHead() {
    let written = text {
      HTTPReply(.ok, body: [1, 2, 3]).write(to: &$0, keepsAlive: true, answersHead: true)
    }
    #expect(written == "HTTP/1.1 200 OK\r\n\(nosniff)Content-Length: 3\r\n\r\n")
  }

  @Test("204 has neither (§8.6)")
  func noContent() {
    let written = text { HTTPReply(.noContent, body: [1]).write(to: &$0, keepsAlive: true) }
    #expect(written == "HTTP/1.1 204 No Content\r\n\r\n")
  }

  @Test("an Upgrade field is named by Connection (§7.8)")
  func upgrade() {
    let reply = HTTPReply(.upgradeRequired, fields: [.init("Upgrade", "websocket")])
    #expect(text { reply.write(to: &$0, keepsAlive: true) }.contains("\r\nConnection: Upgrade\r\n"))
    #expect(
      text { reply.write(to: &$0, keepsAlive: false) }
        .contains("\r\nConnection: Upgrade, close\r\n"))
  }

  @Test("it is appended to what is there")
  func appends() {
    #expect(
      text {
        HTTPReply(.ok).write(to: &$0, keepsAlive: true)
        HTTPReply(.notFound).write(to: &$0, keepsAlive: true)
      }.components == ["HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found"])
  }

  @Test("a field that would begin another one is our mistake")
  func injection() async {
    await #expect(processExitsWith: .failure) { _ = HTTPReply.Field("X", "a\r\nY: b") }
    await #expect(processExitsWith: .failure) { _ = HTTPReply.Field("X:", "a") }
    await #expect(processExitsWith: .failure) { _ = HTTPReply.Field("", "a") }
  }
}

extension String {
  fileprivate var components: [String] {
    split(separator: "\r\n").map(String.init).filter { $0.hasPrefix("HTTP/") }
  }
}
