import Domain

// Posts that everybody completes for themselves: the people whose work it is, or else everybody in the list. `complete`
// and `reopen` are then about the account's own part, and the post is done with the last part.
extension Todo {
  @discardableResult
  public func setForEach(
    _ isForEach: Bool, _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .editPost(
        list.category, post.id, PostEdit(mode: isForEach ? .set(.each) : .clear), ifVersion: nil))
  }

  /// Completes the post for everybody, also for those who have not completed their part. For a post that comes again it
  /// completes the occurrence that the copy has now. Only editors and higher roles may do that.
  @discardableResult
  public func completeForAll(
    _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    guard let seen = seen(post, in: list) else {
      return try queue(.post(.change(list.category, post.id, .completeForAll)))
    }
    return try queue(.complete(seen, in: list.category, isForAll: true))
  }

  /// Returns the people who have completed their part, by username.
  public func done(_ post: TodoPost.ID, in list: TodoList) -> [TodoPerson] {
    look()
    guard let parts = seen(post, in: list)?.parts else { return [] }
    let state = client.view[.category(list.category)]
    return parts.compactMap { part in
      guard case .member(let member) = state?.object(.member, part.user.uuid), member.holds(part)
      else { return nil }
      return TodoPerson(member)
    }.sorted { ($0.username, $0.id) < ($1.username, $1.id) }
  }
}
