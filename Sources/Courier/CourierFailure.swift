// The reasons why a letter got no answer, and how libcurl's codes (curl.se/libcurl/c/libcurl-errors.html) become them.

import CCurl

/// The reason why a letter got no answer.
package enum CourierFailure: Error, Equatable, Sendable {
  /// The name of the host has no address, or nobody who knows answers.
  case unknownHost
  /// The host has only addresses to which the courier sends nothing. This is the first of them, as text.
  case forbiddenAddress(String)
  /// No address of the host accepts a connection.
  case cannotConnect
  /// One of the two times of `CourierOptions` was over.
  case timedOut
  /// The time was over while the letter waited for its turn. The host may be well.
  case notTried
  /// The host does not speak TLS 1.2 or newer, or its certificate is not good for its name.
  case untrusted
  /// The host closed without a whole answer, or its answer is not HTTP/1.
  case brokenAnswer
  /// The address is not an http or https URL in ASCII, or it holds credentials.
  case badAddress
  /// Anything else: a CURLcode; above 1000 a CURLMcode plus 1000. Code 43 says that the letter's header is malformed.
  case other(code: Int)

  /// A clause that continues "The letter did not arrive:". It begins small and has no stop.
  package var words: String {
    switch self {
    case .unknownHost: "the host has no address"
    // The number would tell strangers what names mean inside the server's network.
    case .forbiddenAddress: "the host has no public address, and this server sends to no other"
    case .cannotConnect: "the host accepts no connection"
    case .timedOut: "the host did not answer in time"
    case .notTried: "others waited for the same host"
    case .untrusted: "the host has no TLS that can be trusted"
    case .brokenAnswer: "the host gave no whole HTTP answer"
    case .badAddress: "the address is no plain http or https URL"
    case .other(let code): "the request failed with code \(code)"
    }
  }

  /// Says the cause that libcurl gave.
  init(_ code: CURLcode) {
    self =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
      case CURLE_COULDNT_CONNECT: .cannotConnect
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
        .untrusted
      // An answer that is not HTTP/1 is an "unsupported protocol" to libcurl, because it could be HTTP/0.9. The
      // protocol of the address was checked before. A line of a header that is longer than 100 KB is "out of memory".
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY,
        CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
        CURLE_WRITE_ERROR, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED:
        .brokenAnswer
      case CURLE_URL_MALFORMAT: .badAddress
      default: .other(code: Int(code.rawValue))
      }
  }

  /// Says that libcurl's multi interface failed.
  init(_ code: CURLMcode) {
    self = .other(code: 1_000 + Int(code.rawValue))
  }
}
