/// The methods that make an account, sign in or out, or carry a secret of an account. The authenticator answers most.
package enum SignInMethod: String, MethodFamily {
  case register = "account.register"
  case login = "account.login"
  case recover = "account.recover"
  case changePassword = "account.change_password"
  case logout = "account.logout"
  case openPairing = "session.pair"
  case pair = "account.pair"
  case guest = "account.guest"
  case upgrade = "account.upgrade"
  case delete = "account.delete"

  package var row: MethodRow {
    switch self {
    case .register, .login, .pair, .guest: .account(secret: true, openToLinks: true)
    case .recover: .account(secret: true, makesRoom: true, openToLinks: true)
    case .openPairing, .upgrade: .account(secret: true)
    case .changePassword, .delete: .account(makesRoom: true)
    case .logout: .account()
    }
  }
}
