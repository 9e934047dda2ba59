// A program reports over HTTP (protocol §5.17): `POST /hooks`, with the token of a bot in Authorization. The token is a
// secret: it stands in no log, and no answer may be kept by anybody between.

package import Domain
internal import Sync
package import WebSocket
package import Wire

/// The request of a program that reports.
package struct HookRequest {
  package static let path = "/hooks"

  package let token: String
  /// The list that the address names.
  package let list: CategoryID?
  /// The text by which a repeat is known, from Idempotency-Key. Nil when there is none.
  package let key: String?
  /// The form of the body.
  package let form: HookForm

  /// The longest Idempotency-Key, in bytes.
  package static let keyBytesMax = 255
  /// The longest token, in bytes: longer than any that is made.
  package static let tokenBytesMax = 256

  /// Reads the head of a request. Throws the answer to one that is no report.
  package init(_ head: HTTPRequest) throws(HookFault) {
    list = try HookRequest.list(in: head.path)
    token = try HookRequest.token(in: head.values("authorization"))
    form = try HookRequest.form(head.values("content-type"))
    guard head.values("content-encoding").allSatisfy({ $0.lowercased() == "identity" }) else {
      throw .encoded
    }
    key = try HookRequest.key(head.values("idempotency-key"))
  }

  private static func list(in path: String) throws(HookFault) -> CategoryID? {
    let rest = path.dropFirst(HookRequest.path.count)
    if rest.isEmpty { return nil }
    guard rest.first == "/", let id = UUID(rest.dropFirst()) else { throw .nowhere }
    return CategoryID(id)
  }

  /// Reads `Authorization: Bearer TOKEN` (RFC 6750 §2.1). The scheme is in any case (RFC 9110 §11.1).
  private static func token(in values: [String]) throws(HookFault) -> String {
    guard values.count == 1 else { throw .unauthenticated }
    let parts = values[0].split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= tokenBytesMax
    else { throw .unauthenticated }
    return parts[1].drop { $0 == " " }.description
  }

  private static func form(_ values: [String]) throws(HookFault) -> HookForm {
    guard let value = values.first else { return .text }
    let parts = value.lowercased().split(separator: ";").map { part in
      part.filter { $0 != " " && $0 != "\t" }
    }
    for option in parts.dropFirst() where option.hasPrefix("charset=") {
      let name = option.dropFirst("charset=".count).filter { $0 != "\"" }
      guard name == "utf-8" || name == "us-ascii" else { throw .otherForm }
    }
    guard values.count == 1 else { throw .otherForm }
    switch parts.first {
    case "text/plain": return .text
    case "application/json": return .json
    case "application/x-www-form-urlencoded": return .form
    default: throw .otherForm
    }
  }

  /// Reads Idempotency-Key: printable ASCII, with or without quotation marks around it.
  private static func key(_ values: [String]) throws(HookFault) -> String? {
    guard let value = values.first else { return nil }
    let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
    let text = isQuoted ? String(value.dropFirst().dropLast()) : value
    guard values.count == 1, (1...keyBytesMax).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw .malformedKey }
    return text
  }
}

/// The reason why a request is no report.
package enum HookFault: Error, Equatable {
  /// The address is neither `/hooks` nor that of a list.
  case nowhere
  /// There is no token, or no single one. The answer is the same for one that is not good.
  case unauthenticated
  /// The body is in a form that is not read here.
  case otherForm
  /// The body is compressed.
  case encoded
  case malformedKey

  package var reply: HTTPReply {
    switch self {
    case .nowhere: .text(.notFound, "There is nothing here: reports go to /hooks or /hooks/LIST.")
    case .unauthenticated: HookReply.http(.refused(.refused(.unauthenticated)))
    case .otherForm:
      .text(
        .unsupportedMediaType,
        "The body must be text/plain, application/json or application/x-www-form-urlencoded, "
          + "in UTF-8.")
    case .encoded: .text(.unsupportedMediaType, "The body must not be compressed.")
    case .malformedKey:
      .text(
        .badRequest,
        "The Idempotency-Key must be 1 to \(HookRequest.keyBytesMax) characters of "
          + "printable ASCII.")
    }
  }
}

/// The HTTP answers to reports.
enum HookReply {
  static func http(_ answer: HookAnswer) -> HTTPReply {
    HTTPReply(
      status(of: answer.error),
      fields: [
        .init("Content-Type", "application/json"), .init("Cache-Control", "no-store"),
      ] + fields(of: answer),
      body: answer.body)
  }

  private static func fields(of answer: HookAnswer) -> [HTTPReply.Field] {
    switch answer {
    case .refused(.rateLimited(let milliseconds)), .refused(.unavailable(let milliseconds)):
      [.init("Retry-After", "\((milliseconds + 999) / 1_000)")]
    case .refused(.unknownOutcome), .refused(.draining): [.init("Retry-After", "1")]
    case .refused(let failure) where failure.kind == .unauthenticated:
      [.init("WWW-Authenticate", "Bearer")]
    case .taken, .refused: []
    }
  }

  /// Returns the status of an error of the protocol (protocol §5.17).
  private static func status(of error: ErrorKind?) -> HTTPStatus {
    switch error {
    case nil: .ok
    case .parse, .invalidRequest, .unknownMethod, .invalid, .tooLarge: .badRequest
    case .unauthenticated: .unauthorized
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .conflict, .exists, .keyReused, .quota, .staleBase: .conflict
    case .gone, .moved: .gone
    case .rateLimited: .tooManyRequests
    case .unavailable, .unknownOutcome, .draining: .unavailable
    case .internal: .internalError
    }
  }
}
