import COpenSSL
import Glibc

// A context holds what all TLS connections of one role share: the own identity, the trusted authorities, versions and
// ciphers.
//
// Versions are 1.2 and 1.3 (RFC 8996 forbids older ones). Ciphers are all of TLS 1.3, and those of 1.2 that have
// forward secrecy and AEAD (RFC 9325 §4.2), in the server's order, AES-128 first. There is no compression (CRIME) and
// no renegotiation (RFC 9325 §3.5). The one protocol above is HTTP/1.1, so ALPN (RFC 7301) has one possible outcome: a
// client that offers only others is told `no_application_protocol`, and one without ALPN is served.

/// The certificate and the rules of a server, or the trust of a client. It is made once and used by any number of
/// sessions on any thread.
///
/// `@unchecked Sendable`: an SSL_CTX counts its references atomically, and OpenSSL lets threads share it as long as
/// nobody changes its settings. The functions that make a context are the last to do so. They are also the last to set
/// `ticketKeys`, which has a lock of its own.
package final class TLSContext: @unchecked Sendable {
  let raw: OpaquePointer
  /// Whether it was made by `server`.
  package let isServer: Bool

  /// The keys of a server's tickets. Nil for a client.
  private var ticketKeys: TLSTicketKeys?

  private static let ciphers13 =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
  private static let ciphers12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
    + "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
    + "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
  /// The name "http/1.1" in ALPN's wire form: a length before each name.
  private static let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
  /// The seconds for which a ticket is good. A client that comes back later makes a full handshake.
  private static let ticketSeconds = 2 * 60 * 60

  private init(isServer: Bool) throws(TLSError) {
    ERR_clear_error()
    guard let raw = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
      throw .library(reason: TLSErrorQueue.take().reason)
    }
    self.raw = raw
    self.isServer = isServer
    try setRules()
  }

  deinit {
    SSL_CTX_free(raw)
  }

  /// Makes a server with this identity: the certificate chain (its own first) and the key, both PEM. Reads the files
  /// once. A certificate whose time is over or has not begun, or that is not the key's, is refused. `clock` tells
  /// seconds, for the keys of tickets.
  package static func server(
    certificateFile: String, keyFile: String,
    clock: @escaping @Sendable () -> Int = { time(nil) }
  ) throws(TLSError) -> TLSContext {
    let context = try TLSContext(isServer: true)
    try context.useCertificate(certificateFile)
    try context.useKey(keyFile, certificateFile: certificateFile)
    try context.checkDates(certificateFile)
    SSL_CTX_set_alpn_select_cb(context.raw, selectProtocol, nil)
    try context.giveTickets(clock)
    return context
  }

  /// Makes a client that trusts the system's authorities, or only those of a PEM file. Every session checks the
  /// server's chain and name.
  package static func client(authorityFile: String? = nil) throws(TLSError) -> TLSContext {
    let context = try TLSContext(isServer: false)
    SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER, nil)
    if let authorityFile {
      try context.trust(authorityFile)
    } else {
      try context.need(SSL_CTX_set_default_verify_paths(context.raw))
    }
    // Zero is success here, unlike everywhere else in OpenSSL.
    let count = UInt32(protocols.count)
    try context.need(SSL_CTX_set_alpn_protos(context.raw, protocols, count) == 0 ? 1 : 0)
    return context
  }

  private func setRules() throws(TLSError) {
    try need(whattodo_tls_require_tls12(raw))
    try need(SSL_CTX_set_ciphersuites(raw, TLSContext.ciphers13))
    try need(SSL_CTX_set_cipher_list(raw, TLSContext.ciphers12))
    whattodo_tls_set_options(raw)
    // Buffers of 17 KiB for each direction exist only while they hold something.
    _ = whattodo_tls_set_mode(raw, Int(SSL_MODE_RELEASE_BUFFERS))
    _ = whattodo_tls_read_ahead(raw)
    // A server keeps no sessions: what it must remember is in the client's ticket. A client's tickets are kept by its
    // engine.
    let mode = isServer ? SSL_SESS_CACHE_OFF : SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL
    _ = whattodo_tls_set_session_cache_mode(raw, Int(mode))
    if !isServer { SSL_CTX_sess_set_new_cb(raw, noteTicket) }
    SSL_CTX_set_timeout(raw, TLSContext.ticketSeconds)
    SSL_CTX_set_info_callback(raw, countNotice)
  }

  private func giveTickets(_ clock: @escaping @Sendable () -> Int) throws(TLSError) {
    let keys = try TLSTicketKeys(seconds: TLSContext.ticketSeconds, clock: clock)
    ticketKeys = keys
    try need(SSL_CTX_set_ex_data(raw, 0, Unmanaged.passUnretained(keys).toOpaque()))
    try need(SSL_CTX_set_tlsext_ticket_key_evp_cb(raw, giveTicketKey))
    // A client of ours has one connection, and a browser asks for each again.
    try need(SSL_CTX_set_num_tickets(raw, 1))
  }

  private func useCertificate(_ file: String) throws(TLSError) {
    ERR_clear_error()
    guard SSL_CTX_use_certificate_chain_file(raw, file) == 1 else {
      throw TLSContext.error(of: file, .certificate)
    }
  }

  private func useKey(_ file: String, certificateFile: String) throws(TLSError) {
    // Without this OpenSSL would ask for a passphrase on the terminal.
    SSL_CTX_set_default_passwd_cb(raw) { _, _, _, _ in -1 }
    ERR_clear_error()
    guard SSL_CTX_use_PrivateKey_file(raw, file, SSL_FILETYPE_PEM) == 1 else {
      let queue = TLSErrorQueue.take()
      if queue.isMismatch { throw .mismatch(certificate: certificateFile, key: file) }
      if queue.isLocked { throw .locked(key: file) }
      throw TLSContext.error(of: file, .key, queue)
    }
    guard SSL_CTX_check_private_key(raw) == 1 else {
      ERR_clear_error()
      throw .mismatch(certificate: certificateFile, key: file)
    }
  }

  private func trust(_ file: String) throws(TLSError) {
    ERR_clear_error()
    guard SSL_CTX_load_verify_file(raw, file) == 1 else {
      throw TLSContext.error(of: file, .authorities)
    }
  }

  private func checkDates(_ file: String) throws(TLSError) {
    var certificates: [OpaquePointer] = []
    if let own = SSL_CTX_get0_certificate(raw) { certificates.append(own) }
    if let chain = whattodo_tls_chain(raw) {
      for index in 0..<whattodo_tls_chain_count(chain) {
        if let issuer = whattodo_tls_chain_at(chain, index) { certificates.append(issuer) }
      }
    }
    for certificate in certificates {
      // Negative: that moment has passed. Zero: it cannot be read.
      let end = X509_get0_notAfter(certificate)
      guard X509_cmp_current_time(end) > 0 else { throw .expired(file, since: text(of: end)) }
      let begin = X509_get0_notBefore(certificate)
      guard X509_cmp_current_time(begin) < 0 else {
        throw .notYetValid(file, until: text(of: begin))
      }
    }
  }

  /// The time at which our own certificate ends, as `2027-02-19 10:00:00 UTC`. Nil for a client.
  package var expiry: String? {
    SSL_CTX_get0_certificate(raw).map { text(of: X509_get0_notAfter($0)) }
  }

  private func need(_ answer: Int32) throws(TLSError) {
    guard answer == 1 else { throw .library(reason: TLSErrorQueue.take().reason) }
  }

  private static func error(
    of file: String, _ content: TLSError.Content, _ queue: TLSErrorQueue = .take()
  ) -> TLSError {
    if let errno = queue.errno { return .unreadable(file, content, errno: errno) }
    if queue.holdsNothing { return .missing(file, content) }
    return .refused(file, reason: queue.reason)
  }
}

extension TLSErrorQueue {
  /// Whether the file has no such PEM block.
  var holdsNothing: Bool {
    contains(library: ERR_LIB_PEM, reason: PEM_R_NO_START_LINE)
      || contains(library: ERR_LIB_X509, reason: X509_R_NO_CERTIFICATE_OR_CRL_FOUND)
      || contains(library: ERR_LIB_OSSL_DECODER, reason: Int32(ERR_R_UNSUPPORTED))
  }

  var isMismatch: Bool {
    contains(library: ERR_LIB_X509, reason: X509_R_KEY_VALUES_MISMATCH)
      || contains(library: ERR_LIB_X509, reason: X509_R_KEY_TYPE_MISMATCH)
  }

  var isLocked: Bool {
    contains(library: ERR_LIB_PEM, reason: PEM_R_BAD_PASSWORD_READ)
  }
}

/// Returns a time as `2026-11-20 10:00:00 UTC`.
private func text(of time: UnsafePointer<ASN1_TIME>?) -> String {
  var parts = tm()
  guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "a moment that cannot be read" }
  func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
  let date = "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
  return date + " \(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec)) UTC"
}

/// Chooses the protocol of ALPN at the server: ours, or none.
private let selectProtocol:
  @convention(c) (
    OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
    UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
  ) -> Int32 = { _, chosen, chosenCount, offered, offeredCount, _ in
    guard let chosen, let chosenCount, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let wanted = StaticString("http/1.1")
    var position = 0
    while position < Int(offeredCount) {
      let count = Int(offered[position])
      let name = UnsafeBufferPointer(start: offered + position + 1, count: count)
      position += 1 + count
      guard position <= Int(offeredCount) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
      let own = UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount)
      guard name.elementsEqual(own) else { continue }
      chosen.pointee = name.baseAddress
      chosenCount.pointee = UInt8(count)
      return SSL_TLSEXT_ERR_OK
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }
