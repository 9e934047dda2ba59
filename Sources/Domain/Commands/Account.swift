// Credentials and sessions are rows beside the log, written in the same transaction: no secret, nor a
// hash that covers one, is ever in an event (DESIGN §4).

/// A user's way in.
package struct Account: Equatable, Sendable {
  package let id: UserID
  package var username: String
  package var password: PasswordHash
  /// The number of the recovery code that counts now, from 1; the code is derived from it and the server's
  /// secret.
  package var recoveryGeneration: Int

  package init(id: UserID, username: String, password: PasswordHash, recoveryGeneration: Int) {
    self.id = id
    self.username = username
    self.password = password
    self.recoveryGeneration = recoveryGeneration
  }
}

/// A signed-in device. The token itself is known to the device only.
package struct SessionRecord: Equatable, Sendable {
  package let id: SessionID
  package let user: UserID
  /// SHA-256 of the 256 random bits of the token.
  package let tokenHash: [UInt8]
  /// SHA-256 of the device's own secret, when it sent one: later sign-ins from it are not slowed.
  package let deviceHash: [UInt8]?
  /// The name that the client gives itself, for the person's list of sessions.
  package let client: String
  package let openedAt: Timestamp
  /// To the day: written at most once a day.
  package var usedAt: Timestamp

  package init(
    id: SessionID, user: UserID, tokenHash: [UInt8], deviceHash: [UInt8]?, client: String,
    openedAt: Timestamp, usedAt: Timestamp
  ) {
    self.id = id
    self.user = user
    self.tokenHash = tokenHash
    self.deviceHash = deviceHash
    self.client = client
    self.openedAt = openedAt
    self.usedAt = usedAt
  }
}

/// A change of those rows by a transaction.
package enum AccountChange: Equatable, Sendable {
  case added(Account)
  case passwordChanged(UserID, PasswordHash)
  /// A guest has a name and a password now; the recovery code is `generation`.
  case upgraded(UserID, username: String, PasswordHash, generation: Int)
  /// A new password by the recovery code; the code after it is `generation`.
  case recovered(UserID, PasswordHash, generation: Int)
  /// When the account ends; nil: it does not.
  case ends(UserID, at: Timestamp?)
  /// The account is no more. Of its username only the mark stays, among the spent codes, so that nobody gets it again.
  case ended(UserID, mark: String)
  /// Every stream up to this one has forgotten a person whose account has ended.
  case forgotten(UserID, through: StreamID)
  /// All have.
  case gone(UserID)
  /// The person has another name, and so many of their lists, all behind this one, do not show it yet.
  case nameLeft(UserID, after: StreamID, places: Int)
  /// All of them show it.
  case nameTold(UserID)
  case sessionOpened(SessionRecord)
  case sessionUsed(SessionID, at: Timestamp)
  case sessionsClosed([SessionID])
  /// A registration code that is now spent.
  case codeSpent(String, by: UserID)
}
