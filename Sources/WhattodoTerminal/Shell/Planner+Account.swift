import Domain
import Screen
import Wire

// Plans about one's own account and its end.
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
          .account(.keep), "your account stays", same: "your account was not going to end")
      ])
    }
  }

  /// Makes the file before anything is asked for, because a file that exists is never overwritten.
  func export(to path: String) throws(Problem) -> Errand {
    try ExportFile(path: path).make()
    return Errand(request: .query(.export(nil)), report: .export(path, lines: 0))
  }

  /// Writes a page, and asks for the next one; nil after the last page, when the file is complete.
  func write(
    _ page: ExportPage, to path: String, after lines: Int
  ) throws(Problem) -> [Errand]? {
    let file = ExportFile(path: path)
    try file.append(page.lines)
    guard let place = page.after else {
      try file.finish()
      return nil
    }
    let report = Report.export(path, lines: lines + page.lines.count)
    return [Errand(request: .query(.export(place)), report: report)]
  }
}
