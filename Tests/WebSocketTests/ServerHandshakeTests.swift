import Testing
import WebSocket

/// One row of `server-handshakes.json`.
struct ServerHandshakeVector: Decodable, Sendable, CustomTestStringConvertible {
  let source: String
  let name: String
  let request: [String]?
  let raw: String?
  let route: Route?
  let answer: Expected

  struct Route: Decodable, Sendable {
    let subprotocols: [String]
    let required: Bool
  }

  struct Expected: Decodable, Sendable {
    let status: Int
    let key, accept, subprotocol: String?
    let fields: [String: String]?
  }

  var testDescription: String { "\(source): \(name)" }
  var bytes: [UInt8] { request.map(head) ?? Array((raw ?? "").utf8) }
  /// Every place for a cut; in long requests every 97th.
  var cuts: [Int] {
    let count = bytes.count
    return (0...count).filter { count < 1000 || $0 > count - 5 || $0.isMultiple(of: 97) }
  }
  var subprotocols: Subprotocols {
    route.map { Subprotocols($0.subprotocols, areRequired: $0.required) } ?? .none
  }
}

private let rows = Vectors<ServerHandshakeVector>.load("server-handshakes.json")

@Suite("RFC 6455 §4.2 and RFC 9112, protocol/vectors/websocket/server-handshakes.json")
struct ServerHandshakeTests {
  @Test("the vectors have every status")
  func coverage() {
    for status in [101, 400, 405, 414, 426, 431, 501, 505] {
      #expect(rows.contains { $0.answer.status == status })
    }
  }

  @Test("the exact answer", arguments: rows)
  func whole(_ row: ServerHandshakeVector) {
    switch answer(to: [row.bytes[...]], subprotocols: row.subprotocols) {
    case .unfinished: Issue.record("no answer")
    case .upgrade(let upgrade): check(upgrade, row)
    case .reply(let reply): check(reply, row)
    }
  }

  private func check(_ upgrade: Upgrade, _ row: ServerHandshakeVector) {
    let expected = row.answer
    #expect(expected.status == 101)
    #expect(String(decoding: upgrade.key, as: UTF8.self) == expected.key)
    #expect(upgrade.subprotocol == expected.subprotocol)
    #expect(upgrade.acceptInput == upgrade.key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    let accept = expected.accept ?? ""
    var lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(accept)",
    ]
    if let name = expected.subprotocol { lines.append("Sec-WebSocket-Protocol: \(name)") }
    let written = text { upgrade.write(accept: Array(accept.utf8), to: &$0) }
    #expect(written == String(decoding: head(lines), as: UTF8.self))
  }

  private func check(_ reply: HTTPReply, _ row: ServerHandshakeVector) {
    #expect(reply.status.code == row.answer.status)
    let lines = text { reply.write(to: &$0, keepsAlive: false) }.lowercased()
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.first == "http/1.1 \(reply.status.code) \(reply.status.phrase.lowercased())")
    for (name, value) in row.answer.fields ?? [:] {
      #expect(lines.contains("\(name): \(value.lowercased())"), "\(name)")
    }
  }

  @Test("the same answer byte by byte and cut at every point", arguments: rows)
  func pieces(_ row: ServerHandshakeVector) {
    let bytes = row.bytes
    let whole = answer(to: [bytes[...]], subprotocols: row.subprotocols)
    #expect(answer(to: bytes.bytewise, subprotocols: row.subprotocols) == whole)
    for cut in row.cuts
    where answer(to: bytes.split(at: cut), subprotocols: row.subprotocols) != whole {
      Issue.record("cut at \(cut)")
    }
  }

  @Test(
    "no beginning of a good request is answered", arguments: rows.filter { $0.answer.status == 101 }
  )
  func unfinished(_ row: ServerHandshakeVector) {
    for count in row.cuts.dropLast()
    where answer(to: [row.bytes[..<count]], subprotocols: row.subprotocols) != .unfinished {
      Issue.record("answered after \(count) bytes")
    }
  }

  @Test("Bytes behind the head are left for the frames", arguments: [0, 1, 2, 100])
  func rest(_ count: Int) {
    let bytes = rows[0].bytes
    let stream = bytes + repeatElement(0x0A, count: count)
    #expect(reading(of: [stream[...]]) == .head(bytes, left: count))
    #expect(reading(of: stream.bytewise) == .head(bytes, left: count))
  }
}
