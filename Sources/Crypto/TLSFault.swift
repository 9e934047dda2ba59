import COpenSSL

/// The act or the nature of a peer that ends a TLS connection.
package enum TLSFault: Error, Hashable, Sendable {
  /// A request without TLS came to a TLS port.
  case plainRequest
  /// The bytes that came are no TLS.
  case notTLS
  /// The server's certificate is not good. Holds OpenSSL's X509_V_ERR number.
  case certificate(Int32)
  /// The peer ended the connection with this alert (RFC 8446 §6).
  case alert(Int32)
  /// The peer sent nothing but handshake messages and refused renegotiations.
  case flood
  /// The peer broke the protocol in another way, or speaks nothing that both sides do. Holds OpenSSL's reason number.
  case violation(Int32)
}

extension TLSFault: CustomStringConvertible {
  /// One sentence for a person.
  package var description: String {
    switch self {
    case .plainRequest: "A request without TLS came to a port that speaks TLS."
    case .notTLS: "The other side does not speak TLS."
    case .certificate(let number):
      "The server's certificate is not trusted: \(TLSFault.text(ofCertificateError: number))."
    case .alert(let number): "The other side ended TLS: \(TLSFault.text(ofAlert: number))."
    case .flood: "The other side sends handshake messages without end."
    case .violation(let reason): "TLS failed: \(TLSFault.text(ofReason: reason))."
    }
  }

  private static func text(ofCertificateError number: Int32) -> String {
    guard let text = X509_verify_cert_error_string(Int(number)) else { return "error \(number)" }
    return String(cString: text)
  }

  private static func text(ofAlert number: Int32) -> String {
    guard let text = SSL_alert_desc_string_long(number) else { return "alert \(number)" }
    return String(cString: text)
  }

  private static func text(ofReason reason: Int32) -> String {
    let code = UInt(ERR_LIB_SSL) << 23 | UInt(reason)
    guard let text = ERR_reason_error_string(code) else { return "error \(reason)" }
    return String(cString: text)
  }

  /// Reads OpenSSL's word on a failed call. Takes the thread's error queue.
  init(of session: OpaquePointer) {
    let reason = TLSErrorQueue.take().firstReason(of: ERR_LIB_SSL)
    switch reason {
    case nil: self = .violation(Int32(ERR_R_INTERNAL_ERROR))
    case SSL_R_HTTP_REQUEST: self = .plainRequest
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_UNKNOWN_PROTOCOL:
      self = .notTLS
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
      self = .certificate(Int32(clamping: SSL_get_verify_result(session)))
    case let alert? where alert > SSL_AD_REASON_OFFSET:
      self = .alert(alert - SSL_AD_REASON_OFFSET)
    case let reason?: self = .violation(reason)
    }
  }
}
