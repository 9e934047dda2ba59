/// An account without a name and a password. A device makes it at its first start, where the operator allows that.
package struct NewGuest: Equatable, Sendable {
  package let id: UserID
  /// A username that the server makes up. It is always the same for one id.
  package let username: String
  package let name: String
  package let zone: String
  /// The lists that everybody begins with, as the operator has set them.
  package let lists: [FirstList]

  package init(id: UserID, username: String, name: String, zone: String, lists: [FirstList] = []) {
    self.id = id
    self.username = username
    self.name = name
    self.zone = zone
    self.lists = lists
  }
}

/// The fields that make a guest's account one like others.
package struct Upgrade: Equatable, Sendable {
  package let username: String
  package let name: String
  package let password: PasswordHash
  /// The registration code, where one is needed, as in `Registration`.
  package let code: String?
  /// The mark of the username, as in `Registration`.
  package var mark: String?

  package init(username: String, name: String, password: PasswordHash, code: String? = nil) {
    self.code = code
    self.username = username
    self.name = name
    self.password = password
  }
}

extension NewGuest {
  /// The beginning of guests' usernames. No other username begins so.
  package static let usernamePrefix = "guest-"
}

extension PasswordHash {
  /// The password of an account that has none: nothing matches it.
  package static let none = PasswordHash(phc: "")
  package var isNone: Bool { phc.isEmpty }
}
