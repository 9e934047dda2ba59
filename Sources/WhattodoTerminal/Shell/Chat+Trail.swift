import Client
import Domain
import Screen
import Sync
import Wire

// Writes and reads the trail in which `/undo` finds changes.
extension Chat {
  private var trailFile: TrailFile { TrailFile(folder: folder) }

  /// Reads the trail when it is needed, because scripts of the same sign-in write to it too.
  func trail(for action: Action) -> ChangeTrail {
    switch action {
    case .undo(nil), .redo(nil): readTrail()
    default: ChangeTrail()
    }
  }

  func trail(for report: Report) -> ChangeTrail {
    if case .undoChange = report { readTrail() } else { ChangeTrail() }
  }

  private func readTrail() -> ChangeTrail {
    do throws(ClientError) {
      var trail = try trailFile.read()
      trail.waiting = Set(client.waiting.map(\.key))
      return trail
    } catch {
      complain("\(error)")
      return ChangeTrail()
    }
  }

  /// Writes a change into the trail before it is sent.
  func note(_ planned: PlannedRequest) {
    do throws(ClientError) {
      try trailFile.note(planned, in: situation)
    } catch {
      complain("\(error)")
    }
  }

  /// Writes the change that a decision about a refused change has queued.
  func noteQueued() {
    guard let last = client.waiting.last else { return }
    let report = Report.told(made: "", same: "")
    note(PlannedRequest(request: .command(last.command, key: last.key), report: report))
  }

  func noteDropped() {
    do throws(ClientError) {
      try trailFile.noteMade(
        "dropping a refused change", why: "it was never made; enter it once more")
    } catch {
      complain("\(error)")
    }
  }

  /// Writes into the trail that a change was made, when its answer is there.
  func noteMade(_ ticket: RequestTicket, _ result: Result<ReplicaAnswer, ClientError>) {
    let sent = unproven.removeValue(forKey: ticket)
    guard case .success(let answer) = result else { return }
    do throws(ClientError) {
      if let sent { try trailFile.noteMade(sent.request, answer, before: sent.before) }
      if case .unreturned(let what, let why, _, _)? = reports[ticket] {
        try trailFile.noteMade(what, why: why)
      }
    } catch {
      complain("\(error)")
    }
  }
}
