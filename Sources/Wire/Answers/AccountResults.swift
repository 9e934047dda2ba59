package import Domain

/// The answer to `account.register` and to `account.upgrade`.
package struct RegisterResult: Equatable, Sendable {
  package let changed: Bool
  package let user: UserID
  package let username: String
  /// The recovery code, which the person is to write down. It is shown only to somebody who knows the password.
  package let recoveryCode: String
  package let events: [StreamPosition]

  package init(
    changed: Bool, user: UserID, username: String, recoveryCode: String, events: [StreamPosition]
  ) {
    self.changed = changed
    self.user = user
    self.username = username
    self.recoveryCode = recoveryCode
    self.events = events
  }
}

/// The answer to `account.login`, `account.pair` and `account.guest`.
package struct LoginResult: Equatable, Sendable {
  /// The secret for `hello`.
  package let token: String
  package let user: UserID
  package let session: SessionID
  /// The number of days without use after which the session ends.
  package let expiresAfterDays: Int
  /// The username, for a client that signed in without sending one.
  package let username: String?

  package init(
    token: String, user: UserID, session: SessionID, expiresAfterDays: Int, username: String? = nil
  ) {
    self.username = username
    self.token = token
    self.user = user
    self.session = session
    self.expiresAfterDays = expiresAfterDays
  }
}

/// The answer to `account.recover`.
package struct RecoverResult: Equatable, Sendable {
  package let changed: Bool
  /// The code that counts from now on.
  package let recoveryCode: String
  package init(changed: Bool, recoveryCode: String) {
    self.changed = changed
    self.recoveryCode = recoveryCode
  }
}

/// The answer to `session.pair`.
package struct PairingResult: Equatable, Sendable {
  /// The code for another device of the person.
  package let code: String
  package let expiresAfterMilliseconds: Int
  /// The number of wrong tries that end the code.
  package let tries: Int

  package init(code: String, expiresAfterMilliseconds: Int, tries: Int) {
    self.code = code
    self.expiresAfterMilliseconds = expiresAfterMilliseconds
    self.tries = tries
  }
}

/// One line of `session.list`.
package struct SessionLine: Equatable, Sendable {
  package let id: SessionID
  package let client: String
  package let openedAt: Timestamp
  /// The last use, precise to the day.
  package let usedAt: Timestamp
  /// Whether it is the session that asks.
  package let current: Bool

  package init(
    id: SessionID, client: String, openedAt: Timestamp, usedAt: Timestamp, current: Bool
  ) {
    self.id = id
    self.client = client
    self.openedAt = openedAt
    self.usedAt = usedAt
    self.current = current
  }
}
