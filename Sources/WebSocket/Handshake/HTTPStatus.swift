/// A status code with its phrase (RFC 9110 §15).
package struct HTTPStatus: Hashable, Sendable {
  /// The code, three digits.
  package let code: Int
  /// The phrase for people who read the bytes; no program should.
  package let phrase: String

  /// Takes any code. The codes in use here are below.
  package init(code: Int, phrase: String) {
    self.code = code
    self.phrase = phrase
  }

  /// The head is fine, and the body may come.
  package static let goOn = HTTPStatus(code: 100, phrase: "Continue")
  /// The upgrade is granted.
  package static let switchingProtocols = HTTPStatus(code: 101, phrase: "Switching Protocols")
  /// The answer is in the body.
  package static let ok = HTTPStatus(code: 200, phrase: "OK")
  /// The request is done, and there is nothing to say.
  package static let noContent = HTTPStatus(code: 204, phrase: "No Content")
  /// The client has the newest answer already (If-None-Match).
  package static let notModified = HTTPStatus(code: 304, phrase: "Not Modified")
  /// The request is malformed.
  package static let badRequest = HTTPStatus(code: 400, phrase: "Bad Request")
  /// The request does not say who sends it, or not by a token that is good. Say WWW-Authenticate.
  package static let unauthorized = HTTPStatus(code: 401, phrase: "Unauthorized")
  /// The origin is not welcome.
  package static let forbidden = HTTPStatus(code: 403, phrase: "Forbidden")
  /// No route has this path.
  package static let notFound = HTTPStatus(code: 404, phrase: "Not Found")
  /// The route takes other methods, named in Allow.
  package static let methodNotAllowed = HTTPStatus(code: 405, phrase: "Method Not Allowed")
  /// Something is in the way of the request.
  package static let conflict = HTTPStatus(code: 409, phrase: "Conflict")
  /// The thing was there, and is not any more.
  package static let gone = HTTPStatus(code: 410, phrase: "Gone")
  /// The head or body took too long.
  package static let requestTimeout = HTTPStatus(code: 408, phrase: "Request Timeout")
  /// The body is above the route's limit.
  package static let contentTooLarge = HTTPStatus(code: 413, phrase: "Content Too Large")
  /// The request target is above the limit.
  package static let targetTooLong = HTTPStatus(code: 414, phrase: "URI Too Long")
  /// The body is in a form that the route does not read.
  package static let unsupportedMediaType = HTTPStatus(code: 415, phrase: "Unsupported Media Type")
  /// The host is not this server.
  package static let misdirected = HTTPStatus(code: 421, phrase: "Misdirected Request")
  /// The route speaks WebSocket version 13 only.
  package static let upgradeRequired = HTTPStatus(code: 426, phrase: "Upgrade Required")
  /// A limit in time is used up. Say Retry-After.
  package static let tooManyRequests = HTTPStatus(code: 429, phrase: "Too Many Requests")
  /// The head is above a limit.
  package static let fieldsTooLarge = HTTPStatus(
    code: 431, phrase: "Request Header Fields Too Large")
  /// The fault is ours.
  package static let internalError = HTTPStatus(code: 500, phrase: "Internal Server Error")
  /// The method or transfer coding is not known here.
  package static let notImplemented = HTTPStatus(code: 501, phrase: "Not Implemented")
  /// The server is full or going down. Say Retry-After.
  package static let unavailable = HTTPStatus(code: 503, phrase: "Service Unavailable")
  /// The version of HTTP is not 1.
  package static let versionNotSupported = HTTPStatus(
    code: 505, phrase: "HTTP Version Not Supported")
}
