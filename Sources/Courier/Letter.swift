// The values that go into a courier and come out of it.

/// A request that leaves the server: a POST.
package struct Letter: Sendable {
  /// The caller's number, which comes back in `Delivered`. The courier does not read it.
  package let id: UInt64
  /// An http or https URL in ASCII, without credentials (RFC 3986).
  package let address: String
  /// The fields of the request's header, `Content-Type` among them. A name is a token (RFC 9110 §5.6.2). A value has no
  /// control characters but tabs; a letter with another one fails with code 43, and nothing is sent.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  package init(
    id: UInt64, address: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    self.id = id
    self.address = address
    self.headers = headers
    self.body = body
  }

  /// The header as libcurl takes it, a line for each field. Nil when a field could become two, or none.
  var headerLines: [String]? {
    var lines: [String] = []
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Letter.isToken),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else { return nil }
      // libcurl would read "Name:" as "leave out this field", and sends "Name;" as one without a value.
      lines.append(value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(name);" : "\(name): \(value)")
    }
    return lines
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

/// The end of one letter.
package struct Delivered: Sendable {
  /// The number of the letter.
  package let id: UInt64
  package let outcome: Outcome
  /// The time since `Courier.send`.
  package let milliseconds: Int

  package init(id: UInt64, outcome: Outcome, milliseconds: Int) {
    self.id = id
    self.outcome = outcome
    self.milliseconds = milliseconds
  }
}

/// An answer of the host, with any status, or the reason why there is none.
package enum Outcome: Equatable, Sendable {
  case answered(Reply)
  case failed(CourierFailure)
}

/// The answer of a host.
package struct Reply: Equatable, Sendable {
  /// The status, 200 or more. A redirect is an answer like any other: it is not followed.
  package let status: Int
  /// The wait that `Retry-After` asks for, 0...86400. Nil without that field, or when it names a date (RFC 9110
  /// §10.2.3).
  package let retryAfterSeconds: Int?
  /// The first bytes of the body, at most `CourierOptions.answerBytesMax`.
  package let body: [UInt8]

  package init(status: Int, retryAfterSeconds: Int? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfterSeconds = retryAfterSeconds
    self.body = body
  }

  /// The longest wait that is told: a day.
  private static let retryAfterSecondsMax = 86_400

  /// Reads the value of `Retry-After`. Nil for a date, and for what is no number.
  static func retryAfterSeconds(_ value: String) -> Int? {
    guard !value.isEmpty else { return nil }
    var seconds = 0
    for byte in value.utf8 {
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
      seconds = min(10 * seconds + Int(byte - UInt8(ascii: "0")), retryAfterSecondsMax)
    }
    return seconds
  }
}
