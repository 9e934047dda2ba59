import COpenSSL

// A client that comes back shows the ticket of its last visit, which saves both sides the signature and the check of
// the certificate (RFC 8446 §2.2, RFC 5077). So a ticket is good only for the host from which it came and the trust
// with which it was checked.

/// The tickets that the sessions of one engine received as clients, the newest of each host.
struct TLSTickets {
  /// The host whose certificate was checked, and the context that checked it. It holds the context, so that no other
  /// one can take its place in memory.
  struct Origin {
    let context: TLSContext
    let host: String

    func isSame(as other: Origin) -> Bool { context === other.context && host == other.host }
  }

  /// The number of hosts: more than a client of ours ever has.
  private static let max = 16

  /// The tickets. Each holds one reference of its SSL_SESSION.
  private var tickets: [(origin: Origin, raw: OpaquePointer)] = []

  /// Keeps a ticket, whose reference it takes over, instead of the host's last one.
  mutating func keep(_ raw: OpaquePointer, from origin: Origin) {
    if let index = tickets.firstIndex(where: { $0.origin.isSame(as: origin) }) {
      SSL_SESSION_free(tickets.remove(at: index).raw)
    }
    if tickets.count == TLSTickets.max { SSL_SESSION_free(tickets.removeFirst().raw) }
    tickets.append((origin, raw))
  }

  /// Returns the ticket to show, with a reference of its own. A ticket of TLS 1.3 is shown once, because somebody who
  /// sees it twice knows that it was the same client (RFC 8446 §C.4), and each visit brings a new one. Tickets of TLS
  /// 1.2 are visible anyway, and are kept.
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

/// Takes a ticket that a server gave; OpenSSL calls it then. The answer 1 says that the reference is ours now.
let noteTicket: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = { session, ticket in
  guard let pipe = BIO_get_data(SSL_get_rbio(session))?.assumingMemoryBound(to: TLSPipe.self),
    let ticket
  else { return 0 }
  if let older = pipe.pointee.ticket { SSL_SESSION_free(older) }
  pipe.pointee.ticket = ticket
  return 1
}
