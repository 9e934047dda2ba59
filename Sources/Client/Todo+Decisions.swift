import Domain
import Sync
import Wire

// Decisions that a person makes afterwards: which of two texts stays, and which change is taken back.
extension Todo {
  /// The notes that others changed while the account's own were on their way, oldest first. Both texts stay until
  /// `resolve`. Conflicts are among `refused` too.
  public var conflicts: [TodoConflict] {
    look()
    return client.conflicts.map { TodoConflict($0) }
  }

  /// Decides a conflict. If the post has changed again meanwhile, there is another one. Does nothing when it is decided
  /// already. Throws `queue_full`, and `folder` when the decision cannot be kept.
  public func resolve(
    _ conflict: TodoConflict, _ choice: TodoConflict.Choice
  ) throws(TodoError) {
    do throws(ClientError) {
      try client.resolve(conflict.number, choice.value)
    } catch {
      throw TodoError(error)
    }
  }

  /// Takes back a change of the account, as far as nothing else has changed it since. The receipt's outcome can be
  /// taken back in turn. Nil when the change had changed nothing. The receipt throws `forbidden` for changes that are
  /// never taken back: members, invitations, the beginning of a list (protocol §8 `undo`).
  @discardableResult
  public func undo(_ outcome: TodoReceipt.Outcome) throws(TodoError) -> TodoReceipt? {
    guard let place = outcome.place else { return nil }
    return try queue(.undo(UndoTarget(stream: place.stream, events: [place.seq], seen: nil)))
  }
}

/// Two texts for the notes of one post.
public struct TodoConflict: Equatable, Sendable {
  /// The decision about the two texts.
  public enum Choice: CaseIterable, Sendable {
    case mine
    case theirs
    /// Their notes, an empty line, then mine.
    case both

    fileprivate var value: Conflict.Choice {
      switch self {
      case .mine: .mine
      case .theirs: .theirs
      case .both: .both
      }
    }
  }

  let number: Int64
  public let post: TodoPost.ID
  /// The notes that were refused.
  public let mine: String
  /// The notes that the post has.
  public let theirs: String

  init(_ conflict: Conflict) {
    number = conflict.number
    post = TodoPost.ID(conflict.address.post)
    mine = conflict.mine.notes ?? ""
    theirs = conflict.theirs.notes
  }
}
