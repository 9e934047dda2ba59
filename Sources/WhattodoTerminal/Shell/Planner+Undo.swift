// Plans for undo and redo. `/undo` takes back the last change that this device made, in whatever stream and whoever
// sees it; the trail knows it (`ChangeTrail`). When that change is not taken back, the person is told and nothing is
// done, never something older instead. `/undo #LIST` takes back the last change in a list, also from another device, by
// the log of that list.

import Client
import Domain
import Screen
import Sync
import Wire

extension Planner {
  func undo(_ reference: Reference?) throws(Problem) -> PlannedRequest {
    guard reference == nil else { return try ownDoings(in: reference) { .undo($0) } }
    return try undoNewest(before: nil)
  }

  func redo(_ reference: Reference?) throws(Problem) -> PlannedRequest {
    guard reference == nil, let change = trail.lastUndone else {
      return try ownDoings(in: reference) { .redo($0) }
    }
    switch change.reversal {
    case .set(_, let again?, _):
      return PlannedRequest(
        request: .command(again, key: Identifiers.key()), report: .doneAgain(change))
    case .set, .unsay, .never:
      throw Problem("\(change.what) is not done again by /redo; nothing was done")
    case .undo(let stream):
      guard let list = situation.streams[stream]?.category else {
        throw Problem("\(change.what) was in a list that you are not in any more")
      }
      return doings(in: list) { .redo($0) }
    }
  }

  /// Asks the log whether the newest change was made, and still holds.
  private func undoNewest(before key: CommandKey?) throws(Problem) -> PlannedRequest {
    var last = key
    while let change = trail.newest(before: last) {
      last = change.key
      guard !trail.waiting.contains(change.key) else {
        throw Problem("\(change.what) is still on its way: /undo again when it is done")
      }
      switch change.reversal {
      case .never(let why):
        throw Problem(
          "\(change.what) is not taken back by /undo: \(why). Nothing was done. "
            + "/undo #LIST takes back what you changed in a list before.")
      case .undo(let stream), .unsay(let stream), .set(_, _, let stream):
        // The person is not in that stream any more, and would see nothing of an undo there.
        guard situation.streams[stream] != nil else { continue }
        let query = HistoryEventsQuery(
          stream: stream, person: situation.me, limit: Limits.listPageMax)
        return PlannedRequest(
          request: .query(.history(.events(query))), report: .undoChange(change))
      }
    }
    return try ownDoings(in: nil) { .undo($0) }
  }

  /// Takes the change back if the log says that it was made and still holds; otherwise asks about the change before it.
  func takeBack(_ change: DoneChange, _ page: HistoryPage) throws(Problem) -> PlannedRequest {
    let events = try events(page)
    guard let event = events.first(where: { $0.key == change.key }) else {
      return try undoNewest(before: change.key)
    }
    switch change.reversal {
    case .never: return try undoNewest(before: change.key)
    case .set(let back, let again, let stream):
      try refuseOthers(back)
      if case .invitation(.send)? = again { try refuseAnswered(back, in: stream, change) }
      if let again { try refuseChangedSince(again, change) }
      return PlannedRequest(
        request: .command(back, key: Identifiers.key()), report: .takenBack(change))
    case .unsay(let stream):
      let command = Command.line(.remove(stream, line: event.seq))
      return PlannedRequest(
        request: .command(command, key: Identifiers.key()), report: .takenBack(change))
    case .undo(let stream):
      guard let list = situation.streams[stream]?.category,
        let seq = UndoTrail(events, stuck: stuckEvents(in: list)).undo, seq >= event.seq
      else { return try undoNewest(before: change.key) }
      return undo(seq, in: list, isRedo: false, events)
    }
  }

  /// Refuses to overwrite a value that another device or person has set since. As long as the value is the one that the
  /// change set, its reversal now would have to set that value again.
  private func refuseChangedSince(_ again: Command, _ change: DoneChange) throws(Problem) {
    switch again {
    case .changePersonal, .account(.editSettings), .account(.editProfile), .filter(.save),
      .category(.move),
      .member(.setRole), .group(.edit), .line(.edit):
      switch Reversal(of: again, in: situation) {
      case nil: return
      case .set(let now, _, _) where now == again: return
      case .set, .undo, .unsay, .never:
        throw Problem("\(change.what) was changed since, or is over. Nothing was done.")
      }
    default: return
    }
  }

  /// Refuses to revoke an invitation that is answered, because it does not exist any more.
  private func refuseAnswered(
    _ back: Command, in stream: StreamID, _ change: DoneChange
  ) throws(Problem) {
    guard case .invitation(.revoke(let id, _)) = back,
      situation.streams[stream]?.invitations.contains(where: { $0.id == id }) != true
    else { return }
    throw Problem(
      "\(change.what) is answered, or over: /kick takes somebody out. Nothing was done.")
  }

  /// Refuses to remove a new list or group that others have joined, or that has contents by now.
  private func refuseOthers(_ back: Command) throws(Problem) {
    switch back {
    case .category(.remove(let list)):
      let members = situation.streams[.category(list)]?.members.count ?? 0
      let label = situation.label(.category(list))
      guard members <= 1 else {
        throw Problem("\(label) is others' too by now: /rm \(label) removes it. Nothing was done.")
      }
    case .group(.remove(let group)):
      let state = situation.streams[.group(group)]
      guard (state?.members.count ?? 0) <= 1, (state?.listCount ?? 0) == 0 else {
        let name = situation.label(.group(group))
        throw Problem(
          "\(name) has people or lists by now: /group remove \(name.oneWord) removes it. "
            + "Nothing was done.")
      }
    default: break
    }
  }
}
