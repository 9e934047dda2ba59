import Domain
import Sync
import Wire

/// A list.
public struct TodoList: Hashable, Sendable, Identifiable {
  let category: CategoryID
  public let name: String
  /// The numbers of posts that are not done and that are. Removed posts count in neither.
  public let openCount: Int
  public let doneCount: Int

  /// A UUID in lower case.
  public var id: String { category.description }

  init?(_ state: StreamState) {
    guard case .category(let category) = state.object(.category, state.stream.uuid),
      category.isActive
    else { return nil }
    self.category = category.id
    name = category.name
    openCount = category.counters.open
    doneCount = category.counters.done
  }
}

/// A post of a list.
public struct TodoPost: Equatable, Sendable, Identifiable {
  /// The id of a post, unique within its list.
  public struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
    let id: PostID
    init(_ id: PostID) { self.id = id }

    /// Reads a UUID in lower case. Nil for anything else.
    public init?(_ text: String) {
      guard let uuid = UUID(text) else { return nil }
      id = PostID(uuid)
    }

    public var description: String { id.description }
    public static func < (left: ID, right: ID) -> Bool { left.id < right.id }
  }

  public let id: ID
  /// The number by which people call it (#12), never used again. It may still change while the post is not confirmed.
  public let number: Int
  public let title: String
  /// The notes: several lines, parted by line feeds.
  public let notes: String
  public let priority: TodoPriority?
  public let due: TodoDue?
  /// The steps in their order. A post that is done has no open one.
  public let steps: [TodoStep]
  /// The ids of the list's tags (`Todo.tags`). An id that is none of these means nothing.
  public let tags: [TodoTag.ID]
  /// The recurrence. Nil for a post that does not come again.
  public let recurrence: TodoRecurrence?
  public let isDone: Bool
  /// Whether somebody has completed this occurrence and an admin has not confirmed it yet
  /// (`TodoRecurrence.isConfirmed`).
  public let isSubmitted: Bool
  /// Whether everybody completes it for themselves (`Todo.done`). It is done with the last of them.
  public let isForEach: Bool
  /// The role whose people have a part while the post is nobody's work. Nil when everybody has one, and for a post that
  /// is not for each.
  public let partRole: TodoPartRole?
  /// The run that goes on. Nil while no program is at work, and for a post that is done.
  public let run: TodoRun?
  /// The run that ended last. Nil when none has, and in a list to which the post was moved since.
  public let lastRun: TodoEndedRun?
  /// Whether the server has not confirmed all of this yet.
  public let isPending: Bool

  init?(_ object: Object, pending: Set<ObjectKey>) {
    guard case .post(let post) = object else { return nil }
    id = ID(post.id)
    number = post.number
    title = post.title
    notes = post.notes
    priority = post.priority.map { TodoPriority($0) }
    due = post.due.map { TodoDue($0) }
    steps = post.steps.map { TodoStep($0) }
    tags = post.tags.map(\.description)
    recurrence = post.repeats.map { TodoRecurrence($0) }
    isDone = post.completed != nil
    isSubmitted = post.submitted != nil
    isForEach = post.mode == .each
    partRole = post.modeRole.flatMap { TodoPartRole(rawValue: $0.word) }
    run = post.run.map { TodoRun($0) }
    lastRun = post.lastRun.map { TodoEndedRun($0) }
    isPending = pending.contains(object.key)
  }
}

/// A change that the server refused.
public struct TodoRefusal: Equatable, Sendable {
  let number: Int64
  public let reason: TodoError
  /// The post that the change was about, and the texts that it had.
  public let post: TodoPost.ID?
  public let title: String?
  public let notes: String?

  init(_ unsent: UnsentCommand) {
    number = unsent.queued.number
    reason = TodoError(.refused(unsent.reason))
    let command = unsent.refusedCommand
    post = command.post.map { TodoPost.ID($0.post) }
    switch command {
    case .post(.add(_, let new)): (title, notes) = (new.title, new.notes)
    case .post(.change(_, .edit(let edit), ifVersion: _)): (title, notes) = (edit.title, edit.notes)
    case .post(.importUpsert(_, let it)): (title, notes) = (it.fields.title, it.fields.notes)
    default: (title, notes) = (nil, nil)
    }
  }
}

extension UnsentCommand {
  /// The command that was refused. Among several that go together it is the one for which all were refused.
  fileprivate var refusedCommand: Command {
    guard case .batch(let commands) = queued.command, let index = reason.index,
      commands.indices.contains(index)
    else { return queued.command }
    return commands[index]
  }
}

/// The reason why something did not happen, or is not known to have happened.
public struct TodoError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind: a word of protocol §11 for an answer of the server, otherwise `timed_out`, `lost`, `signed_out`,
  /// `rejected`, `unconnected`, `queue_full`, `address`, `authorities`, `folder`, `machine`.
  public let kind: String
  /// A sentence for a person.
  public let description: String

  /// Makes an error. `sentence` replaces the usual words.
  init(_ error: ClientError, saying sentence: String? = nil) {
    description = sentence ?? error.description
    kind =
      switch error {
      case .refused(let refusal): refusal.kind?.rawValue ?? "refused"
      case .lost: "lost"
      case .ended(.signedOut): "signed_out"
      case .ended(.rejected(_)), .ended(.unreadable): "rejected"
      case .timedOut: "timed_out"
      case .unconnected: "unconnected"
      case .queueFull: "queue_full"
      case .authorities: "authorities"
      case .address: "address"
      case .machine: "machine"
      case .folder: "folder"
      }
  }
}
