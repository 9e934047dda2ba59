/// An action that makes posts, completes them, or changes where they are and who is on them.
enum PostAction: Equatable {
  /// Adds a post from a plain line, with the fields that its words name.
  case quickAdd(String)
  /// Adds the last such post again, without the fields that were made of these words, or of any words.
  case plain([String])
  /// Adds a post with exactly this title.
  case add(Reference?, title: String)
  case addStep(Reference?, Int, String)
  case complete(Reference?, [PostNumber])
  /// Completes posts for everybody, also those that each person completes for themselves.
  case completeForAll(Reference?, [PostNumber])
  case reopen(Reference?, [PostNumber])
  /// Leaves out this time of posts that come again.
  case skip(Reference?, [Int])
  /// Claims posts for a number of minutes; nil leaves the length to the server. A step has no length.
  case claim(Reference?, [PostNumber], minutes: Int?)
  case claimNext(Reference?, minutes: Int?)
  case release(Reference?, [PostNumber])
  /// Joins races.
  case join(Reference?, [Int])
  /// Withdraws from races.
  case withdraw(Reference?, [Int])
  /// Says how far one is in a race or a coop.
  case reach(Reference?, Int, Int64, isCorrection: Bool)
  /// Gives a sign to what was completed of a post; nil takes one's own back.
  case react(Reference?, Int, String?)
  /// Moves posts among the open ones, or a step among the steps of its post.
  case move(Reference?, [PostNumber], MoveTarget)
  /// Copies posts into the same list, or into another one.
  case copy(Reference?, [Int], to: Reference?)
  case remove(Reference?, [PostNumber])
  case restore(Reference?, [Int])
  /// Purges posts from the bin at once.
  case purge(Reference?, [Int])
}

/// The place to which something moves among others of its kind.
enum MoveTarget: Equatable {
  case top
  case bottom
  case before(PostNumber)
  /// Moves posts to another list; steps cannot go there.
  case list(Reference)
}
