// Credentials and sessions are rows beside the log, written in the same transaction. No secret, and no hash that covers
// one, is ever in an event (DESIGN §4).

/// The username and password by which a user signs in.
package struct Account: Equatable, Sendable {
  package let id: UserID
  package var username: String
  package var password: PasswordHash
  /// The number of the recovery code that counts now, from 1. The code is derived from it and the server's secret.
  package var recoveryGeneration: Int
  /// The person who owns the bot that the account belongs to; nil for people, and for bots that have no owner.
  package var owner: UserID?

  package init(
    id: UserID, username: String, password: PasswordHash, recoveryGeneration: Int,
    owner: UserID? = nil
  ) {
    self.owner = owner
    self.id = id
    self.username = username
    self.password = password
    self.recoveryGeneration = recoveryGeneration
  }
}

/// A signed-in device, or a token of a bot. Only the device knows the session's token itself.
package struct SessionRecord: Equatable, Sendable {
  package let id: SessionID
  package let user: UserID
  /// SHA-256 of the 256 random bits of the token.
  package let tokenHash: [UInt8]
  /// SHA-256 of the device's own secret, when it sent one: later sign-ins from the device are not slowed.
  package let deviceHash: [UInt8]?
  /// The name that the client gives itself, for the person's list of sessions.
  package let client: String
  package let openedAt: Timestamp
  /// The last use of the session, precise to the day: it is written at most once a day.
  package var usedAt: Timestamp
  /// The limits of a token; nil for a sign-in.
  package let token: Token?

  package init(
    id: SessionID, user: UserID, tokenHash: [UInt8], deviceHash: [UInt8]?, client: String,
    openedAt: Timestamp, usedAt: Timestamp, token: Token? = nil
  ) {
    self.token = token
    self.id = id
    self.user = user
    self.tokenHash = tokenHash
    self.deviceHash = deviceHash
    self.client = client
    self.openedAt = openedAt
    self.usedAt = usedAt
  }
}

/// A change of the rows of accounts, sessions and webhooks by a transaction.
package enum AccountChange: Equatable, Sendable {
  case added(Account)
  /// This person owns the bot from now on.
  case given(UserID, to: UserID)
  case passwordChanged(UserID, PasswordHash)
  /// A guest has a name and a password now, and the recovery code of this generation.
  case upgraded(UserID, username: String, PasswordHash, generation: Int)
  /// The account has a new password by its recovery code. The next recovery code is that of this generation.
  case recovered(UserID, PasswordHash, generation: Int)
  /// The account ends at this time. Nil: it does not end.
  case ends(UserID, at: Timestamp?)
  /// The account is no more. Only the mark of its username stays, among the spent codes, so that nobody gets the
  /// username again.
  case ended(UserID, mark: String)
  /// Every stream up to this one has forgotten a person whose account has ended.
  case forgotten(UserID, through: StreamID)
  /// All streams have forgotten the person.
  case gone(UserID)
  /// The person has another name, and this number of their lists, all behind this one, do not show it yet.
  case nameLeft(UserID, after: StreamID, places: Int)
  /// All lists of the person show the new name.
  case nameTold(UserID)
  case sessionOpened(SessionRecord)
  case sessionUsed(SessionID, at: Timestamp)
  case sessionsClosed([SessionID], of: UserID)
  case webhookAdded(Webhook)
  /// The webhook has come this far.
  case webhookMoved(WebhookKey, WebhookProgress)
  /// The owner has paused the webhook, or lets it go on.
  case webhookSet(WebhookKey, WebhookProgress)
  case webhooksRemoved([WebhookID], of: UserID)
  /// The person has spent a registration code.
  case codeSpent(String, by: UserID)
}
