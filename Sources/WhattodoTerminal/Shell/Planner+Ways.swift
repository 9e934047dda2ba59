import Client
import Domain
import Sync
import Wire

// Plans for codes and links that let somebody in.
extension Planner {
  private func link(to list: Category, days: Int) -> Errand {
    let command = Command.link(
      .make(
        LinkID(Identifiers.make()), list.id, NewLink(days: days)))
    return Errand(
      request: .command(command, key: Identifiers.key()), report: .madeLink(list, days: days))
  }

  private func links(of list: Category) -> Errand {
    Errand(request: .query(.links(list.id)), report: .links(list))
  }

  /// Asks the server for the links, to find the one with this number.
  private func unlink(_ number: Int, of list: Category) -> Errand {
    Errand(request: .query(.links(list.id)), report: .unlink(list, number))
  }

  /// Returns the name if the guest may take it now. The files on this machine bear the old name, so no change may wait
  /// in them.
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
  /// Reads `NAME [CODE]`: the name by which a guest signs in from now on. All else stays.
  mutating func upgrade() -> Action? {
    guard let name = person() else { return nil }
    let code = next()
    return done(.way(.upgrade(name, code: code)))
  }
}
