/// An account without a name and a password: what a device makes at its first start, where the operator lets it.
package struct NewGuest: Equatable, Sendable {
  package let id: UserID
  /// Made up by the server, always the same for one id.
  package let username: String
  package let name: String
  package let zone: String
  /// The lists that everybody begins with, as the operator says.
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
  /// Where registration needs one: as of `Registration`.
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
  /// The beginning of guests' usernames, and of nobody else's.
  package static let usernamePrefix = "guest-"
}

extension PasswordHash {
  /// The password of an account without one: nothing matches it.
  package static let none = PasswordHash(phc: "")
  package var isNone: Bool { phc.isEmpty }
}
