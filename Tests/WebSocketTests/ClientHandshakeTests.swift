import TestRandom
import Testing
import WebSocket

/// One row of `client-handshakes.json`.
struct ClientHandshakeVector: Decodable, Sendable, CustomTestStringConvertible {
  let source: String
  let name: String
  let answer: [String]
  let offers: [String]?
  let opens: Bool?
  let subprotocol: String?
  let fault: String?
  let status: Int?
  let retryAfterSeconds: Int?

  var testDescription: String { "\(source): \(name)" }
}

private let rows = Vectors<ClientHandshakeVector>.load("client-handshakes.json")
private let nonce = Array("the sample nonce".utf8)
private let accept = Array("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=".utf8)

@Suite("RFC 6455 §4.1, protocol/vectors/websocket/client-handshakes.json")
struct ClientHandshakeTests {
  @Test("The client reads the answer", arguments: rows)
  func check(_ row: ClientHandshakeVector) throws {
    let handshake = try ClientHandshake(
      host: "h", target: "/", nonce: nonce, subprotocols: row.offers ?? [])
    let bytes = head(row.answer)
    #expect(reading(of: bytes.bytewise) == .head(bytes, left: 0))
    do throws(HandshakeFault) {
      let chosen = try handshake.check(head: bytes, accept: accept)
      #expect(row.opens == true)
      #expect(chosen.subprotocol == row.subprotocol)
      #expect(chosen.deflate == nil)
    } catch {
      #expect(row.fault == name(of: error))
      if case .refused(let status, let seconds) = error {
        #expect(status == row.status)
        #expect(seconds == row.retryAfterSeconds)
      }
    }
  }

  private func name(of fault: HandshakeFault) -> String {
    switch fault {
    case .refused: "refused"
    case .notSendable, .malformed, .upgradeMissing, .connectionMissing, .acceptWrong,
      .extensionNotOffered, .extensionParameterWrong, .subprotocolNotOffered:
      "\(fault)"
    }
  }

  @Test("every fault of an answer has a row")
  func coverage() {
    let faults = Set(rows.compactMap(\.fault))
    #expect(
      faults == [
        "refused", "malformed", "upgradeMissing", "connectionMissing", "acceptWrong",
        "extensionNotOffered", "subprotocolNotOffered",
      ])
  }

  @Test("the request, byte for byte")
  func write() throws {
    let handshake = try ClientHandshake(
      host: "server.example.com:8080", target: "/ws?x=y", nonce: nonce,
      subprotocols: ["whattodo.v1", "b"], fields: [.init("Origin", "http://example.com")])
    #expect(
      text { handshake.write(to: &$0) } == """
        GET /ws?x=y HTTP/1.1\r
        Host: server.example.com:8080\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: whattodo.v1, b\r
        Origin: http://example.com\r
        \r

        """)
  }

  @Test("our own server understands every request", arguments: [[], ["a"], ["a", "whattodo.v1"]])
  func own(_ offers: [String]) throws {
    let random = SeededRandom(seed: 7)
    var generator = random
    let handshake = try ClientHandshake(
      host: "[::1]:8484", target: "/ws", nonce: generator.bytes(16), subprotocols: offers)
    var bytes: [UInt8] = []
    handshake.write(to: &bytes)
    let decided = answer(
      to: bytes.bytewise, subprotocols: Subprotocols(["whattodo.v1"], areRequired: false))
    guard case .upgrade(let upgrade) = decided else {
      Issue.record("\(decided)")
      return
    }
    #expect(upgrade.key == handshake.key)
    #expect(upgrade.acceptInput == handshake.acceptInput)
    var reply: [UInt8] = []
    upgrade.write(accept: accept, to: &reply)
    let chosen = try handshake.check(head: reply, accept: accept)
    #expect(chosen.subprotocol == (offers.contains("whattodo.v1") ? "whattodo.v1" : nil))
  }

  @Test(
    "A value that would break the request is not sent",
    arguments: [
      ("", "/", []), ("a b", "/", []), ("a\r\nX: y", "/", []), ("me@h", "/", []),
      ("h:x", "/", []), ("h", "", []), ("h", "ws", []), ("h", "/a b", []), ("h", "/ä", []),
      ("h", "/\r\nX: y", []), ("h", "/#x", []), ("h", "/", [""]), ("h", "/", ["a b"]),
      ("h", "/", ["a\r\n"]),
    ] as [(String, String, [String])])
  func notSendable(_ host: String, _ target: String, _ subprotocols: [String]) {
    #expect(throws: HandshakeFault.notSendable) {
      try ClientHandshake(host: host, target: target, nonce: nonce, subprotocols: subprotocols)
    }
  }
}
