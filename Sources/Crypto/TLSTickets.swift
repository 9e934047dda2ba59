import COpenSSL

// A client that comes back shows the ticket of its last visit and saves both sides the signature and the
// check of the certificate (RFC 8446 §2.2, RFC 5077). So a ticket is good only for the host it came from
// and the trust it was checked with.

/// The tickets that the sessions of one engine received as clients, the newest of each host.
struct TLSTickets {
  /// Whose certificate was checked, and by whose word. Holds the context, so that no other one can take
  /// its place in memory.
  struct Origin {
    let context: TLSContext
    let host: String

    func isSame(as other: Origin) -> Bool { context === other.context && host == other.host }
  }

  /// More hosts than a client of ours ever has.
  private static let max = 16

  /// Each holds one reference of its SSL_SESSION.
  private var tickets: [(origin: Origin, raw: OpaquePointer)] = []

  /// Keeps a ticket, whose reference it takes over, instead of the host's last one.
  mutating func keep(_ raw: OpaquePointer, from origin: Origin) {
    if let index = tickets.firstIndex(where: { $0.origin.isSame(as: origin) }) {
      SSL_SESSION_free(tickets.remove(at: index).raw)
    }
    if tickets.count == TLSTickets.max { SSL_SESSION_free(tickets.removeFirst().raw) }
    tickets.append((origin, raw))
  }

  /// The ticket to show, with a reference of its own. One of TLS 1.3 is shown once, because who sees it
  /// twice knows that it was the same client (RFC 8446 §C.4), and each visit brings a new one. Those of
  /// TLS 1.2 are visible anyway, and last.
  mutating func take(_ origin: Origin) -> OpaquePointer? {
    guard let index = tickets.firstIndex(where: { $0.origin.isSame(as: origin) }) else {
      return nil
    }
    let raw = tickets[index].raw
    if SSL_SESSION_get_protocol_version(raw) < TLS1_3_VERSION {
      SSL_SESSION_up_ref(raw)
    } else {
      tickets.remove(at: index)
    }
    return raw
  }

  mutating func removeAll() {
    for ticket in tickets { SSL_SESSION_free(ticket.raw) }
    tickets = []
  }
}

/// OpenSSL calls it when a server gave a ticket. 1: the reference is ours now.
let noteTicket: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = { session, ticket in
  guard let pipe = BIO_get_data(SSL_get_rbio(session))?.assumingMemoryBound(to: TLSPipe.self),
    let ticket
  else { return 0 }
  if let older = pipe.pointee.ticket { SSL_SESSION_free(older) }
  pipe.pointee.ticket = ticket
  return 1
}
