/// The reason why a head is refused before any route looks at it (RFC 9112).
package enum HTTPFault: Error, Hashable, Sendable {
  case malformed
  case headTooLong
  case targetTooLong
  case fieldsTooMany
  case versionNotSupported
  case transferEncodingNotSupported

  /// The status to answer with. The connection is closed after it, because the bytes that follow cannot be told apart.
  package var status: HTTPStatus {
    switch self {
    case .malformed: .badRequest
    case .headTooLong, .fieldsTooMany: .fieldsTooLarge
    case .targetTooLong: .targetTooLong
    case .versionNotSupported: .versionNotSupported
    case .transferEncodingNotSupported: .notImplemented
    }
  }

  /// One line for the answer's body.
  package var sentence: String {
    switch self {
    case .malformed: "the request is malformed"
    case .headTooLong: "the header is too long"
    case .fieldsTooMany: "the header has too many fields"
    case .targetTooLong: "the target is too long"
    case .versionNotSupported: "only HTTP/1.1 is spoken here"
    case .transferEncodingNotSupported: "a transfer encoding is not understood here"
    }
  }
}
