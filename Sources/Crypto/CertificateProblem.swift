import COpenSSL

/// The problem of a server's certificate, as far as a person can do something about it.
package enum CertificateProblem: Hashable, Sendable {
  /// The chain ends at an authority that we do not trust, or at none.
  case unknownAuthority
  /// The certificate is for other names and addresses than the one that was dialled.
  case wrongName
  /// The time of the certificate, or of one above it, is over.
  case expired
  case notYetValid

  /// Makes the problem of a fault. Nil for rarer ones, which a sentence of OpenSSL describes (`TLSFault.description`).
  package init?(_ fault: TLSFault) {
    guard case .certificate(let number) = fault else { return nil }
    switch number {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_SIGNATURE_FAILURE:
      self = .unknownAuthority
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongName
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    default: return nil
    }
  }
}
