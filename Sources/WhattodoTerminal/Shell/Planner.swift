// From an action to requests: it looks references up, and makes ids and keys, but sends nothing. The chat and scripts
// share it.

import Client
import Domain
import Screen
import Sync
import Wire

/// Turns actions into plans in a situation.
struct Planner {
  let situation: Situation
  /// The times of a post that comes again that are meant, where the person named them.
  var times: Times?
  /// The situation on the screen when the person was asked; nil means the present one.
  var seen: Situation?
  /// The events that could not be undone; the next undo goes on with what was before them.
  var stuck: Set<StreamPosition> = []
  /// Whether the person means a time that comes after something done a moment ago.
  var isMeant = false
  /// The changes of this device; only undo and redo read them.
  var trail = ChangeTrail()

  /// Plans an action. Throws a sentence when something that the action names does not exist.
  func plan(_ action: Action) throws(Problem) -> Plan { noticed(try planned(action)) }

  private func planned(_ action: Action) throws(Problem) -> Plan {
    switch action {
    case .program(let action): plan(action)
    case .show(let action): .show(try view(action))
    case .ask(let action): .send([try request(action)])
    case .filter(let action): try plan(action)
    case .post(let action): .send(try requests(action))
    case .field(let action): .send([try request(action)])
    case .mark(let action): .send(try requests(action))
    case .list(let action): try plan(action)
    case .group(let action): try plan(action)
    case .people(let action): try plan(action)
    case .talk(let action): .send([try request(action)])
    case .account(let action): try plan(action)
    case .undo(let list): .send([try undo(list)])
    case .redo(let list): .send([try redo(list)])
    case .unsent(nil): .show(.unsent)
    case .unsent(let step?): .decide(try unsent(step), step)
    case .together(let actions): .send([try together(actions)])
    case .times(let times, let action):
      try Planner(situation: situation, times: times, seen: seen, isMeant: isMeant).plan(action)
    }
  }

  private func plan(_ action: ProgramAction) -> Plan {
    switch action {
    case .help(let name): .help(name)
    case .quit: .quit
    case .back: .back
    case .logout: .logout
    case .recover: .recover
    }
  }

  private func unsent(_ step: UnsentStep) throws(Problem) -> UnsentCommand {
    let number = step.number
    guard let unsent = situation.shown.unsent.pick(number, among: situation.unsent) else {
      throw Problem("there is no \(number) in /unsent")
    }
    if case .choose = step,
      !situation.conflicts.contains(where: { $0.number == unsent.queued.number })
    {
      throw Problem("\(number) is no choice between two texts: /unsent \(number) again or drop")
    }
    return unsent
  }

  /// Returns a request for a command, with a key of its own.
  func change(
    _ command: Command, _ made: Phrase, same: Phrase = "nothing changed", told: Bool = false
  ) -> PlannedRequest {
    PlannedRequest(
      request: .command(command, key: Identifiers.key()),
      report: told ? .told(made: made, same: same) : .change(made: made, same: same))
  }
}
