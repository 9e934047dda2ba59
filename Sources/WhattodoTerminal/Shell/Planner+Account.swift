import Domain
import Screen
import Wire

// One's own account, and its end.
extension Planner {
  func plan(_ step: AccountStep) throws(Problem) -> Plan {
    switch step {
    case .show: return .show(.account)
    case .delete(let username):
      guard let own = situation.ownStream?.profile else {
        throw Problem("your profile is not here yet")
      }
      guard username == own.username else {
        throw Problem("\(username) is not your username; nothing was changed")
      }
      return .deleteAccount
    case .keep:
      return .send([
        change(
          .keepAccount, "your account stays", same: "your account was not going to end")
      ])
    }
  }
}
