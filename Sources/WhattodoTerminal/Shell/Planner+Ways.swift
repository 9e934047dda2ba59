import Domain
import Sync
import Wire

// What lets somebody in.
extension Planner {
  /// What is kept on this machine is kept under the name, so nothing may wait there.
  private func free(_ name: String) throws(Problem) -> String {
    guard situation.ownStream?.profile?.isGuest == true else {
      throw Problem("you are no guest: /me name changes what others read, /password the password")
    }
    guard situation.waitingCount + situation.unsent.count == 0 else {
      throw Problem("something of yours is not sent yet (/unsent); then /me upgrade again")
    }
    return name
  }

  func plan(_ step: WayStep) throws(Problem) -> Plan {
    switch step {
    case .pair: .send([Errand(request: .openPairing, report: .pairing)])
    case .upgrade(let name, let code): .upgrade(try free(name), code: code)
    }
  }
}

extension Words {
  /// `NAME [CODE]`, of a guest: a name to sign in by, and a password; all else stays.
  mutating func upgrade() -> Action? {
    guard let name = person() else { return nil }
    let code = next()
    return done(.way(.upgrade(name, code: code)))
  }
}
