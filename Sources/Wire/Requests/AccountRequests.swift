package import Domain

// Requests that carry secrets. On purpose they are not `CustomStringConvertible`, and they are never logged.

/// The request `account.register` (protocol §8). The client chooses the id: the same request again gets the same
/// answer.
package struct RegisterRequest: Equatable, Sendable {
  package let id: UserID
  package let username: String
  /// The name. It is the username when the client sent none.
  package let name: String
  /// An IANA name. It is `UTC` when the client sent none. It is not yet compared with the zones that exist.
  package let zone: String
  package let password: String
  /// The registration code, where registration needs one.
  package let code: String?
  /// The kind. It is `person` when the client sent none.
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

/// The request `account.login` (protocol §8).
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

/// The request `account.pair`: a sign-in by a code that another device of the person has asked for.
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

/// The request `account.guest`: an account without a name and a password. Id and device are its key.
package struct GuestRequest: Equatable, Sendable {
  package let id: UserID
  package let name: String
  /// The zone, as in `RegisterRequest`.
  package let zone: String
  /// The device's own lasting secret. Nothing else opens the account again.
  package let device: String
  package let client: ClientName?

  package init(id: UserID, name: String, zone: String, device: String, client: ClientName?) {
    self.id = id
    self.name = name
    self.zone = zone
    self.device = device
    self.client = client
  }

  /// The name of a guest who sends none.
  package static let name = "Guest"
}

/// The request `account.upgrade`, which makes a guest a person like others.
package struct UpgradeRequest: Equatable, Sendable {
  package let username: String
  /// The name. It is the username when the client sent none.
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

/// The request `account.recover` (protocol §8): a new password by the recovery code.
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

/// The request `account.delete` (protocol §8).
package struct DeleteAccountRequest: Equatable, Sendable {
  /// The password. Nil for a guest, who has none.
  package let password: String?
  package let key: CommandKey

  package init(password: String?, key: CommandKey) {
    self.password = password
    self.key = key
  }
}

/// The request `account.change_password` (protocol §8).
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
