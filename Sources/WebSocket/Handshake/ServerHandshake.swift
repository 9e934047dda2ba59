// The server's half of the opening handshake, RFC 6455 §4.2. It refuses with these codes:
//
//   501  a method that is unknown here          405  a known one other than GET (Allow: GET)
//   426  no upgrade to WebSocket asked for, or by HTTP/1.0 (RFC 9110 §7.8), or another version
//        than 13; the answer names what is needed
//   400  a body; a version or key that is missing, doubled or malformed; a doubled origin; a doubled or
//        malformed subprotocol; none of the subprotocols that the route needs; malformed extensions
//        (`DeflateNegotiation.swift`)

/// The subprotocols that an upgrade route speaks, the preferred one first.
package struct Subprotocols: Sendable, Hashable {
  /// The names, tokens that are compared byte by byte.
  package let names: [String]
  /// Whether a client that offers none of them is refused with 400. Otherwise it is served without one.
  package let areRequired: Bool

  /// Makes the list. The preferred name comes first.
  package init(_ names: [String], areRequired: Bool) {
    self.names = names
    self.areRequired = areRequired
  }

  /// The list of a route that speaks none and takes every client.
  package static let none = Subprotocols([], areRequired: false)
}

/// The answer to an upgrade request.
package enum UpgradeDecision: Sendable, Hashable {
  case accepted(Upgrade)
  /// Send the answer and close.
  case refused(HTTPReply)
}

/// An upgrade that may be granted.
package struct Upgrade: Sendable, Hashable {
  /// The Sec-WebSocket-Key as sent, 24 bytes.
  package let key: [UInt8]
  /// The route's first subprotocol that the client offered. Nil when there is none.
  package let subprotocol: String?
  private let deflateAnswer: DeflateAnswer?

  fileprivate init(key: [UInt8], subprotocol: String?, deflateAnswer: DeflateAnswer?) {
    self.key = key
    self.subprotocol = subprotocol
    self.deflateAnswer = deflateAnswer
  }

  /// The agreement on compression, for the connection. Nil without compression.
  package var deflate: DeflateAgreement? { deflateAnswer?.agreement }

  /// The bytes whose SHA-1 is needed: the key and the protocol's GUID (§4.2.2, 5.4).
  package var acceptInput: [UInt8] { key + webSocketGUID }

  /// Appends the 101 answer. `accept` is the base64 of that SHA-1, 28 bytes.
  package func write(accept: [UInt8], to output: inout [UInt8]) {
    output.append(line: "HTTP/1.1 101 Switching Protocols")
    output.append(line: "Upgrade: websocket")
    output.append(line: "Connection: Upgrade")
    output.append(contentsOf: "Sec-WebSocket-Accept: ".utf8)
    output.append(contentsOf: accept)
    output.append(line: "")
    if let subprotocol { output.append(line: "Sec-WebSocket-Protocol: \(subprotocol)") }
    if let deflateAnswer {
      output.append(line: "Sec-WebSocket-Extensions: \(deflateAnswer.text)")
    }
    output.append(line: "")
  }
}

extension HTTPRequest {
  /// Decides on an upgrade. The caller must check before whether path, host and origin are welcome. With `deflate` an
  /// offer of permessage-deflate is taken.
  package func upgrade(subprotocols: Subprotocols, deflate: Bool = false) -> UpgradeDecision {
    if let refusal = refusalOfMethod ?? refusalOfUpgrade ?? refusalOfFields {
      return .refused(refusal)
    }
    guard let offered = offeredSubprotocols else {
      return .refused(.text(.badRequest, "Sec-WebSocket-Protocol is malformed"))
    }
    guard let extensions = ExtensionElement.all(in: fields) else {
      return .refused(.text(.badRequest, "Sec-WebSocket-Extensions is malformed"))
    }
    let chosen = subprotocols.names.first { offered.contains($0) }
    if chosen == nil && subprotocols.areRequired {
      let names = subprotocols.names.joined(separator: ", ")
      return .refused(.text(.badRequest, "a subprotocol is needed: \(names)"))
    }
    let key = fields.values("sec-websocket-key").first ?? []
    let answer = deflate ? DeflateAnswer(to: extensions) : nil
    return .accepted(Upgrade(key: Array(key), subprotocol: chosen, deflateAnswer: answer))
  }

  private var refusalOfMethod: HTTPReply? {
    switch method {
    case .get: nil
    case .head, .post, .put, .delete, .options:
      .text(.methodNotAllowed, "GET only", fields: [.init("Allow", "GET")])
    case .other: .text(.notImplemented, "the method is not known here")
    }
  }

  private var refusalOfUpgrade: HTTPReply? {
    guard bodyBytes == 0 else { return .text(.badRequest, "an upgrade has no body") }
    let asksForIt =
      minorVersion >= 1 && fields.lists("websocket", in: "upgrade")
      && fields.lists("upgrade", in: "connection")
    return asksForIt ? nil : Self.upgradeRequired("this is a WebSocket address")
  }

  private var refusalOfFields: HTTPReply? {
    let versions = fields.values("sec-websocket-version")
    guard versions.count == 1, versions[0].isVersion else {
      return .text(.badRequest, "Sec-WebSocket-Version is needed once, a number")
    }
    guard versions[0].elementsEqual("13".utf8) else {
      return Self.upgradeRequired("only version 13 is spoken here")
    }
    let keys = fields.values("sec-websocket-key")
    guard keys.count == 1, keys[0].isHandshakeKey else {
      return .text(.badRequest, "Sec-WebSocket-Key is needed once, 16 bytes in base64")
    }
    guard fields.values("origin").count <= 1 else {
      return .text(.badRequest, "Origin is there twice")
    }
    return nil
  }

  /// The offered subprotocols over all fields of that name: tokens, none twice (§11.3.4). Nil if malformed.
  private var offeredSubprotocols: [String]? {
    let names = fields.elements("sec-websocket-protocol")
    guard names.allSatisfy({ $0.allSatisfy(\.isTokenByte) }) else { return nil }
    let texts = names.map(\.text)
    return Set(texts).count == texts.count ? texts : nil
  }

  /// Returns the answer 426 with the fields that it needs (RFC 9110 §15.5.22, RFC 6455 §4.4).
  private static func upgradeRequired(_ sentence: String) -> HTTPReply {
    .text(
      .upgradeRequired, sentence,
      fields: [.init("Upgrade", "websocket"), .init("Sec-WebSocket-Version", "13")])
  }
}

extension ArraySlice<UInt8> {
  /// Whether this is a number below 1000 without leading zeros (§4.1, §11.6).
  fileprivate var isVersion: Bool {
    decimal(digitsMax: 3) != nil && (count == 1 || first != UInt8(ascii: "0"))
  }

  /// Whether this is base64 of 16 bytes: 22 characters and two paddings. The four bits that mean nothing are not
  /// judged.
  fileprivate var isHandshakeKey: Bool {
    count == 24 && suffix(2).elementsEqual("==".utf8)
      && prefix(22).allSatisfy(\.isBase64Byte)
  }
}
