import Domain

// Posts that everybody completes for themselves: those whose work it is, or else everybody in the list. `complete` and
// `reopen` are about one's own part then; the post is done with the last one.
extension Todo {
  @discardableResult
  public func setForEach(
    _ isForEach: Bool, _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .editPost(
        list.category, post.id, PostEdit(mode: isForEach ? .set(.each) : .clear), ifVersion: nil))
  }

  /// Completes it for everybody, whoever has not completed their part; of one that comes again, the occurrence that the
  /// copy has now. Editors and who may more do that.
  @discardableResult
  public func completeForAll(
    _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    guard let seen = seen(post, in: list) else {
      return try queue(.changePost(list.category, post.id, .completeForAll))
    }
    return try queue(.complete(seen, in: list.category, isForAll: true))
  }

  /// Who has completed their part, by username.
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
