import Domain

/// Somebody of whom one hears no invitation any more.
public struct TodoBlock: Hashable, Sendable, Identifiable {
  let user: UserID
  public let username: String

  /// The user's, a UUID in lower case.
  public var id: String { user.description }

  init(_ block: Block) {
    user = block.user
    username = block.username
  }
}

// Whom one does not want to be asked by. They are told nothing.
extension Todo {
  /// Whom one has blocked, by username.
  public var blocks: [TodoBlock] {
    look()
    guard let user = client.user else { return [] }
    return (client.view[.user(user)]?.objects.values).map { objects in
      objects.compactMap { object in
        if case .block(let block) = object { TodoBlock(block) } else { nil }
      }.sorted { ($0.username, $0.id) < ($1.username, $1.id) }
    } ?? []
  }

  /// From now on no invitation of theirs comes; waiting ones are gone. The receipt throws `not_found` for nobody,
  /// `invalid` for oneself, `quota`.
  @discardableResult
  public func block(_ username: String) throws(TodoError) -> TodoReceipt {
    try queue(.blockPerson(username: username))
  }

  /// What was held back meanwhile stays so.
  @discardableResult
  public func unblock(_ block: TodoBlock) throws(TodoError) -> TodoReceipt {
    try queue(.unblockPerson(block.user))
  }
}
