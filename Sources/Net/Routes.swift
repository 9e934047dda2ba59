package import WebSocket

/// The table of what is served, path → endpoint. Any other path is 404, a wrong method 405.
package struct RouteTable: Sendable {
  /// The endpoint of a path.
  enum Endpoint: Sendable {
    case webSocket(WebSocketRoute)
    case request(
      HTTPMethod, bodyBytesMax: Int, handler: @Sendable (RouteRequest) -> HTTPReply)
    /// A request that the application answers when it can.
    case question(HTTPMethod, bodyBytesMax: Int)
  }

  private var endpoints: [String: Endpoint] = [:]
  /// The endpoints of paths that begin so.
  private var families: [(prefix: String, endpoint: Endpoint)] = []

  package init() {}

  /// Adds a path where WebSocket connections begin. The path is exact, without a query. `messageBytesMax` bounds one
  /// message's payload (else close code 1009), before and after it is decompressed. With `deflate` permessage-deflate
  /// (RFC 7692) is agreed on with clients that offer it.
  package mutating func addWebSocket(
    _ path: String, subprotocols: Subprotocols = .none, messageBytesMax: Int = 256 * 1024,
    deflate: Bool = false
  ) {
    let route = WebSocketRoute(
      subprotocols: subprotocols, messageBytesMax: messageBytesMax, deflate: deflate)
    add(path, .webSocket(route))
  }

  /// Adds a path that answers requests; GET answers HEAD too. The handler runs on loop threads and
  /// must not block. A request may have a body only where `bodyBytesMax` is above 0 (else 413).
  package mutating func add(
    _ method: HTTPMethod, _ path: String, bodyBytesMax: Int = 0,
    _ handler: @escaping @Sendable (RouteRequest) -> HTTPReply
  ) {
    add(path, .request(method, bodyBytesMax: bodyBytesMax, handler: handler))
  }

  /// Adds all paths that begin like this and have no endpoint of their own, for requests that the application answers
  /// later (`LoopApplication.asked`, `Loop.reply`). GET answers HEAD too. A request may have a body only where
  /// `bodyBytesMax` is above 0 (else 413).
  package mutating func addQuestions(
    _ method: HTTPMethod, under prefix: String, bodyBytesMax: Int = 0
  ) {
    families.append((prefix, .question(method, bodyBytesMax: bodyBytesMax)))
  }

  /// Adds one path for such requests.
  package mutating func addQuestion(
    _ method: HTTPMethod, at path: String, bodyBytesMax: Int = 0
  ) {
    add(path, .question(method, bodyBytesMax: bodyBytesMax))
  }

  subscript(path: String) -> Endpoint? {
    endpoints[path] ?? families.first { path.hasPrefix($0.prefix) }?.endpoint
  }

  private mutating func add(_ path: String, _ endpoint: Endpoint) {
    precondition(endpoints[path] == nil, "a path has one endpoint")
    endpoints[path] = endpoint
  }
}

/// A path where WebSocket connections begin.
struct WebSocketRoute: Sendable {
  let subprotocols: Subprotocols
  let messageBytesMax: Int
  let deflate: Bool
}

/// A whole request for a route.
package struct RouteRequest: Sendable {
  /// The head, checked; its host is one of ours.
  package let head: HTTPRequest
  /// The body, at most the route's `bodyBytesMax`.
  package let body: [UInt8]
  /// The client that asks, also behind a trusted proxy.
  package let peer: PeerAddress
}
