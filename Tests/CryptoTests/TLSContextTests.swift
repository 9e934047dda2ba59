import Testing
import TestCertificates

@testable import Crypto

@Suite("TLS contexts")
struct TLSContextTests {
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority.shared.get()
  }

  private func error(_ certificate: String, _ key: String) -> TLSError? {
    do {
      _ = try TLSContext.server(certificateFile: certificate, keyFile: key)
      return nil
    } catch {
      return error
    }
  }

  @Test("EC and RSA identities that fit are taken")
  func good() throws {
    let elliptic = try authority.issue("context-ec")
    #expect(error(elliptic.certificateFile, elliptic.keyFile) == nil)
    let rsa = try authority.issue("context-rsa", key: .rsa2048)
    #expect(error(rsa.certificateFile, rsa.keyFile) == nil)
  }

  @Test("a file that is not there, or holds something else, is named with its cause")
  func files() throws {
    let good = try authority.issue("context-files")
    let certificate = good.certificateFile
    let key = good.keyFile
    let nowhere = authority.folder + "/nowhere.pem"
    let junk = try authority.write("junk.pem", "hello\n")
    let empty = try authority.write("empty.pem", "")
    #expect(error(nowhere, key) == .unreadable(nowhere, .certificate, errno: 2))
    #expect(error(certificate, nowhere) == .unreadable(nowhere, .key, errno: 2))
    for file in [junk, empty, authority.folder, key] {
      #expect(error(file, key) == .missing(file, .certificate))
    }
    for file in [junk, empty, authority.folder, certificate] {
      #expect(error(certificate, file) == .missing(file, .key))
    }
    #expect(
      error(nowhere, key)?.description
        == "The certificate file \(nowhere) cannot be read: No such file or directory.")
  }

  @Test("a key of another certificate is refused, of the same kind or another")
  func mismatch() throws {
    let one = try authority.issue("context-one")
    let two = try authority.issue("context-two")
    let rsa = try authority.issue("context-three", key: .rsa2048)
    for other in [two, rsa] {
      #expect(
        error(one.certificateFile, other.keyFile)
          == .mismatch(certificate: one.certificateFile, key: other.keyFile))
    }
  }

  @Test("a locked key is refused without asking anybody")
  func locked() throws {
    let good = try authority.issue("context-locked")
    try authority.openssl(
      "pkcs8 -topk8 -in context-locked-key.pem -passout pass:secret -out locked.pem")
    try authority.openssl(
      "ec -in context-locked-key.pem -aes128 -passout pass:secret -out locked-old.pem")
    for name in ["locked.pem", "locked-old.pem"] {
      let file = "\(authority.folder)/\(name)"
      #expect(error(good.certificateFile, file) == .locked(key: file))
    }
  }

  @Test("a certificate that is over, or not begun, is refused; so is one in the chain")
  func dates() throws {
    let past = try authority.issue("context-past", time: .past)
    guard case .expired(let file, let since) = error(past.certificateFile, past.keyFile) else {
      Issue.record("an expired certificate was taken")
      return
    }
    #expect(file == past.certificateFile)
    #expect(since.hasSuffix(" UTC") && since.count == "2026-11-20 10:00:00 UTC".count)
    let future = try authority.issue("context-future", time: .future)
    #expect(
      error(future.certificateFile, future.keyFile)
        == .notYetValid(future.certificateFile, until: "2090-01-01 00:00:00 UTC"))
    let good = try authority.issue("context-chain")
    let chain = try authority.write(
      "chain.pem", try authority.read("context-chain.pem") + authority.read("context-past.pem"))
    #expect(error(chain, good.keyFile) == .expired(chain, since: since))
  }

  @Test("a key that is too short is refused with OpenSSL's reason")
  func weak() throws {
    let weak = try authority.issue("context-weak", key: .rsa1024)
    #expect(
      error(weak.certificateFile, weak.keyFile)
        == .refused(weak.certificateFile, reason: "ee key too small"))
  }

  @Test("a client's authority file is read, and named when it cannot be")
  func authorities() throws {
    _ = try TLSContext.client()
    _ = try TLSContext.client(authorityFile: authority.authorityFile)
    let nowhere = authority.folder + "/no-authority.pem"
    #expect(throws: TLSError.unreadable(nowhere, .authorities, errno: 2)) {
      try TLSContext.client(authorityFile: nowhere)
    }
    let junk = try authority.write("junk-authority.pem", "hello\n")
    #expect(throws: TLSError.missing(junk, .authorities)) {
      try TLSContext.client(authorityFile: junk)
    }
  }
}
