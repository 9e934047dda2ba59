import COpenSSL

/// One connection's TLS. Belongs to one engine's thread; costs about 15 KB while it is idle.
package final class TLSSession {
  /// Where a session is in its life.
  package enum State: Sendable {
    /// Nothing may be sealed yet.
    case handshake
    case open
    /// The peer said that nothing follows (close_notify); we may still send.
    case peerEnded
    /// Broken; only what is due may leave.
    case failed
  }

  let raw: OpaquePointer
  package internal(set) var state: State = .handshake
  /// We said that nothing follows.
  package internal(set) var saidEnd = false
  /// Handshake steps and alerts so far, see `TLSEngine.noticesMax`.
  var notices = 0
  /// Received before the handshake was over.
  var handshakeBytes = 0
  /// Whose keys and rules it was made with; may not go before the session does.
  let context: TLSContext
  /// Of a client's session: whom it greeted.
  let host: String?

  init(_ raw: OpaquePointer, _ context: TLSContext, host: String? = nil) {
    self.raw = raw
    self.context = context
    self.host = host
  }

  deinit {
    // Without both ends said, OpenSSL would spoil the ticket that came in this session (a rule of TLS 1.0,
    // gone since RFC 4346 §7.2.1) and lock the context for it.
    SSL_set_shutdown(raw, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    SSL_free(raw)
  }

  /// `TLSv1.3` or `TLSv1.2`.
  package var version: String { SSL_get_version(raw).map { String(cString: $0) } ?? "" }

  /// Whether the handshake was short because the client brought a ticket.
  package var wasResumed: Bool { SSL_session_reused(raw) == 1 }
}
