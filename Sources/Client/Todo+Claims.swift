import Domain
import Sync

// Claims ("I'm on it"): a post belongs to the account for a while, so that others take another one. It is free again
// when it is completed, removed or given back, and when the time is over. So a program that dies blocks nothing for the
// others.
extension Todo {
  /// Claims the post for so long, or for so long again when it is claimed by the account already. Refused as `conflict`
  /// when somebody else is on it, or when it is done.
  @discardableResult
  public func claim(
    _ post: TodoPost.ID, in list: TodoList, milliseconds: Int = Todo.claimMilliseconds
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .post(.change(list.category, post.id, .claim(milliseconds: Int64(milliseconds)))))
  }

  @discardableResult
  public func release(_ post: TodoPost.ID, in list: TodoList) throws(TodoError) -> TodoReceipt {
    try queue(.post(.change(list.category, post.id, .release)))
  }

  /// Claims the first post of the list that nobody is on and that is nobody else's work, and waits for the answer. Nil
  /// when there is none: then wait for a change of the list before asking again. Two that ask at once never get the
  /// same post. The question is kept nowhere: without a connection it is refused as `unconnected` or `timed_out`.
  public func claimNext(
    in list: TodoList, milliseconds: Int = Todo.claimMilliseconds
  ) throws(TodoError) -> TodoPost? {
    let asked = client.send(.post(.claimNext(list.category, milliseconds: Int64(milliseconds))))
    do throws(ClientError) {
      let number = try asked.wait(milliseconds: Todo.patienceMilliseconds).number
      return posts(in: list).first { $0.number == number }
    } catch {
      let refusal = TodoError(error)
      if refusal.kind == "not_found" { return nil }
      throw refusal
    }
  }

  /// The time of a claim unless another is given: an hour.
  public static let claimMilliseconds = Limits.claimMilliseconds
}
