import Domain

/// A person whose invitations the account does not hear any more.
public struct TodoBlock: Hashable, Sendable, Identifiable {
  let user: UserID
  public let username: String

  /// The user's id, a UUID in lower case.
  public var id: String { user.description }

  init(_ block: Block) {
    user = block.user
    username = block.username
  }
}

// People by whom the account does not want to be asked. They are told nothing.
extension Todo {
  /// The people whom the account has blocked, by username.
  public var blocks: [TodoBlock] {
    look()
    guard let user = client.user else { return [] }
    return (client.view[.user(user)]?.objects.values).map { objects in
      objects.compactMap { object in
        if case .block(let block) = object { TodoBlock(block) } else { nil }
      }.sorted { ($0.username, $0.id) < ($1.username, $1.id) }
    } ?? []
  }

  /// Blocks a person: no invitation of theirs comes from now on, and waiting ones are gone. The receipt throws
  /// `not_found` for nobody, `invalid` for oneself, and `quota`.
  @discardableResult
  public func block(_ username: String) throws(TodoError) -> TodoReceipt {
    try queue(.person(.block(username: username)))
  }

  /// Unblocks a person. Invitations that were held back meanwhile stay so.
  @discardableResult
  public func unblock(_ block: TodoBlock) throws(TodoError) -> TodoReceipt {
    try queue(.person(.unblock(block.user)))
  }
}
