/// The changes of the caller's own account that carry no secret.
package enum AccountMethod: String, MethodFamily {
  case closeSession = "session.close"
  case keep = "account.keep"
  case editProfile = "profile.edit"
  case editSettings = "settings.edit"

  package var row: MethodRow {
    switch self {
    case .closeSession: .change(inBatch: false, makesRoom: true, openToTokens: false)
    case .keep: .change(inBatch: false, openToTokens: false)
    case .editProfile: .change(inBatch: false)
    case .editSettings: .change()
    }
  }
}
