import Domain
import Sync

// The places of posts in their list and in other lists, and the places of lists among the account's own.
extension Todo {
  /// Puts a list in front of another one; nil means behind all others. It counts only for the account, on all its
  /// devices.
  @discardableResult
  public func move(_ list: TodoList, before other: TodoList?) throws(TodoError) -> TodoReceipt {
    try queue(.category(.move(list.category, before: other?.category)))
  }

  /// Returns the open posts of a list in the order in which people put them.
  public func openPosts(in list: TodoList) -> [TodoPost] {
    look()
    let stream = StreamID.category(list.category)
    let pending = client.overlay.pending[stream] ?? []
    return row(of: list).compactMap { TodoPost(.post($0), pending: pending) }
  }

  /// Puts an open post in front of another one; nil means behind all others. Where there is no room between two, those
  /// around are moved as well, as one change. Returns nil when the post stands there already.
  @discardableResult
  public func move(
    _ post: TodoPost.ID, before other: TodoPost.ID?, in list: TodoList
  ) throws(TodoError) -> TodoReceipt? {
    look()
    let row = row(of: list)
    guard let moved = row.first(where: { $0.id == post.id }) else {
      return try queue(.movePost(list.category, post.id, after: nil, before: other?.id))
    }
    guard other != post else { return nil }
    let rest = row.filter { $0.id != post.id }
    let index = rest.firstIndex { $0.id == other?.id } ?? rest.count
    let moves = Placing.moves(
      of: [moved], to: index, in: rest, lastPost: category(list)?.lastPost ?? 0)
    let commands = moves.map {
      Command.movePost(list.category, $0.post.id, after: $0.upper, before: $0.lower)
    }
    guard let first = commands.first else { return nil }
    return try queue(commands.count == 1 ? first : .batch(commands))
  }

  /// Moves a post to another list, with its text and everything else that is there as well. It is gone here. The
  /// account must be an editor of both.
  @discardableResult
  public func move(
    _ post: TodoPost.ID, from list: TodoList, to other: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.movePost(list.category, post.id, to: other.category))
  }

  /// Adds a post like this one, open and nobody's work, in this list or another. Its id is the receipt's `post`.
  @discardableResult
  public func copy(
    _ post: TodoPost.ID, from list: TodoList, to other: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let id = PostID(Identifiers.make())
    let receipt = try queue(
      .post(.change(list.category, post.id, .copy(as: id, to: other.category))))
    return receipt.about(TodoPost.ID(id))
  }

  private func row(of list: TodoList) -> [Post] {
    (client.view[.category(list.category)]?.objects.values).map { objects in
      objects.compactMap { object -> Post? in
        guard case .post(let post) = object, post.completed == nil else { return nil }
        return post
      }.sorted { $0.stands(before: $1) }
    } ?? []
  }

  private func category(_ list: TodoList) -> Category? {
    let state = client.view[.category(list.category)]
    if case .category(let category) = state?.object(.category, list.category.uuid) {
      return category
    }
    return nil
  }
}
