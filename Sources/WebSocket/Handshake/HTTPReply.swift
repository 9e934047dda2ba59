/// One HTTP answer with its body. `write` adds the length and the Connection field.
package struct HTTPReply: Sendable, Hashable {
  /// One header field.
  package struct Field: Sendable, Hashable {
    /// The name, a token (RFC 9110 §5.6.2). It is written as it is.
    package let name: String
    /// The value, without blanks around it or control characters in it.
    package let value: String

    /// Makes a field that cannot begin another one.
    /// - Precondition: the name is a token and the value has no control character.
    package init(_ name: String, _ value: String) {
      precondition(Self.isSendable(name, value), "a header field with a character that breaks it")
      self.name = name
      self.value = value
    }

    static func isSendable(_ name: String, _ value: String) -> Bool {
      !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
  }

  /// The status line's code and phrase.
  package let status: HTTPStatus
  /// The fields without Content-Length and Connection, which `write` adds.
  package let fields: [Field]
  /// The body. It is left out for 204, 304 and HEAD.
  package let body: [UInt8]

  /// Makes an answer of any kind. A body needs a Content-Type among the fields.
  package init(_ status: HTTPStatus, fields: [Field] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Returns a plain-text answer of one line. The line feed is added.
  package static func text(_ status: HTTPStatus, _ text: String, fields: [Field] = [])
    -> HTTPReply
  {
    let type = Field("Content-Type", "text/plain; charset=utf-8")
    return HTTPReply(status, fields: fields + [type], body: Array(text.utf8) + [.lineFeed])
  }

  /// Returns the answer to a head that could not be read. Close the connection after it.
  package static func refusal(_ fault: HTTPFault) -> HTTPReply {
    .text(fault.status, fault.sentence)
  }

  /// The field that makes browsers use TLS for a year once they were here over TLS, whatever a link or a page says (RFC
  /// 6797). It counts for this host only, and not when the host is an address.
  private static let alwaysOverTLS = "Strict-Transport-Security: max-age=31536000"

  /// Appends the answer, without the body when it answers HEAD. Without `keepsAlive` it says that the connection ends.
  package func write(
    to output: inout [UInt8], keepsAlive: Bool, answersHead: Bool = false, isOverTLS: Bool = false
  ) {
    output.append(line: "HTTP/1.1 \(status.code) \(status.phrase)")
    for field in fields { output.append(line: "\(field.name): \(field.value)") }
    if isOverTLS { output.append(line: HTTPReply.alwaysOverTLS) }
    // Connection must name an Upgrade field (RFC 9110 §7.8).
    let options =
      (fields.contains { $0.name == "Upgrade" } ? ["Upgrade"] : []) + (keepsAlive ? [] : ["close"])
    if !options.isEmpty {
      output.append(line: "Connection: \(options.joined(separator: ", "))")
    }
    // 1xx and 204 never have a length (RFC 9110 §8.6), and with 304 it would be that of another answer.
    let hasBody = status.code >= 200 && status.code != 204 && status != .notModified
    if hasBody {
      // The body is what its Content-Type says, not what a browser finds in it.
      output.append(line: "X-Content-Type-Options: nosniff")
      output.append(line: "Content-Length: \(body.count)")
    }
    output.append(line: "")
    if hasBody && !answersHead { output.append(contentsOf: body) }
  }
}

extension [UInt8] {
  mutating func append(line: String) {
    append(contentsOf: line.utf8)
    append(.carriageReturn)
    append(.lineFeed)
  }
}
