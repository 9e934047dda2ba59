import Deflate
import Testing
import WebSocket

/// One row of `deflate-offers.json`.
struct DeflateOfferVector: Decodable, Sendable, CustomTestStringConvertible {
  let source: String
  let name: String
  let offers: [String]
  let answer: String?
  let window: Int?
  let status: Int?

  var testDescription: String { "\(source): \(name)" }

  var request: [UInt8] {
    head(
      [
        "GET /ws HTTP/1.1", "Host: h", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
      ] + offers.map { "Sec-WebSocket-Extensions: \($0)" })
  }
}

/// One row of `deflate-answers.json`.
struct DeflateAnswerVector: Decodable, Sendable, CustomTestStringConvertible {
  let source: String
  let name: String
  let answers: [String]
  let offered: Bool?
  let deflate: Agreement?
  let fault: String?

  struct Agreement: Decodable, Sendable {
    let window: Int?
  }

  var testDescription: String { "\(source): \(name)" }

  var head: [UInt8] {
    WebSocketTests.head(
      [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
      ] + answers.map { "Sec-WebSocket-Extensions: \($0)" })
  }
}

private let offers = Vectors<DeflateOfferVector>.load("deflate-offers.json")
private let answers = Vectors<DeflateAnswerVector>.load("deflate-answers.json")
private let nonce = Array("the sample nonce".utf8)
private let accept = Array("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=".utf8)

private func window(bits: Int?) -> DeflateWindow? {
  switch bits {
  case 15: .bits15
  case 9: .bits9
  default: nil
  }
}

@Suite("RFC 7692 §7.1, protocol/vectors/websocket/deflate-offers.json")
struct DeflateOfferTests {
  @Test("the exact answer", arguments: offers)
  func answered(_ row: DeflateOfferVector) throws(HTTPFault) {
    switch try HTTPRequest(head: row.request).upgrade(subprotocols: .none, deflate: true) {
    case .refused(let reply): #expect(reply.status.code == row.status)
    case .accepted(let upgrade):
      #expect(row.status == nil)
      #expect(field(of: upgrade) == row.answer)
      #expect((upgrade.deflate == nil) == (row.answer == nil))
      #expect(upgrade.deflate?.sendWindow == window(bits: row.window))
    }
  }

  @Test("where compression is off nothing is answered, and what is malformed still refused")
  func off() throws(HTTPFault) {
    for row in offers {
      switch try HTTPRequest(head: row.request).upgrade(subprotocols: .none) {
      case .refused(let reply): #expect(reply.status.code == row.status)
      case .accepted(let upgrade):
        #expect(row.status == nil)
        #expect(field(of: upgrade) == nil && upgrade.deflate == nil)
      }
    }
  }

  @Test("our own client takes every answer to what it can offer")
  func own() throws {
    for row in offers where row.answer != nil {
      let handshake = try ClientHandshake(host: "h", target: "/", nonce: nonce, deflate: true)
      guard
        case .accepted(let upgrade) = try HTTPRequest(head: row.request)
          .upgrade(subprotocols: .none, deflate: true)
      else { continue }
      var reply: [UInt8] = []
      upgrade.write(accept: accept, to: &reply)
      let agreed = try handshake.check(head: reply, accept: accept)
      #expect(agreed.deflate == DeflateAgreement(sendWindow: .bits15))
    }
  }

  private func field(of upgrade: Upgrade) -> String? {
    let lines = text { upgrade.write(accept: accept, to: &$0) }.split(separator: "\r\n")
    let prefix = "Sec-WebSocket-Extensions: "
    return lines.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}

@Suite("RFC 7692 §7.1, protocol/vectors/websocket/deflate-answers.json")
struct DeflateAnswerTests {
  @Test("The client reads the answer", arguments: answers)
  func taken(_ row: DeflateAnswerVector) throws {
    let handshake = try ClientHandshake(
      host: "h", target: "/", nonce: nonce, deflate: row.offered ?? true)
    do throws(HandshakeFault) {
      let agreed = try handshake.check(head: row.head, accept: accept)
      #expect(row.fault == nil)
      #expect((agreed.deflate == nil) == (row.deflate == nil))
      #expect(agreed.deflate?.sendWindow == window(bits: row.deflate?.window))
    } catch {
      #expect("\(error)" == row.fault)
    }
  }

  @Test("every fault of the field has a row")
  func coverage() {
    let faults = Set(answers.compactMap(\.fault))
    #expect(faults == ["malformed", "extensionNotOffered", "extensionParameterWrong"])
  }

  @Test("the offer, and our own server's answer to it")
  func offer() throws {
    let handshake = try ClientHandshake(host: "h", target: "/ws", nonce: nonce, deflate: true)
    var bytes: [UInt8] = []
    handshake.write(to: &bytes)
    let field =
      "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
      + "client_no_context_takeover; client_max_window_bits\r\n"
    #expect(String(decoding: bytes, as: UTF8.self).contains(field))
    let decision = try HTTPRequest(head: bytes).upgrade(subprotocols: .none, deflate: true)
    guard case .accepted(let upgrade) = decision else {
      Issue.record("refused")
      return
    }
    #expect(upgrade.deflate == DeflateAgreement(sendWindow: .bits15))
  }
}
