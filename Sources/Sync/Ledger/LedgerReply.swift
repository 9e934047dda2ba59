// The places to which the outcomes of works go. Sync carries them and never looks into them. The owner of the loops and
// of the authenticator makes them: Server or Simulation.

package import Domain

/// The connection and the ticket that an outcome belongs to.
package struct ReplyAddress: Hashable, Sendable {
  package let loop: Int
  /// The number of the connection on its loop, never used again.
  package let connection: Int64
  package let ticket: Ticket

  package init(loop: Int, connection: Int64, ticket: Ticket) {
    self.loop = loop
    self.connection = connection
    self.ticket = ticket
  }
}

/// The name of a visit to the authenticator, from its beginning to its answer.
package struct VisitID: Hashable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
}

/// The place to which the verdict on a piece of work goes.
package enum LedgerReply: Hashable, Sendable {
  case command(ReplyAddress)
  case logout(ReplyAddress)
  /// The authenticator, which adds what only it knows (a token, a code).
  case authenticator(VisitID)
  /// The courier, which sends what webhooks have to send.
  case courier(WebhookKey)
  case nobody

  /// Whether it came over a connection and can be refused there.
  package var isCommand: Bool { if case .command = self { true } else { false } }
}
