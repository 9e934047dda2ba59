import Client
import Domain
import Sync
import Wire

/// The trail of this sign-in's changes, on disk.
struct TrailFile {
  let folder: StateFolder

  /// The size at which the file is rewritten; most of it is then about changes that nobody takes back any more.
  private static let bytesMax = 256 * 1024

  func read() throws(ClientError) -> ChangeTrail {
    let text = try folder.changes()
    let trail = ChangeTrail(text)
    if text.utf8.count > TrailFile.bytesMax { try folder.save(changes: trail.text) }
    return trail
  }

  /// Writes a change before its command is sent; the log says later whether it was made.
  func note(_ planned: PlannedRequest, in before: Situation) throws(ClientError) {
    guard case .command(let command, let key, base: _) = planned.request else { return }
    switch planned.report {
    // This request is a part of a change that was noted already.
    case .mark: return
    case .takenBack(let change): try folder.add(change: "undone\t\(change.key)\n")
    case .doneAgain(let change): try folder.add(change: "redone\t\(change.key)\t\(key)\n")
    case .undone(_, let isRedo, let change?):
      try folder.add(change: isRedo ? "redone\t\(change)\t\(key)\n" : "undone\t\(change)\n")
    default:
      guard let change = TrailFile.change(command, key, before) else { return }
      if case .never = change.reversal { return }
      try folder.add(change: change.line)
    }
  }

  /// Writes a change that nothing takes back, after it was made. A refused one must not be written, because it would
  /// block the undo of earlier changes.
  func noteMade(_ request: Request, _ answer: ReplicaAnswer, before: Situation) throws(ClientError)
  {
    guard case .command(let command, let key, base: _) = request,
      case .command(let result) = answer, result.changed,
      let change = TrailFile.change(command, key, before), case .never = change.reversal
    else { return }
    try folder.add(change: change.line)
  }

  /// Writes a change that was no command, because it asked for a secret.
  func noteMade(_ what: String, why: String) throws(ClientError) {
    let change = DoneChange(key: Identifiers.key(), what: what, reversal: .never(why))
    try folder.add(change: change.line)
  }

  private static func change(
    _ command: Command, _ key: CommandKey, _ before: Situation
  ) -> DoneChange? {
    Reversal(of: command, in: before).map {
      DoneChange(key: key, what: ChangeWords.of(command, before), reversal: $0)
    }
  }
}
