import Client
import Domain
import Screen
import Sync
import Wire

// Several changes as one, also in several lists: one command with one key, and one `/undo` takes back all of it.

extension Planner {
  /// Plans several actions as one command. Throws for actions that need an answer first.
  func together(_ actions: [Action]) throws(Problem) -> PlannedRequest {
    var all: [PlannedChange] = []
    for action in actions { all += try changes(of: action) }
    return try together(all)
  }

  /// Plans an action as a part of one command. Throws for an action that needs an answer first.
  func changes(of action: Action) throws(Problem) -> [PlannedChange] {
    guard case .send(let requests) = try plan(action) else { throw Planner.oneByOne }
    var all: [PlannedChange] = []
    for planned in requests { all += try changes(of: planned) }
    return all
  }

  private static let oneByOne = Problem("these can only be done one by one")

  private func changes(of planned: PlannedRequest) throws(Problem) -> [PlannedChange] {
    guard case .command(let command, key: _, base: _) = planned.request else {
      throw Planner.oneByOne
    }
    switch (command, planned.report) {
    case (.line, _): throw Planner.oneByOne
    case (.batch(let commands), .changes(let reports)):
      return zip(commands, reports).map { PlannedChange($0, $1.made, same: $1.same) }
    case (let command, .change(let made, let same)), (let command, .told(let made, let same)):
      return [PlannedChange(command, made, same: same)]
    case (let command, .addedPost(_, let title, let list)):
      return [PlannedChange(command, "+ \(title) (in \(list))")]
    case (let command, .addedList(_, let name)):
      return [PlannedChange(command, "new list #\(name.oneWord)")]
    case (_, .addedQuickly(let understood)): return adding(understood)
    // The planned duration of a post that was just added.
    case (.changePersonal, .mark): return [PlannedChange(command, "planned")]
    default: throw Planner.oneByOne
    }
  }

  /// Plans all changes as one command, of which all or none is made and one undo takes all back. A single change is
  /// sent as itself.
  func together(_ changes: [PlannedChange]) throws(Problem) -> PlannedRequest {
    guard changes.count <= Limits.batchCommandsMax else {
      throw Problem(
        "that are \(changes.count) changes; at most \(Limits.batchCommandsMax) go at once")
    }
    if changes.count == 1, let only = changes.first {
      return change(
        only.command, only.report.made, same: only.report.same ?? "nothing changed")
    }
    return PlannedRequest(
      request: .command(.batch(changes.map(\.command)), key: Identifiers.key()),
      report: .changes(changes.map(\.report)))
  }
}
