/// The close codes that a client can meet (protocol §12; RFC 6455 §7.4). Codes from 4000 are ours: 4000–4499 mean that
/// the client should connect again, and 4500–4999 that it should not.
package enum CloseCode: UInt16, CaseIterable, Sendable {
  case normal = 1000
  case goingAway = 1001
  case protocolError = 1002
  case unsupportedData = 1003
  case invalidText = 1007
  /// The client sends pings, pongs or fragments without end.
  case policyViolation = 1008
  case tooLarge = 1009
  case internalError = 1011
  case restart = 1012
  case tryLater = 1013
  /// The server is stopping. The client should come back within the window that `server.drain` told.
  case drain = 4001
  /// The client has read no byte for too long.
  case slow = 4008
  /// The client sent no `hello` in time.
  case helloTimeout = 4501
  case tokenInvalid = 4502
  /// The client went on sending messages that are no requests.
  case protocolAbuse = 4505
  /// The session was closed, here or elsewhere.
  case signedOut = 4506
  /// The link was taken back, or its time is over.
  case linkEnded = 4507

  /// The text of the close frame: at most 123 bytes of ASCII.
  package var reason: String {
    switch self {
    case .normal: "done"
    case .goingAway: "going away"
    case .protocolError: "protocol error"
    case .unsupportedData: "text messages only"
    case .invalidText: "invalid UTF-8"
    case .policyViolation: "too many small frames"
    case .tooLarge: "message too large"
    case .internalError: "internal error"
    case .restart: "restart"
    case .tryLater: "try again later"
    case .drain: "draining"
    case .slow: "too slow"
    case .helloTimeout: "no hello in time"
    case .tokenInvalid: "token not valid"
    case .protocolAbuse: "not this protocol"
    case .signedOut: "signed out"
    case .linkEnded: "the link has ended"
    }
  }

  /// Whether a client may connect again by itself.
  package var invitesReconnect: Bool {
    switch self {
    case .normal, .goingAway, .internalError, .restart, .tryLater, .drain, .slow: true
    case .protocolError, .unsupportedData, .invalidText, .policyViolation, .tooLarge, .helloTimeout,
      .tokenInvalid, .protocolAbuse, .signedOut, .linkEnded:
      false
    }
  }
}
