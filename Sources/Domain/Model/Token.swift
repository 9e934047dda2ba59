// A token lets a program act as a bot (protocol §5.12). The bot's owner makes it. A token is a session that was opened
// without a password and that has limits.

/// The limits of a token. A bot's role counts besides: a token never allows more than the bot may do.
package struct Token: Hashable, Sendable {
  package let id: TokenID
  /// The categories that the token is for. Nil when it is for all that the bot is in.
  package let lists: Set<CategoryID>?
  /// The methods that the token allows. Nil when it allows all that tokens may call.
  package let methods: Set<Method>?
  /// The moment from which the token is good for nothing.
  package let endsAt: Timestamp

  package init(
    id: TokenID, lists: Set<CategoryID>? = nil, methods: Set<Method>? = nil, endsAt: Timestamp
  ) {
    self.id = id
    self.lists = lists
    self.methods = methods
    self.endsAt = endsAt
  }

  package func isOver(at now: Timestamp) -> Bool { now >= endsAt }

  /// Answers whether the token shows the stream, or lets anything be written into it.
  package func isFor(_ stream: StreamID) -> Bool {
    guard let lists else { return true }
    return stream.category.map(lists.contains) ?? false
  }
}
