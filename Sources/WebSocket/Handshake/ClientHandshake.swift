// The client's half of the opening handshake, RFC 6455 §4.1.

/// The reason why a client does not go on.
package enum HandshakeFault: Error, Hashable, Sendable {
  /// The request would have a character that breaks it.
  case notSendable
  /// The server gave a well-formed answer other than 101. The seconds are from Retry-After if it is a number.
  case refused(status: Int, retryAfterSeconds: Int?)
  case malformed
  case upgradeMissing
  case connectionMissing
  case acceptWrong
  /// The answer has an extension that we did not offer, or one of them twice.
  case extensionNotOffered
  /// The answer has parameters that our offer does not allow, or not the one that it demands.
  case extensionParameterWrong
  case subprotocolNotOffered
}

/// The choice of the server.
package struct ClientAgreement: Sendable, Hashable {
  /// The subprotocol, one of those offered. Nil when the server chose none.
  package let subprotocol: String?
  /// The agreement on compression, for the connection. Nil without compression.
  package let deflate: DeflateAgreement?
}

/// One opening handshake, seen from the client.
package struct ClientHandshake: Sendable, Hashable {
  /// The Sec-WebSocket-Key: the nonce in base64, 24 bytes.
  package let key: [UInt8]
  private let host: String
  private let target: String
  private let subprotocols: [String]
  private let offersDeflate: Bool
  private let fields: [HTTPReply.Field]

  /// Makes a handshake. `host` has its port unless that is 80 (443 with TLS). `target` begins with `/` and may have a
  /// query. `nonce` is 16 random bytes. `subprotocols` are in order of preference, none twice. With `deflate`
  /// permessage-deflate is offered.
  ///
  /// Throws `.notSendable` for a host, target or subprotocol with characters that have no place there.
  package init(
    host: String, target: String, nonce: [UInt8], subprotocols: [String] = [],
    deflate: Bool = false, fields: [HTTPReply.Field] = []
  ) throws(HandshakeFault) {
    precondition(nonce.count == 16, "the nonce has 16 bytes")
    let isTarget =
      target.utf8.first == .slash
      && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    let areTokens = subprotocols.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenByte) }
    guard isTarget && areTokens && ArraySlice(host.utf8).isHost else { throw .notSendable }
    key = Base64.encode(nonce)
    self.host = host
    self.target = target
    self.subprotocols = subprotocols
    offersDeflate = deflate
    self.fields = fields
  }

  /// The bytes whose SHA-1 is needed for `check`: the key and the protocol's GUID.
  package var acceptInput: [UInt8] { key + webSocketGUID }

  /// Appends the request.
  package func write(to output: inout [UInt8]) {
    output.append(line: "GET \(target) HTTP/1.1")
    output.append(line: "Host: \(host)")
    output.append(line: "Upgrade: websocket")
    output.append(line: "Connection: Upgrade")
    output.append(line: "Sec-WebSocket-Key: \(String(decoding: key, as: UTF8.self))")
    output.append(line: "Sec-WebSocket-Version: 13")
    if !subprotocols.isEmpty {
      output.append(line: "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))")
    }
    if offersDeflate {
      output.append(line: "Sec-WebSocket-Extensions: \(DeflateOffer.text)")
    }
    for field in fields { output.append(line: "\(field.name): \(field.value)") }
    output.append(line: "")
  }

  /// Checks the answer's head (from `HTTPHeadReader`), and returns what the server chose.
  ///
  /// `accept` is the base64 of the SHA-1 of `acceptInput`.
  package func check(head: [UInt8], accept: [UInt8]) throws(HandshakeFault) -> ClientAgreement {
    let answer = try Answer(head: head)
    guard answer.status == 101 else {
      let retry = answer.fields.values("retry-after").first?.decimal(digitsMax: 9)
      throw .refused(status: answer.status, retryAfterSeconds: retry)
    }
    try check(answer.fields, accept: accept)
    let deflate = try DeflateOffer.agreement(answer.fields, isOffered: offersDeflate)
    return ClientAgreement(subprotocol: try subprotocol(answer.fields), deflate: deflate)
  }

  private func check(_ answer: HTTPFields, accept: [UInt8]) throws(HandshakeFault) {
    let upgrades = answer.values("upgrade")
    guard upgrades.count == 1, upgrades[0].isWord("websocket") else { throw .upgradeMissing }
    guard answer.lists("upgrade", in: "connection") else { throw .connectionMissing }
    let accepts = answer.values("sec-websocket-accept")
    guard accepts.count == 1, accepts[0].elementsEqual(accept) else { throw .acceptWrong }
  }

  private func subprotocol(_ answer: HTTPFields) throws(HandshakeFault) -> String? {
    let chosen = answer.values("sec-websocket-protocol").map(\.text)
    guard let name = chosen.first else { return nil }
    guard chosen.count == 1 && subprotocols.contains(name) else { throw .subprotocolNotOffered }
    return name
  }

  /// A status line and its fields (RFC 9112 §4).
  private struct Answer {
    let status: Int
    let fields: HTTPFields

    init(head: [UInt8]) throws(HandshakeFault) {
      let line = head[..<HTTPFields.lineEnd(head, from: 0)]
      guard line.count >= 12, line[..<7].elementsEqual("HTTP/1.".utf8), line[7].isDigit,
        line[8] == .space, let status = line[9..<12].decimal(digitsMax: 3),
        line.count == 12 || line[12] == .space
      else { throw .malformed }
      self.status = status
      do throws(HTTPFault) {
        fields = try HTTPFields(head: head, from: line.endIndex + 2)
      } catch {
        throw .malformed
      }
    }
  }
}
