/// The kinds of error answers (protocol §11). Clients switch on the word, never on the sentence.
package enum ErrorKind: String, CaseIterable, Sendable {
  case parse
  case invalidRequest = "invalid_request"
  case unknownMethod = "unknown_method"
  case invalid
  case `internal`
  case unauthenticated
  case forbidden
  case notFound = "not_found"
  case conflict
  case gone
  case moved
  case exists
  case tooLarge = "too_large"
  case rateLimited = "rate_limited"
  case unavailable
  case unknownOutcome = "unknown_outcome"
  case draining
  case keyReused = "key_reused"
  case quota
  case staleBase = "stale_base"

  /// The code of the error answer, from JSON-RPC 2.0 §5.1. Codes from −32099 to −32000 are ours.
  package var code: Int {
    switch self {
    case .parse: -32700
    case .invalidRequest: -32600
    case .unknownMethod: -32601
    case .invalid: -32602
    case .internal: -32603
    case .unauthenticated: -32001
    case .forbidden: -32002
    case .notFound: -32003
    case .conflict: -32004
    case .gone: -32005
    case .exists: -32006
    case .tooLarge: -32008
    case .rateLimited: -32010
    case .unavailable: -32011
    case .unknownOutcome: -32012
    case .draining: -32013
    case .keyReused: -32014
    case .quota: -32015
    case .staleBase: -32016
    case .moved: -32017
    }
  }

  package var retry: Retry {
    switch self {
    case .parse, .invalidRequest, .unknownMethod, .invalid, .unauthenticated, .forbidden, .notFound,
      .conflict, .gone, .exists, .tooLarge, .keyReused, .quota, .staleBase, .moved:
      .no
    case .internal, .rateLimited, .unavailable: .after
    case .unknownOutcome: .now
    case .draining: .reconnect
    }
  }
}

/// The advice on what helps against an error.
package enum Retry: String, CaseIterable, Sendable {
  /// The same request will fail again.
  case no
  /// The same request with the same key helps, at once.
  case now
  /// The same request with the same key helps, after `afterMs` or the usual back-off.
  case after
  /// A new connection helps, and on it the same request with the same key.
  case reconnect
}
