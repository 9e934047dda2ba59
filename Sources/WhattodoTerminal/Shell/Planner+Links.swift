import Client
import Domain
import Sync
import Wire

// Plans for the links by which others look at a list.

extension Planner {
  func request(_ step: LinkStep) throws(Problem) -> PlannedRequest {
    switch step {
    case .make(let list, let days): return link(to: try situation.list(list), days: days)
    case .list(let reference):
      let list = try situation.list(reference)
      return PlannedRequest(request: .query(.links(list.id)), report: .links(list))
    case .revoke(let number, let reference):
      // The server is asked for the links first, to find the one with this number.
      let list = try situation.list(reference)
      return PlannedRequest(request: .query(.links(list.id)), report: .unlink(list, number))
    }
  }

  private func link(to list: Category, days: Int) -> PlannedRequest {
    let command = Command.link(.make(LinkID(Identifiers.make()), list.id, NewLink(days: days)))
    return PlannedRequest(
      request: .command(command, key: Identifiers.key()), report: .madeLink(list, days: days))
  }
}
