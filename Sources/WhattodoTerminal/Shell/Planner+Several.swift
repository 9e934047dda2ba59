import Domain
import Screen
import Sync
import Wire

// Several changes as one, also in several lists: one command with one key, and one `/undo` takes back all of it.

extension Planner {
  /// Plans several actions as one command. Throws for actions that need an answer first.
  func together(_ actions: [Action]) throws(Problem) -> Errand {
    var all: [PlannedChange] = []
    for action in actions {
      guard case .send(let errands) = try plan(action) else { throw Planner.oneByOne }
      for errand in errands { all += try changes(of: errand) }
    }
    return try together(all)
  }

  private static let oneByOne = Problem("these can only be done one by one")

  private func changes(of errand: Errand) throws(Problem) -> [PlannedChange] {
    guard case .command(let command, key: _, base: _) = errand.request else {
      throw Planner.oneByOne
    }
    switch (command, errand.report) {
    case (.batch(let commands), .changes(let tellings)):
      return zip(commands, tellings).map { PlannedChange($0, $1.made, same: $1.same) }
    case (let command, .change(let made, let same)), (let command, .told(let made, let same)):
      return [PlannedChange(command, made, same: same)]
    default: throw Planner.oneByOne
    }
  }
}

// MARK: The archive

extension Planner {
  func archive(_ reference: Reference) throws(Problem) -> Errand {
    let list = try situation.catalog.list(reference)
    return change(
      .archiveCategory(list.id), "\(list.tag) is archived; /unarchive \(list.tag) opens it again")
  }

  func unarchive(_ reference: Reference) throws(Problem) -> Errand {
    let list = try situation.catalog.archivedList(reference)
    return change(.unarchiveCategory(list.id), "\(list.tag) is open again")
  }
}
