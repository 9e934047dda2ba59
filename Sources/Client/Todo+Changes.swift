import Domain
import Sync
import Text
import Wire

// Changes. Each call returns at once. The receipt's `wait` gives the result, and need not be called.
extension Todo {
  /// Adds a list of the account's own.
  @discardableResult
  public func addList(_ name: String) throws(TodoError) -> TodoReceipt {
    try queue(
      .category(.add(CategoryID(Identifiers.make()), name: Text.cleaned(line: name), group: nil)))
  }

  /// Adds a post. Its id is the receipt's `post`; its number comes with the result.
  @discardableResult
  public func add(
    _ title: String, notes: String = "", to list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let id = PostID(Identifiers.make())
    return try queue(
      .post(
        .add(
          list.category, id, title: Text.cleaned(line: title), notes: Text.cleaned(notes: notes))))
  }

  /// Sets another title. The last one who sets it wins.
  @discardableResult
  public func rename(
    _ post: TodoPost.ID, to title: String, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .editPost(
        list.category, post.id, PostEdit(title: Text.cleaned(line: title)), ifVersion: nil))
  }

  /// Sets other notes, in place of those that the copy has now. When somebody else has written others meanwhile, this
  /// is refused as `conflict`: theirs stay, and these are in `refused`.
  @discardableResult
  public func setNotes(
    _ notes: String, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .editPost(
        list.category, post.id, PostEdit(notes: Text.cleaned(notes: notes)), ifVersion: nil))
  }

  /// Completes a post. For a post that comes again it completes the occurrence that the copy has now. When somebody
  /// else completes that at the same time, this is refused as `conflict`, and the next one stays open.
  @discardableResult
  public func complete(
    _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let state = client.view[.category(list.category)]
    guard case .post(let seen) = state?.object(.post, post.id.uuid) else {
      return try queue(.completePost(list.category, post.id, ifVersion: nil))
    }
    return try queue(.complete(seen, in: list.category))
  }

  @discardableResult
  public func reopen(
    _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.reopenPost(list.category, post.id, ifVersion: nil))
  }

  /// Takes a post out of the list. A person can bring it back.
  @discardableResult
  public func remove(
    _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.removePost(list.category, post.id, ifVersion: nil))
  }

  /// Sends a refused change once more. For a conflict these notes replace the others'.
  public func again(_ refusal: TodoRefusal) throws(TodoError) {
    do throws(ClientError) { try client.retry(refusal.number) } catch { throw TodoError(error) }
  }

  /// Throws a refused change away, with its text.
  public func discard(_ refusal: TodoRefusal) throws(TodoError) {
    do throws(ClientError) { try client.discard(refusal.number) } catch { throw TodoError(error) }
  }

  /// Queues a command. Throws `too_large` or `invalid` for one that no server would take, `queue_full`, and `folder`
  /// when it cannot be kept.
  func queue(_ command: Command) throws(TodoError) -> TodoReceipt {
    do throws(ClientError) {
      return TodoReceipt(
        handle: try client.queued(command), post: command.post.map { TodoPost.ID($0.post) })
    } catch {
      throw TodoError(error)
    }
  }
}

/// A change on its way.
public final class TodoReceipt {
  /// The post that it makes or changes. Nil when it is about a list.
  public let post: TodoPost.ID?
  private let handle: Handle<CommandResult>

  init(handle: Handle<CommandResult>, post: TodoPost.ID?) {
    self.handle = handle
    self.post = post
  }

  /// Returns the same change, said to be about another post.
  func about(_ post: TodoPost.ID) -> TodoReceipt { TodoReceipt(handle: handle, post: post) }

  /// The outcome of a change.
  public struct Outcome: Equatable, Sendable {
    /// Whether anything changed. False when everything was so already.
    public let changed: Bool
    /// The number of a post in its list, by which people call it. Nil when the answer names none.
    public let number: Int?
    /// The outcomes of the commands of a batch.
    let parts: [CommandPart]
    /// An event that the change wrote where others may see it. Nil when there is none.
    let place: StreamPosition?

    init(_ result: CommandResult) {
      changed = result.changed
      number = result.number
      parts = result.parts
      place = result.events.first {
        if case .user = $0.stream { false } else { true }
      }
    }
  }

  /// Waits for the answer; then the copies contain the change. Throws the refusal, which then is not in `refused`.
  /// `timed_out` leaves the change on its way: wait again, or not.
  @discardableResult
  public func wait(
    milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> Outcome {
    do throws(ClientError) {
      return Outcome(try handle.wait(milliseconds: milliseconds))
    } catch {
      if case .refused = error { handle.discardQueued() }
      throw TodoError(error)
    }
  }
}
