import Domain
import Sync
import Wire

// What a person decides afterwards: which of two texts stays, and what is taken back.
extension Todo {
  /// Notes that others changed while one's own were on their way, oldest first; both stay until `resolve`. They are
  /// among `refused`, too.
  public var conflicts: [TodoConflict] {
    look()
    return client.conflicts.map { TodoConflict($0) }
  }

  /// Decides a conflict. Should the post have changed again meanwhile, there is another one. Nothing when it is decided
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

  /// Takes back what a change of one's own did, as far as nothing else has changed it since; the receipt's outcome
  /// can be taken back in turn. Nil when the change had changed nothing. The receipt throws `forbidden` for what is
  /// never taken back: members, invitations, the beginning of a list (protocol §8.41).
  @discardableResult
  public func undo(_ outcome: TodoReceipt.Outcome) throws(TodoError) -> TodoReceipt? {
    guard let place = outcome.place else { return nil }
    return try queue(.undo(UndoTarget(stream: place.stream, events: [place.seq], seen: nil)))
  }
}

/// Two texts for the notes of one post.
public struct TodoConflict: Equatable, Sendable {
  /// What becomes of the post.
  public enum Choice: CaseIterable, Sendable {
    case mine
    case theirs
    /// Theirs, an empty line, mine.
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
