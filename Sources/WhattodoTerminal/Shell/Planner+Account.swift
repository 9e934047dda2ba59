import Client
import Domain
import Screen
import Wire

// Plans for one's own account.

extension Planner {
  func plan(_ action: AccountAction) throws(Problem) -> Plan {
    switch action {
    case .profile: .send(profile)
    case .editProfile(let edit):
      .send([change(.account(.editProfile(edit)), "your profile is changed")])
    case .settings(.show): .show(.settings)
    case .settings(.edit(let edit)):
      .send([change(.account(.editSettings(edit)), PersonalLines.settings(edit, situation))])
    case .levels: .show(.levels)
    case .level(let wish): .send([try level(wish)])
    case .markRead(let place): .send([try markRead(place)])
    case .sessions: .send([PlannedRequest(request: .query(.sessions), report: .sessions)])
    case .closeSession(let number): .send([closing(session: number)])
    case .password: .password
    case .pair: .send([PlannedRequest(request: .openPairing, report: .pairing)])
    case .upgrade(let name, let code): .upgrade(try free(name), code: code)
    case .export(let path): .send([try export(to: path)])
    case .show: .show(.account)
    case .delete(let username): try delete(username)
    case .keep: .send([keep])
    }
  }

  private var profile: [PlannedRequest] {
    [
      PlannedRequest(request: .query(.profile), report: .profile),
      PlannedRequest(request: .query(.notifications(limit: 1)), report: .day),
    ]
  }

  /// Asks for the sessions first, because the number is that of one of them.
  private func closing(session number: Int) -> PlannedRequest {
    PlannedRequest(request: .query(.sessions), report: .closeSession(number))
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

  private func delete(_ username: String) throws(Problem) -> Plan {
    guard let own = situation.ownStream?.profile else {
      throw Problem("your profile is not here yet")
    }
    guard username == own.username else {
      throw Problem("\(username) is not your username; nothing was changed")
    }
    return .deleteAccount
  }

  private var keep: PlannedRequest {
    change(.account(.keep), "your account stays", same: "your account was not going to end")
  }
}

// MARK: The export

extension Planner {
  /// Makes the file before anything is asked for, because a file that exists is never overwritten.
  func export(to path: String) throws(Problem) -> PlannedRequest {
    try ExportFile(path: path).make()
    return PlannedRequest(request: .query(.export(nil)), report: .export(path, lines: 0))
  }

  /// Writes a page, and asks for the next one; nil after the last page, when the file is complete.
  func write(
    _ page: ExportPage, to path: String, after lines: Int
  ) throws(Problem) -> [PlannedRequest]? {
    let file = ExportFile(path: path)
    try file.append(page.lines)
    guard let place = page.after else {
      try file.finish()
      return nil
    }
    let report = Report.export(path, lines: lines + page.lines.count)
    return [PlannedRequest(request: .query(.export(place)), report: report)]
  }
}

extension Words {
  /// Reads `NAME [CODE]`: the name by which a guest signs in from now on. All else stays.
  mutating func upgrade() -> Action? {
    guard let name = person() else { return nil }
    let code = next()
    return done(.account(.upgrade(name, code: code)))
  }
}
