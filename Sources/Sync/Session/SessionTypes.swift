// The inputs and outputs of a session: requests and outcomes go in, effects come out.

package import Domain
package import Wire

/// Names a dispatched request of one session until its outcome is there.
package struct Ticket: Hashable, Sendable {
  package let number: Int
  package init(_ number: Int) { self.number = number }
}

/// The user that a connection belongs to after `hello`.
package struct Identity: Hashable, Sendable {
  package let user: UserID
  package let session: SessionID
  /// The moment from which a session that looks by a link may see nothing any more; nil for a user's session.
  package let linkEndsAt: Timestamp?
  /// The kind of the user, whose rates count.
  package let kind: UserKind
  /// The token by which the connection acts. Nil for who has signed in.
  package let token: Token?

  package init(
    user: UserID, session: SessionID, linkEndsAt: Timestamp? = nil, kind: UserKind = .person,
    token: Token? = nil
  ) {
    self.token = token
    self.user = user
    self.session = session
    self.linkEndsAt = linkEndsAt
    self.kind = kind
  }

  package var isLink: Bool { linkEndsAt != nil }
  /// The moment from which the connection shows nothing any more; nil when it does not end by itself.
  package var endsAt: Timestamp? { linkEndsAt ?? token?.endsAt }
  /// Answers whether the connection may see the stream, if its user may.
  func shows(_ stream: StreamID) -> Bool { token?.isFor(stream) ?? true }

  package var actor: Actor { Actor(user: user, session: session, kind: kind, token: token) }
}

/// The two clocks at one moment. Limits and deadlines are measured with the one, and the other is told.
package struct SessionMoment: Equatable, Sendable {
  /// The milliseconds of the monotonic clock.
  package let milliseconds: Int64
  package let wall: Timestamp
  package init(milliseconds: Int64, wall: Timestamp) {
    self.milliseconds = milliseconds
    self.wall = wall
  }
}

/// An effect that a session wants carried out. Effects come in order.
package enum SessionEffect: Equatable, Sendable {
  /// The answer to a request: one text message.
  case answer([UInt8], Answered)
  /// One text message that answers nothing.
  case push([UInt8])
  case submit(Ticket, SessionCommand)
  /// A request to the authenticator, which sees to everything that needs a password or a code.
  case ask(Ticket, AuthenticationRequest)
  case hello(Ticket, Hello)
  case open(Ticket, Identity, [Cursor])
  case query(Ticket, RequestID, Identity, Query)
  case logout(Ticket, Identity)
  /// A question about the server, which the loop can answer.
  case about(Ticket, RequestID)
  /// A report for the loop's own board.
  case ephemeral(Ticket, Identity, EphemeralRequest)
  /// The connection is who it says it is. `followsAll` says that it also watches streams that appear later, and
  /// `wantsObjects` that it gets the changed objects behind the events.
  case ready(Identity, followsAll: Bool, wantsObjects: Bool)
  case watch([Attachment])
  case unwatch([StreamID])
  case pauseReading
  case resumeReading
  /// The last effect of a session.
  case close(CloseCode)
}

/// The kind of an answer, and the method that it answers. Without an error the request was granted.
package struct Answered: Hashable, Sendable {
  /// The method; nil when the message named none that exists.
  package let method: Method?
  package let error: ErrorKind?

  package init(_ method: Method?, _ error: ErrorKind? = nil) {
    self.method = method
    self.error = error
  }
}

/// A command on its way to the ledger. Its hash is made of `canonical`.
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

/// A request that carries a secret. It is never logged.
package struct AuthenticationRequest: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case register(RegisterRequest)
    case login(LoginRequest)
    case recover(RecoverRequest)
    case changePassword(ChangePasswordRequest, Identity)
    /// A request for a code with which another device signs in, by `pair`.
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

/// The limits of a session. Milliseconds are those of the monotonic clock.
package struct SessionRules: Equatable, Sendable {
  /// The rate of people: 20 commands a second, 100 at once.
  package var rate = TokenRate(
    count: Int64(Limits.commandsPerSecond), everyMilliseconds: 1_000,
    burst: Int64(Limits.commandsBurst))
  /// The rate of bots: 50 commands a second, 200 at once.
  package var botRate = TokenRate(
    count: Int64(Limits.botCommandsPerSecond), everyMilliseconds: 1_000,
    burst: Int64(Limits.botCommandsBurst))
  /// The least time for which nothing else is taken after a refusal for the rate. Otherwise messages that are on their
  /// way behind the refused request would take effect before it. The time is longer than a message is on its way.
  package var restMilliseconds: Int64 = 1_000
  /// The time after which a connection without `hello` is closed.
  package var helloMilliseconds: Int64 = 10_000
  /// The number of messages in a row that are no requests, from which this counts as no accident.
  package var nonsenseMax = 10
  /// The greatest number of connections by one link on each loop.
  package var linkConnectionsMax = Limits.linkConnectionsMax

  package init() {}

  /// Returns the rate of commands of a user of that kind. A client that has not said hello counts as a person.
  package func rate(of kind: UserKind) -> TokenRate {
    switch kind {
    case .person: rate
    case .bot: botRate
    }
  }
}
