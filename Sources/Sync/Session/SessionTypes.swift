// What goes in and out of a session: requests and outcomes in, effects out.

package import Domain
package import Wire

/// Names a dispatched request of one session until its outcome is there.
package struct Ticket: Hashable, Sendable {
  package let number: Int
  package init(_ number: Int) { self.number = number }
}

/// Who a connection is after `hello`.
package struct Identity: Hashable, Sendable {
  package let user: UserID
  package let session: SessionID
  /// When it looks by a link: no user, and nothing from then on.
  package let linkEndsAt: Timestamp?
  /// Whose rates count.
  package let kind: UserKind

  package init(
    user: UserID, session: SessionID, linkEndsAt: Timestamp? = nil, kind: UserKind = .person
  ) {
    self.user = user
    self.session = session
    self.linkEndsAt = linkEndsAt
    self.kind = kind
  }

  package var isLink: Bool { linkEndsAt != nil }
  package var actor: Actor { Actor(user: user, session: session, kind: kind) }
}

/// The two clocks at one moment: what limits and deadlines are measured with, and what is told.
package struct SessionMoment: Equatable, Sendable {
  /// Monotonic.
  package let milliseconds: Int64
  package let wall: Timestamp
  package init(milliseconds: Int64, wall: Timestamp) {
    self.milliseconds = milliseconds
    self.wall = wall
  }
}

/// What a session wants done, in order.
package enum SessionEffect: Equatable, Sendable {
  /// The answer to a request: one text message.
  case answer([UInt8], Answered)
  /// One text message that answers nothing.
  case push([UInt8])
  case submit(Ticket, SessionCommand)
  /// To the doorkeeper: what needs a password or a code.
  case ask(Ticket, DoorRequest)
  case hello(Ticket, Hello)
  case open(Ticket, Identity, [Cursor])
  case query(Ticket, RequestID, Identity, Query)
  case logout(Ticket, Identity)
  /// What the server says of itself, which the loop knows.
  case about(Ticket, RequestID)
  /// For the loop's own board.
  case ephemeral(Ticket, Identity, EphemeralRequest)
  /// The connection is who it says it is; `followsAll`: it also watches what appears later.
  case ready(Identity, followsAll: Bool)
  case watch([Attachment])
  case unwatch([StreamID])
  case pauseReading
  case resumeReading
  /// The last effect of a session.
  case close(CloseCode)
}

/// What an answer says in one word, and to what. No error: the request was granted.
package struct Answered: Hashable, Sendable {
  /// Nil when the message named no method that there is.
  package let method: Method?
  package let error: ErrorKind?

  package init(_ method: Method?, _ error: ErrorKind? = nil) {
    self.method = method
    self.error = error
  }
}

/// A command on its way to the ledger; `canonical` is what its hash is made of.
package struct SessionCommand: Equatable, Sendable {
  package let actor: Actor
  package let command: Command
  package let key: CommandKey
  package let base: CommandBase?
  package let canonical: [UInt8]

  package init(
    actor: Actor, command: Command, key: CommandKey, base: CommandBase? = nil, canonical: [UInt8]
  ) {
    self.actor = actor
    self.command = command
    self.key = key
    self.base = base
    self.canonical = canonical
  }
}

/// A request that carries a secret. Never logged.
package struct DoorRequest: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case register(RegisterRequest)
    case login(LoginRequest)
    case recover(RecoverRequest)
    case changePassword(ChangePasswordRequest, Identity)
    /// A code for another device, and the other device with it.
    case openPairing(Identity)
    case pair(PairRequest)
    case guest(GuestRequest)
    case upgrade(UpgradeRequest, Identity)
    case deleteAccount(DeleteAccountRequest, Identity)
  }

  package let kind: Kind
  package let canonical: [UInt8]

  package init(kind: Kind, canonical: [UInt8]) {
    self.kind = kind
    self.canonical = canonical
  }
}

/// What a session is measured against; milliseconds of the monotonic clock.
package struct SessionRules: Equatable, Sendable {
  /// People: 20 commands a second, 100 at once.
  package var rate = TokenRate(
    count: Int64(Limits.commandsPerSecond), everyMilliseconds: 1_000,
    burst: Int64(Limits.commandsBurst))
  /// Bots: 50 commands a second, 200 at once.
  package var botRate = TokenRate(
    count: Int64(Limits.botCommandsPerSecond), everyMilliseconds: 1_000,
    burst: Int64(Limits.botCommandsBurst))
  /// After a refusal for the rate nothing else is taken for at least so long: what was on its way behind the refused
  /// request would take effect before it (longer than a message is on its way).
  package var restMilliseconds: Int64 = 1_000
  /// Without `hello` for so long the connection is closed.
  package var helloMilliseconds: Int64 = 10_000
  /// So many messages in a row that are no requests are no accident.
  package var nonsenseMax = 10
  /// Connections by one link, of each loop.
  package var linkConnectionsMax = Limits.linkConnectionsMax

  package init() {}

  /// Of the commands of somebody of that kind; who has not said hello is taken for a person.
  package func rate(of kind: UserKind) -> TokenRate {
    switch kind {
    case .person: rate
    case .bot: botRate
    }
  }
}
