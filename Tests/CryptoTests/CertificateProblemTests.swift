import Testing

@testable import Crypto

@Suite("A certificate's fault has a name (openssl-verification-options, x509_vfy.h)")
struct CertificateProblemTests {
  static let rows: [(Int32, CertificateProblem?)] = [
    (2, .unknownAuthority), (7, .unknownAuthority), (9, .notYetValid), (10, .expired),
    (18, .unknownAuthority), (19, .unknownAuthority), (20, .unknownAuthority),
    (21, .unknownAuthority), (62, .wrongName), (64, .wrongName), (23, nil), (26, nil), (79, nil),
  ]

  @Test("A fault that a person can mend has a case of its own", arguments: rows)
  func certificate(number: Int32, problem: CertificateProblem?) {
    #expect(CertificateProblem(.certificate(number)) == problem)
  }

  @Test(
    "other faults are none of the certificate", arguments: [TLSFault.notTLS, .alert(10), .flood])
  func others(fault: TLSFault) {
    #expect(CertificateProblem(fault) == nil)
  }
}
