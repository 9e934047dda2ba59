package import Domain

// Requests that carry secrets. Not `CustomStringConvertible` on purpose, and never logged.

/// `account.register` (protocol §8.5). The id is the client's: the same again answers as the first did.
package struct RegisterRequest: Equatable, Sendable {
  package let id: UserID
  package let username: String
  /// The username when the client sent none.
  package let name: String
  /// IANA name; `UTC` when the client sent none. Not yet compared with the zones that exist.
  package let zone: String
  package let password: String
  /// The registration code, where registration needs one.
  package let code: String?
  /// `person` when the client said none.
  package let kind: UserKind

  package init(
    id: UserID, username: String, name: String, zone: String, password: String, code: String?,
    kind: UserKind = .person
  ) {
    self.id = id
    self.username = username
    self.name = name
    self.zone = zone
    self.password = password
    self.code = code
    self.kind = kind
  }
}

/// `account.login` (protocol §8.6).
package struct LoginRequest: Equatable, Sendable {
  package let username: String
  package let password: String
  package let client: ClientName?
  /// The device's own lasting secret: sign-ins from it are not slowed by others' wrong guesses.
  package let device: String?

  package init(username: String, password: String, client: ClientName?, device: String?) {
    self.username = username
    self.password = password
    self.client = client
    self.device = device
  }
}

/// `account.pair`: a sign-in by a code that another device of the person has asked for.
package struct PairRequest: Equatable, Sendable {
  package let code: String
  package let client: ClientName?
  /// The device, as in `LoginRequest`.
  package let device: String?

  package init(code: String, client: ClientName?, device: String?) {
    self.code = code
    self.client = client
    self.device = device
  }
}

/// `account.guest`: an account without a name and a password. Id and device are its key.
package struct GuestRequest: Equatable, Sendable {
  package let id: UserID
  package let name: String
  /// The zone, as in `RegisterRequest`.
  package let zone: String
  /// The device's own lasting secret: nothing else opens the account again.
  package let device: String
  package let client: ClientName?

  package init(id: UserID, name: String, zone: String, device: String, client: ClientName?) {
    self.id = id
    self.name = name
    self.zone = zone
    self.device = device
    self.client = client
  }

  /// The name of a guest who does not say one.
  package static let name = "Guest"
}

/// `account.upgrade`: what makes a guest a person like others.
package struct UpgradeRequest: Equatable, Sendable {
  package let username: String
  /// The username when the client sent none.
  package let name: String
  package let password: String
  /// The code, as in `RegisterRequest`.
  package let code: String?
  package let key: CommandKey

  package init(
    username: String, name: String, password: String, code: String? = nil, key: CommandKey
  ) {
    self.code = code
    self.username = username
    self.name = name
    self.password = password
    self.key = key
  }
}

/// `account.recover` (protocol §8.7): a new password by the recovery code.
package struct RecoverRequest: Equatable, Sendable {
  package let username: String
  package let code: String
  package let password: String
  package let key: CommandKey

  package init(username: String, code: String, password: String, key: CommandKey) {
    self.username = username
    self.code = code
    self.password = password
    self.key = key
  }
}

/// `account.delete` (protocol §8.99).
package struct DeleteAccountRequest: Equatable, Sendable {
  /// Nil: of a guest, who has none.
  package let password: String?
  package let key: CommandKey

  package init(password: String?, key: CommandKey) {
    self.password = password
    self.key = key
  }
}

/// `account.change_password` (protocol §8.8).
package struct ChangePasswordRequest: Equatable, Sendable {
  package let old: String
  package let new: String
  package let key: CommandKey

  package init(old: String, new: String, key: CommandKey) {
    self.old = old
    self.new = new
    self.key = key
  }
}
