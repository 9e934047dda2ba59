import Domain
import Text

/// A part of a post, which is ticked by itself.
public struct TodoStep: Equatable, Sendable, Identifiable {
  /// The id of a step, unique within its post.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let id: StepID

    /// Reads a UUID in lower case. Nil for anything else.
    public init?(_ text: String) {
      guard let uuid = UUID(text) else { return nil }
      id = StepID(uuid)
    }

    init(_ id: StepID) { self.id = id }
    public var description: String { id.description }
  }

  public let id: ID
  public let text: String
  public let isDone: Bool

  init(_ step: Step) {
    id = ID(step.id)
    text = step.content
    isDone = step.finished != nil
  }
}

// The steps of a post. When the last open one is completed, the post is done. Adding a step to a post that is done, or
// opening one again, opens the post.
extension Todo {
  /// Adds a step behind the others. Returns its id and the receipt, which throws `quota` when there are too many.
  @discardableResult
  public func addStep(
    _ text: String, to post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> (step: TodoStep.ID, receipt: TodoReceipt) {
    let id = StepID(Identifiers.make())
    return (
      TodoStep.ID(id), try change(id, .add(content: Text.cleaned(line: text)), of: post, in: list)
    )
  }

  /// Sets another text. The last one who sets it wins.
  @discardableResult
  public func rename(
    _ step: TodoStep.ID, to text: String, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try change(step.id, .edit(content: Text.cleaned(line: text)), of: post, in: list)
  }

  /// Completes a step. For a post that comes again it is a step of the occurrence that the copy has now; see `complete`
  /// of a post.
  @discardableResult
  public func complete(
    _ step: TodoStep.ID, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    guard let seen = seen(post, in: list) else {
      return try change(step.id, .complete, of: post, in: list)
    }
    return try queue(.complete(seen, in: list.category, step: step.id))
  }

  @discardableResult
  public func reopen(
    _ step: TodoStep.ID, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try change(step.id, .reopen, of: post, in: list)
  }

  /// Removes a step. It completes nothing, also when no open step is left.
  @discardableResult
  public func remove(
    _ step: TodoStep.ID, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try change(step.id, .remove, of: post, in: list)
  }

  /// Puts a step in front of another one; nil means behind all others.
  @discardableResult
  public func move(
    _ step: TodoStep.ID, before other: TodoStep.ID?, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try change(step.id, .move(before: other?.id), of: post, in: list)
  }

  private func change(
    _ step: StepID, _ change: StepChange, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.changeStep(list.category, post.id, step, change))
  }

  /// Returns the post as it shows now.
  func seen(_ post: TodoPost.ID, in list: TodoList) -> Post? {
    guard case .post(let seen) = client.view[.category(list.category)]?.object(.post, post.id.uuid)
    else { return nil }
    return seen
  }
}
