// The part of HTTP/1.1 that is understood: a request line with one space between its parts, fields, and a body whose
// length is told by one Content-Length. A request that two readers could understand differently is refused:
// Content-Length with Transfer-Encoding or twice, Host missing or twice, other line ends (RFC 9112 §3.2, §6.1, §6.3,
// §11.2). Transfer codings are not understood at all (501).

/// The methods that a route may ask for (RFC 9110 §9).
package enum HTTPMethod: Hashable, Sendable {
  case get, head, post, put, delete, options
  /// Any other method, known elsewhere or not: 501. Methods are case-sensitive.
  case other

  init(_ bytes: ArraySlice<UInt8>) {
    self =
      switch bytes.text {
      case "GET": .get
      case "HEAD": .head
      case "POST": .post
      case "PUT": .put
      case "DELETE": .delete
      case "OPTIONS": .options
      default: .other
      }
  }
}

/// The head of one HTTP/1.x request, checked.
package struct HTTPRequest: Sendable {
  /// The method. A route answers 405 or 501 to a method that it does not do.
  package let method: HTTPMethod
  /// The target's path as sent (percent-encoding kept), beginning with `/`. It is `*` for some OPTIONS.
  package let path: String
  /// The text behind the target's first `?`, as sent. Nil when there is no `?`.
  package let query: String?
  /// The host and port as sent, in lower case: from an absolute target, else from the Host field. Nil only in HTTP/1.0.
  package let host: String?
  /// The minor version, the x of HTTP/1.x.
  package let minorVersion: Int
  /// The number of bytes of body that follow; 0 without Content-Length.
  package let bodyBytes: Int
  let fields: HTTPFields

  /// Reads a head that `HTTPHeadReader` gave out, with the same limits. Throws when it breaks RFC 9112 or a limit.
  package init(head: [UInt8], limits: HTTPLimits = HTTPLimits()) throws(HTTPFault) {
    let line = head[..<HTTPFields.lineEnd(head, from: 0)]
    let parts = line.split(separator: .space, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenByte) else {
      throw .malformed
    }
    guard parts[1].count <= limits.targetBytesMax else { throw .targetTooLong }
    minorVersion = try Self.minorVersion(parts[2])
    method = HTTPMethod(parts[0])
    let target = try HTTPTarget(parts[1], allowsAsterisk: method == .options)
    path = target.path
    query = target.query
    fields = try HTTPFields(head: head, from: line.endIndex + 2)
    guard fields.count <= limits.fieldsMax else { throw .fieldsTooMany }
    let host = try Self.host(fields, isRequired: minorVersion >= 1)
    self.host = target.authority ?? host
    bodyBytes = try Self.bodyBytes(fields, minorVersion: minorVersion)
  }

  /// Whether the connection may carry another request after this one's answer (RFC 9112 §9.3).
  package var keepsAlive: Bool { minorVersion >= 1 && !fields.lists("close", in: "connection") }

  /// Whether the client waits for 100 before it sends the body (RFC 9110 §10.1.1).
  package var expectsContinue: Bool {
    minorVersion >= 1 && bodyBytes > 0 && fields.lists("100-continue", in: "expect")
  }

  /// Returns the values of every field of that lower-case name, in order.
  package func values(_ name: String) -> [String] { fields.values(name).map(\.text) }

  /// Returns the value if there is exactly one field of that lower-case name, otherwise nil.
  package func value(_ name: String) -> String? {
    let values = fields.values(name)
    return values.count == 1 ? values[0].text : nil
  }

  private static func minorVersion(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
    let shape = Array(bytes)
    guard shape.count == 8, shape[..<5].elementsEqual("HTTP/".utf8), shape[5].isDigit,
      shape[6] == UInt8(ascii: "."), shape[7].isDigit
    else { throw .malformed }
    guard shape[5] == UInt8(ascii: "1") else { throw .versionNotSupported }
    return Int(shape[7] - 0x30)
  }

  /// Returns the Host field. There must be exactly one and a valid one; HTTP/1.0 may leave it out (RFC 9112 §3.2).
  private static func host(_ fields: HTTPFields, isRequired: Bool) throws(HTTPFault) -> String? {
    let values = fields.values("host")
    guard let first = values.first else {
      if isRequired { throw .malformed }
      return nil
    }
    guard values.count == 1 && first.isHost else { throw .malformed }
    return first.hostText
  }

  private static func bodyBytes(_ fields: HTTPFields, minorVersion: Int) throws(HTTPFault) -> Int {
    let lengths = fields.values("content-length")
    if fields.contains("transfer-encoding") {
      guard lengths.isEmpty && minorVersion >= 1 else { throw .malformed }
      throw .transferEncodingNotSupported
    }
    guard let first = lengths.first else { return 0 }
    guard lengths.count == 1, let length = first.decimal(digitsMax: 18) else { throw .malformed }
    return length
  }
}
