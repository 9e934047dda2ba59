import Client
import Domain
import Sync
import Wire

// What lets somebody in.
extension Planner {
  private func link(to list: Category, days: Int) -> Errand {
    let command = Command.makeLink(
      LinkID(Identifiers.make()), list.id, NewLink(days: days))
    return Errand(
      request: .command(command, key: Identifiers.key()), report: .madeLink(list, days: days))
  }

  private func links(of list: Category) -> Errand {
    Errand(request: .query(.links(list.id)), report: .links(list))
  }

  /// Which one has the number, the server says.
  private func unlink(_ number: Int, of list: Category) -> Errand {
    Errand(request: .query(.links(list.id)), report: .unlink(list, number))
  }

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
    case .link(let list, let days): .send([link(to: try situation.list(list), days: days)])
    case .links(let list): .send([links(of: try situation.list(list))])
    case .unlink(let number, let list):
      .send([unlink(number, of: try situation.list(list))])
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
