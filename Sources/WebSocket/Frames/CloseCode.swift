/// A status code of a close frame (RFC 6455 §7.4 and IANA's registry).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
  /// The number as on the wire. Numbers that never stand there are possible too (`isAllowedOnWire`).
  package let rawValue: UInt16

  /// Takes any number. A frame with one that is not allowed is refused when it is read.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The purpose is fulfilled.
  package static let normal = CloseCode(rawValue: 1000)
  /// The server shuts down, or the browser left the page.
  package static let goingAway = CloseCode(rawValue: 1001)
  /// The peer broke this protocol.
  package static let protocolError = CloseCode(rawValue: 1002)
  /// The data is of a kind that this end does not take, such as binary.
  package static let unsupportedData = CloseCode(rawValue: 1003)
  /// The payload does not fit its kind: a text that is not UTF-8.
  package static let invalidPayload = CloseCode(rawValue: 1007)
  /// The peer broke a rule that no other code names.
  package static let policyViolation = CloseCode(rawValue: 1008)
  /// The message is above the limit of the end that closes.
  package static let messageTooBig = CloseCode(rawValue: 1009)
  /// The server did not take an extension that the client needs. Only a client sends this.
  package static let extensionMissing = CloseCode(rawValue: 1010)
  /// The server cannot fulfil the request.
  package static let internalError = CloseCode(rawValue: 1011)
  /// The server restarts; come back after a while (IANA).
  package static let serviceRestart = CloseCode(rawValue: 1012)
  /// The server is overloaded (IANA).
  package static let tryAgainLater = CloseCode(rawValue: 1013)
  /// A gateway got a wrong answer from behind it (IANA).
  package static let badGateway = CloseCode(rawValue: 1014)

  /// Whether the code may stand in a close frame: 1000–1003, 1007–1014 and 3000–4999.
  ///
  /// 1004 is undefined; 1005, 1006 and 1015 only describe a connection that ended without such a frame (§7.4.1). 0–999
  /// and 5000 on belong to nobody, and 1016–2999 are reserved for the RFCs (§7.4.2).
  package var isAllowedOnWire: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// The code and the reason of a peer's close frame (RFC 6455 §5.5.1).
package struct CloseNotice: Hashable, Sendable {
  /// The code. Nil when the frame had no payload (§7.1.5 calls that 1005).
  package let code: CloseCode?
  /// The reason in UTF-8, checked, at most 123 bytes.
  package let reason: [UInt8]

  /// Makes a notice for comparisons. Nothing is checked here.
  package init(code: CloseCode?, reason: [UInt8]) {
    self.code = code
    self.reason = reason
  }

  /// Reads a close frame's payload. Throws `.closePayloadOfOneByte`, `.closeCodeNotAllowed`, `.closeReasonNotUTF8`.
  init(payload: [UInt8]) throws(WebSocketFault) {
    guard !payload.isEmpty else {
      self.init(code: nil, reason: [])
      return
    }
    guard payload.count >= 2 else { throw .closePayloadOfOneByte }
    let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.isAllowedOnWire else { throw .closeCodeNotAllowed }
    guard UTF8Checker.isWhole(payload.span.extracting(2..<payload.count)) else {
      throw .closeReasonNotUTF8
    }
    self.init(code: code, reason: Array(payload[2...]))
  }

  static let reasonBytesMax = 123

  /// Returns the payload of a close frame. The reason is cut at the end of a character.
  static func payload(_ code: CloseCode?, reason: String) -> [UInt8] {
    guard let code else { return [] }
    precondition(code.isAllowedOnWire, "this close code never stands in a frame")
    var bytes = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
    var room = reasonBytesMax
    for scalar in reason.unicodeScalars {
      room -= UTF8.width(scalar)
      guard room >= 0 else { break }
      bytes.append(contentsOf: Array(String(scalar).utf8))
    }
    return bytes
  }
}
