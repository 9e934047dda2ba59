import COpenSSL

/// The TLS of one connection. It belongs to one engine's thread, and costs about 15 KB while it is idle.
package final class TLSSession {
  /// The stages in the life of a session.
  package enum State: Sendable {
    /// Nothing may be sealed yet.
    case handshake
    case open
    /// The peer said that nothing follows (close_notify). We may still send.
    case peerEnded
    /// The session is broken. Only what is due may leave.
    case failed
  }

  let raw: OpaquePointer
  package internal(set) var state: State = .handshake
  /// Whether we have said that nothing follows.
  package internal(set) var saidEnd = false
  /// The number of handshake steps and alerts so far (`TLSEngine.noticesMax`).
  var notices = 0
  /// The bytes that were received before the handshake was over.
  var handshakeBytes = 0
  /// The context with its keys and rules. It must live as long as the session.
  let context: TLSContext
  /// The host that a client's session greeted. Nil on a server.
  let host: String?

  init(_ raw: OpaquePointer, _ context: TLSContext, host: String? = nil) {
    self.raw = raw
    self.context = context
    self.host = host
  }

  deinit {
    // Unless both ends are said, OpenSSL would spoil the ticket that came in this session (a rule of TLS 1.0, gone
    // since RFC 4346 §7.2.1) and lock the context for it.
    SSL_set_shutdown(raw, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    SSL_free(raw)
  }

  /// The version of TLS: `TLSv1.3` or `TLSv1.2`.
  package var version: String { SSL_get_version(raw).map { String(cString: $0) } ?? "" }

  /// Whether the handshake was short because the client brought a ticket.
  package var wasResumed: Bool { SSL_session_reused(raw) == 1 }
}
