import COpenSSL

// TLS without sockets: bytes in, bytes out, for all connections of one thread, one call at a time.
//
// OpenSSL's error queue is emptied before each call of OpenSSL, because SSL_get_error looks there first and would take
// another session's error for this one's. Afterwards SSL_get_error alone says what happened (SSL_get_error(3)). After
// SSL_ERROR_SSL that session is asked for nothing more, not even the closing alert (SSL_shutdown(3)).
//
// The result of one call of `receive` is bounded by its input: a record is at least as long as its content, and at most
// one unfinished record (17 KiB) waits inside OpenSSL from earlier calls.

/// The TLS of one thread: what its sessions share. It is not Sendable.
package final class TLSEngine {
  /// The outcome of a call of `receive`.
  package struct Received {
    /// The number of decrypted bytes, at the front of `plaintext`.
    package var count = 0
    /// Whether the handshake was finished in this call.
    package var opened = false
    /// The fault that broke the session. Nothing more may be received or sealed; `ciphertext` holds the alert.
    package var fault: TLSFault?
  }

  /// The number of handshake steps and alerts in a session's life. A first handshake has some 30, a KeyUpdate 3, and
  /// nobody needs one in less than 2^24 records.
  static let noticesMax = 2048
  /// The bytes that a peer may send before the handshake is over: OpenSSL would collect a greeting of 128 KiB. Ours are
  /// below 2 KB, and a server's with a long chain below 32.
  static let handshakeBytesMax = 64 * 1024
  private static let recordBytesMax = 17 * 1024

  /// The decrypted bytes of the last `receive`. The next one writes over them.
  package let plaintext: UnsafeMutableBufferPointer<UInt8>
  private let pipe: UnsafeMutablePointer<TLSPipe>
  private let bio: OpaquePointer
  private var tickets = TLSTickets()

  /// Makes an engine. `inputBytes` is the most that `receive` is ever given at once.
  package init(inputBytes: Int) {
    plaintext = .allocate(capacity: inputBytes + TLSEngine.recordBytesMax)
    pipe = .allocate(capacity: 1)
    pipe.initialize(to: TLSPipe(output: .allocate(capacity: 64 * 1024)))
    bio = makeTLSPipeBIO(pipe)
  }

  deinit {
    tickets.removeAll()
    BIO_free(bio)
    pipe.pointee.output.deallocate()
    pipe.deallocate()
    plaintext.deallocate()
  }

  // MARK: Sessions

  /// Begins the server's side of a new connection. Nil when there is no memory.
  package func accept(_ context: TLSContext) -> TLSSession? {
    precondition(context.isServer, "a client's context has no certificate to show")
    guard let raw = make(context) else { return nil }
    SSL_set_accept_state(raw)
    return TLSSession(raw, context)
  }

  /// Begins the client's side of a new connection to a name or numeric address, with the first message in `ciphertext`.
  /// Nil when there is no memory. The server must prove to be `host`.
  package func connect(_ context: TLSContext, host: String) -> TLSSession? {
    precondition(!context.isServer, "a server's context trusts nobody")
    guard let raw = make(context) else { return nil }
    let origin = TLSTickets.Origin(context: context, host: host)
    let session = TLSSession(raw, context, host: host)
    guard demand(host, of: raw) else { return nil }
    SSL_set_connect_state(raw)
    show(tickets.take(origin), raw)
    ERR_clear_error()
    let answer = SSL_do_handshake(raw)
    guard SSL_get_error(raw, answer) == SSL_ERROR_WANT_READ else {
      ERR_clear_error()
      return nil
    }
    return session
  }

  // MARK: Bytes

  /// The ciphertext that is due to the session's socket. It has to be taken after each call that may leave some, before
  /// the next session's turn.
  package var ciphertext: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: pipe.pointee.output[..<pipe.pointee.outputCount])
  }

  /// Empties the ciphertext after it was taken.
  package func clearCiphertext() { pipe.pointee.outputCount = 0 }

  /// Takes bytes of the socket. Answers of the handshake are in `ciphertext` afterwards.
  package func receive(_ bytes: UnsafeBufferPointer<UInt8>, _ session: TLSSession) -> Received {
    precondition(session.state != .failed, "a broken session is not fed")
    precondition(
      bytes.count + TLSEngine.recordBytesMax <= plaintext.count, "more than was agreed on")
    var received = Received()
    let wasHandshake = session.state == .handshake
    pipe.pointee.input = bytes.baseAddress
    pipe.pointee.inputCount = bytes.count
    pipe.pointee.notices = 0
    readAll(session, &received)
    pipe.pointee.input = nil
    pipe.pointee.inputCount = 0
    session.notices += pipe.pointee.notices
    if session.state == .handshake { session.handshakeBytes += bytes.count }
    if session.notices > TLSEngine.noticesMax
      || session.handshakeBytes > TLSEngine.handshakeBytesMax
    {
      received.fault = .flood
    }
    if let fault = received.fault {
      if wasHandshake { answerStranger(fault, session) }
      session.state = .failed
    }
    keepTicket(of: session)
    return received
  }

  /// Encrypts. The records follow what is in `ciphertext` already. False when the session is broken, when we have said
  /// our end, or when nobody is there yet to read it.
  package func seal(_ bytes: UnsafeBufferPointer<UInt8>, _ session: TLSSession) -> Bool {
    guard !bytes.isEmpty else { return true }
    guard session.state == .open || session.state == .peerEnded, !session.saidEnd else {
      return false
    }
    var written = 0
    ERR_clear_error()
    // The pipe takes everything, so it is all or an error.
    guard SSL_write_ex(session.raw, bytes.baseAddress, bytes.count, &written) == 1,
      written == bytes.count
    else {
      ERR_clear_error()
      session.state = .failed
      return false
    }
    return true
  }

  /// Says, once, that nothing follows (RFC 8446 §6.1). Says nothing in a handshake and on a broken session.
  package func end(_ session: TLSSession) {
    guard !session.saidEnd else { return }
    session.saidEnd = true
    guard session.state == .open || session.state == .peerEnded else { return }
    ERR_clear_error()
    // 0: we have said it, and the peer has not yet. 1: both have.
    guard SSL_shutdown(session.raw) >= 0 else {
      ERR_clear_error()
      session.state = .failed
      return
    }
  }

  // MARK: Parts

  private func make(_ context: TLSContext) -> OpaquePointer? {
    ERR_clear_error()
    guard let raw = SSL_new(context.raw) else {
      ERR_clear_error()
      return nil
    }
    // One reference is for both directions; SSL_free gives it back.
    BIO_up_ref(bio)
    SSL_set_bio(raw, bio, bio)
    return raw
  }

  /// Sets the name or address that the certificate must be for. A server name goes into the greeting too, an address
  /// does not (RFC 6066 §3).
  private func demand(_ host: String, of raw: OpaquePointer) -> Bool {
    ERR_clear_error()
    let rules = SSL_get0_param(raw)
    if X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1 { return true }
    ERR_clear_error()
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    whattodo_tls_whole_wildcards_only(rules)
    let isSet =
      !name.isEmpty && X509_VERIFY_PARAM_set1_host(rules, name, name.utf8.count) == 1
      && whattodo_tls_set_server_name(raw, name) == 1
    if !isSet { ERR_clear_error() }
    return isSet
  }

  /// Shows a ticket. When OpenSSL does not accept it any more, the handshake is a full one.
  private func show(_ ticket: OpaquePointer?, _ raw: OpaquePointer) {
    guard let ticket else { return }
    ERR_clear_error()
    if SSL_set_session(raw, ticket) != 1 { ERR_clear_error() }
    SSL_SESSION_free(ticket)
  }

  private func keepTicket(of session: TLSSession) {
    guard let ticket = pipe.pointee.ticket else { return }
    pipe.pointee.ticket = nil
    guard let host = session.host, session.state != .failed else {
      SSL_SESSION_free(ticket)
      return
    }
    tickets.keep(ticket, from: TLSTickets.Origin(context: session.context, host: host))
  }

  private func readAll(_ session: TLSSession, _ received: inout Received) {
    while session.state != .peerEnded {
      let room = UnsafeMutableBufferPointer(rebasing: plaintext[received.count...])
      var count = 0
      ERR_clear_error()
      let answer = SSL_read_ex(session.raw, room.baseAddress, room.count, &count)
      if session.state == .handshake, SSL_is_init_finished(session.raw) == 1 {
        session.state = .open
        received.opened = true
      }
      guard answer != 1 else {
        received.count += count
        continue
      }
      switch SSL_get_error(session.raw, answer) {
      case SSL_ERROR_WANT_READ: return
      case SSL_ERROR_ZERO_RETURN: session.state = .peerEnded
      default:
        received.fault = TLSFault(of: session.raw)
        return
      }
    }
  }

  /// Answers a peer that does not seem to speak TLS, to which OpenSSL says nothing. An alert costs seven bytes and
  /// tells somebody who tries another protocol what is here: fatal, unexpected_message.
  private func answerStranger(_ fault: TLSFault, _ session: TLSSession) {
    guard pipe.pointee.outputCount == 0, session.context.isServer, fault != .flood else { return }
    let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 10]
    pipe.pointee.reserve(alert.count)
    for byte in alert {
      pipe.pointee.output[pipe.pointee.outputCount] = byte
      pipe.pointee.outputCount += 1
    }
  }
}
