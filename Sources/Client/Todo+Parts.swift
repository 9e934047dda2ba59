import Domain

/// The role for which a post is that people complete for themselves.
public enum TodoPartRole: String, CaseIterable, Sendable {
  case doer, editor, admin, owner

  var role: Role {
    switch self {
    case .doer: .doer
    case .editor: .editor
    case .admin: .admin
    case .owner: .owner
    }
  }
}

// Posts that everybody completes for themselves: the people whose work it is, or else everybody in the list, or
// everybody with one role. `complete` and `reopen` are then about the account's own part, and the post is done with the
// last part.
extension Todo {
  /// Says whether everybody completes the post for themselves, and of which role people have a part while the post is
  /// nobody's work. Without a role everybody who may complete has one. The role counts only if `isForEach` is true.
  @discardableResult
  public func setForEach(
    _ isForEach: Bool, of role: TodoPartRole? = nil, _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let change = role.map { FieldChange.set($0.role) } ?? .clear
    let edit =
      isForEach ? PostEdit(mode: .set(.each), modeRole: change) : PostEdit(mode: .clear)
    return try queue(.editPost(list.category, post.id, edit, ifVersion: nil))
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
