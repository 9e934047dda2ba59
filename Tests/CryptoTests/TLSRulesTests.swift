import COpenSSL
import TestCertificates
import Testing

@testable import Crypto

@Suite("TLS: who is trusted, and what is agreed on")
struct TLSRulesTests {
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority.shared.get()
  }

  private func greet(
    _ client: TLSContext, _ server: TLSContext, host: String = "localhost"
  ) throws -> TestPair {
    let pair = try TestPair(client, server, host: host)
    pair.carry()
    return pair
  }

  private func server(_ name: String, names: String) throws -> TLSContext {
    let identity = try authority.issue(name, names: names)
    return try .server(certificateFile: identity.certificateFile, keyFile: identity.keyFile)
  }

  // MARK: Certificates

  private static let names: [(host: String, names: String, isGood: Bool)] = [
    ("localhost", "DNS:localhost", true), ("localhost.", "DNS:localhost", true),
    ("LOCALHOST", "DNS:localhost", true), ("example.org", "DNS:localhost", false),
    ("a.example.org", "DNS:*.example.org", true), ("a.b.example.org", "DNS:*.example.org", false),
    ("aa.example.org", "DNS:a*.example.org", false), ("127.0.0.1", "IP:127.0.0.1", true),
    ("127.0.0.2", "IP:127.0.0.1", false), ("127.0.0.1", "DNS:127.0.0.1", false),
    ("::1", "IP:::1", true), ("::2", "IP:::1", false), ("localhost", "IP:127.0.0.1", false),
  ]

  @Test("a certificate must be for the host that was dialled", arguments: names.indices)
  func hosts(index: Int) throws {
    let row = TLSRulesTests.names[index]
    let server = try server("host-\(index)", names: row.names)
    for version in TestVersion.allCases {
      let pair = try greet(TestContexts.client(authority, version), server, host: row.host)
      let isAddress = row.host.contains(":") || row.host.first?.isNumber == true
      let wrong = isAddress ? X509_V_ERR_IP_ADDRESS_MISMATCH : X509_V_ERR_HOSTNAME_MISMATCH
      #expect(pair.client.fault == (row.isGood ? nil : .certificate(wrong)), "\(row)")
      #expect(pair.client.openings == (row.isGood ? 1 : 0), "\(row)")
      if !row.isGood { #expect(pair.server.fault == .alert(SSL_AD_BAD_CERTIFICATE)) }
    }
  }

  @Test("another authority's certificate is not trusted", arguments: TestVersion.allCases)
  func wrongAuthority(version: TestVersion) throws {
    let stranger = try TestAuthority()
    let client = try TestContexts.client(stranger, version)
    let pair = try greet(client, TestContexts.server(authority))
    #expect(
      pair.client.fault == .certificate(X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY)
        || pair.client.fault == .certificate(X509_V_ERR_CERT_SIGNATURE_FAILURE))
    #expect(pair.server.fault != nil && pair.server.plaintext.isEmpty)
  }

  @Test(
    "A certificate that the system's authorities do not know is refused",
    arguments: TestVersion.allCases)
  func systemTrust(version: TestVersion) throws {
    let pair = try greet(TLSContext.client(), TestContexts.server(authority))
    #expect(pair.client.fault == .certificate(X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY))
  }

  @Test("A certificate that is over on the client's clock is refused")
  func expired() throws {
    let client = try TestContexts.client(authority)
    X509_VERIFY_PARAM_set_time(SSL_CTX_get0_param(client.raw), 4_000_000_000)
    let pair = try greet(client, TestContexts.server(authority))
    #expect(pair.client.fault == .certificate(X509_V_ERR_CERT_HAS_EXPIRED))
    #expect(
      pair.client.fault?.description
        == "The server's certificate is not trusted: certificate has expired.")
  }

  // MARK: ALPN

  private static let offers: [(offer: [String], isServed: Bool)] = [
    ([], true), (["http/1.1"], true), (["h2", "http/1.1"], true), (["http/1.1", "h2"], true),
    (["h2"], false), (["http/1.0"], false), (["http/1.1x", "http"], false),
  ]

  @Test("http/1.1 is chosen when it is offered, and other offers are refused", arguments: offers)
  func protocols(offer: [String], isServed: Bool) throws {
    for version in TestVersion.allCases {
      let client = try TestContexts.client(authority, version)
      let wire = offer.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
      #expect(SSL_CTX_set_alpn_protos(client.raw, wire, UInt32(wire.count)) == 0)
      let pair = try greet(client, TestContexts.server(authority))
      #expect(pair.server.openings == (isServed ? 1 : 0))
      #expect(pair.client.fault == (isServed ? nil : .alert(SSL_AD_NO_APPLICATION_PROTOCOL)))
      var chosen: UnsafePointer<UInt8>?
      var count: UInt32 = 0
      SSL_get0_alpn_selected(pair.client.session.raw, &chosen, &count)
      let name = UnsafeBufferPointer(start: chosen, count: Int(count))
      #expect(
        String(decoding: name, as: UTF8.self) == (isServed && !offer.isEmpty ? "http/1.1" : ""))
    }
  }

  // MARK: Ciphers

  private static let oldCiphers = [
    "AES128-SHA", "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384",
  ]

  @Test("TLS 1.2 without forward secrecy or without AEAD is refused", arguments: oldCiphers)
  func ciphers(name: String) throws {
    let client = try TestContexts.client(authority, .tls12)
    #expect(SSL_CTX_set_cipher_list(client.raw, name) == 1)
    let pair = try greet(client, TestContexts.server(authority))
    #expect(pair.client.fault == .alert(SSL_AD_HANDSHAKE_FAILURE))
    #expect(pair.server.openings == 0)
  }

  @Test("the server chooses the cipher")
  func preference() throws {
    let client = try TestContexts.client(authority, .tls12)
    let list = "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256"
    #expect(SSL_CTX_set_cipher_list(client.raw, list) == 1)
    let pair = try greet(client, TestContexts.server(authority))
    let chosen = SSL_CIPHER_get_name(SSL_get_current_cipher(pair.client.session.raw))
    #expect(chosen.map { String(cString: $0) } == "ECDHE-ECDSA-AES128-GCM-SHA256")
  }

  // MARK: Tickets

  @Test("a client that comes back is resumed by its ticket", arguments: TestVersion.allCases)
  func resumption(version: TestVersion) throws {
    let client = try TestContexts.client(authority, version)
    let server = try TestContexts.server(authority)
    let engine = TLSEngine(inputBytes: 1 << 16)
    var resumed: [Bool] = []
    for _ in 0..<3 {
      let pair = try TestPair(client, server, clientEngine: engine)
      pair.carry()
      #expect(pair.client.openings == 1 && pair.server.openings == 1)
      #expect(pair.client.session.wasResumed == pair.server.session.wasResumed)
      resumed.append(pair.server.session.wasResumed)
    }
    #expect(resumed == [false, true, true])
  }

  @Test(
    "a ticket is not shown to another host, or with another trust", arguments: TestVersion.allCases)
  func ticketOrigins(version: TestVersion) throws {
    let client = try TestContexts.client(authority, version)
    let server = try TestContexts.server(authority)
    let engine = TLSEngine(inputBytes: 1 << 16)
    for (context, host) in [
      (client, "localhost"), (client, "127.0.0.1"),
      (try TestContexts.client(authority, version), "localhost"),
    ] {
      let pair = try TestPair(context, server, host: host, clientEngine: engine)
      pair.carry()
      #expect(pair.server.openings == 1 && !pair.server.session.wasResumed)
    }
    let stranger = try TestContexts.client(try TestAuthority(), version)
    let pair = try TestPair(stranger, server, clientEngine: engine)
    pair.carry()
    #expect(pair.client.fault != nil)
  }

  @Test("a ticket of a server that is gone is a full handshake", arguments: TestVersion.allCases)
  func strangeTicket(version: TestVersion) throws {
    let client = try TestContexts.client(authority, version)
    let engine = TLSEngine(inputBytes: 1 << 16)
    for _ in 0..<2 {
      let pair = try TestPair(client, TestContexts.server(authority), clientEngine: engine)
      pair.carry()
      #expect(pair.server.openings == 1 && !pair.server.session.wasResumed)
    }
  }

  @Test("a ticket outlives its key's change, but not by much", arguments: TestVersion.allCases)
  func ticketKeys(version: TestVersion) throws {
    let identity = try authority.issue("keys-\(version)")
    let clock = TestClock()
    let server = try TLSContext.server(
      certificateFile: identity.certificateFile, keyFile: identity.keyFile, clock: { clock.now })
    let client = try TestContexts.client(authority, version)
    let engine = TLSEngine(inputBytes: 1 << 16)
    var resumed: [Bool] = []
    // A key seals for 120 minutes and is gone after 240.
    for minutes in [0, 100, 200, 800] {
      clock.set(minutes * 60)
      let pair = try TestPair(client, server, clientEngine: engine)
      pair.carry()
      #expect(pair.server.openings == 1)
      resumed.append(pair.server.session.wasResumed)
    }
    #expect(resumed == [false, true, true, false])
  }

  // MARK: Floods

  @Test("new keys are taken, but not without end")
  func keyUpdates() throws {
    let pair = try greet(TestContexts.client(authority), TestContexts.server(authority))
    for round in 1...1000 {
      #expect(SSL_key_update(pair.client.session.raw, SSL_KEY_UPDATE_REQUESTED) == 1)
      pair.client.send(Array("x".utf8))
      pair.carry()
      if pair.server.fault != nil { break }
      #expect(pair.server.plaintext.count == round)
      pair.server.send(Array("y".utf8))
      pair.carry()
      #expect(pair.client.plaintext.count == round)
    }
    #expect(pair.server.plaintext.count > 300)
    #expect(pair.server.fault == .flood)
  }

  @Test("a renegotiation is refused, and the connection goes on")
  func renegotiation() throws {
    let client = try TestContexts.client(authority, .tls12)
    SSL_CTX_clear_options(client.raw, UInt64(1) << 30)
    let pair = try greet(client, TestContexts.server(authority))
    #expect(SSL_renegotiate(pair.client.session.raw) == 1)
    SSL_do_handshake(pair.client.session.raw)
    pair.client.take()
    #expect(pair.client.due.count > 100)
    pair.server.receive(pair.client.due)
    #expect(pair.server.fault == nil && pair.server.openings == 1)
    // A warning: no_renegotiation, encrypted.
    #expect(pair.server.due.first == 21)
    #expect(pair.server.send(Array("on".utf8)))
  }
}
