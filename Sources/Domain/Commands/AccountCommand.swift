/// A change of the caller's own account, of its sessions or of what it says of the person (protocol §8).
package enum AccountCommand: Equatable, Sendable {
  case register(Registration)
  case recover(UserID, PasswordHash, generation: Int)
  case changePassword(PasswordHash)
  case upgrade(Upgrade)
  /// Ends the account after this number of days, which the operator sets.
  case delete(days: Int)
  case keep
  case closeSession(SessionID)
  case editProfile(ProfileEdit)
  /// Changes what the person is told, and when.
  case editSettings(SettingsEdit)

  /// The user whose account it is. Nil for the caller's own.
  package var user: UserID? {
    switch self {
    case .register(let it): it.id
    case .recover(let user, _, _): user
    case .changePassword, .upgrade, .delete, .keep, .closeSession, .editProfile,
      .editSettings:
      nil
    }
  }

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .register: .signIn(.register)
    case .recover: .signIn(.recover)
    case .changePassword: .signIn(.changePassword)
    case .upgrade: .signIn(.upgrade)
    case .delete: .signIn(.delete)
    case .keep: .account(.keep)
    case .closeSession: .account(.closeSession)
    case .editProfile: .account(.editProfile)
    case .editSettings: .account(.editSettings)
    }
  }
}
