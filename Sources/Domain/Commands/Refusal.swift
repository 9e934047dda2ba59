/// The reason why a command was not carried out. Nothing has taken effect (P3). One table in Wire gives the code, the
/// kind and the sentence of each.
package enum Refusal: Error, Equatable, Sendable {
  /// A field is not as it must be. `field` is its name in the request, and `reason` says what is wrong ("must be 1 to
  /// 200"); Wire makes the sentence. `at` is set for a text with something in it that is not accepted: the number of
  /// Unicode scalars in front of that, in the text as it was sent.
  case invalid(field: String, reason: String, at: Int? = nil)
  /// A text or a list is longer than `max`.
  case tooLarge(field: String, max: Int)
  case unauthenticated
  /// The thing is known and visible, but the action is not allowed. The reason has no capital and no full stop.
  case forbidden(String)
  /// The thing does not exist, or must look as if it did not. Holds the noun ("category").
  case notFound(String)
  /// The post is at another version than `ifVersion`. Holds the post as it is now.
  case conflict(Post)
  /// The run or the contest of the post is not as the command needs it. Holds the post as it is now, and a sentence.
  case postConflict(Post, String)
  /// A field that an undo would set back was changed since. Holds the post as it is now and the name of the field
  /// (`due`, `steps`).
  case overlap(Post, field: String)
  /// The thing is removed, and only a restore brings it back. Holds the noun ("post").
  case gone(String)
  /// The post's time in the bin is over: nothing brings it back.
  case goneForGood
  /// The post is in another list now, which the caller may see.
  case moved(to: CategoryID)
  /// Somebody has this id or username already, or the person whom the field names is there already.
  case exists(field: String, Existence = .taken)
  /// The key was used with another command.
  case keyReused
  /// A quota is used up; `limit` names it.
  case quota(limit: String, max: Int)
  /// The copy that the command was made on is not one that the log leads to any more.
  case staleBase
  /// A command of a batch would have been refused, so nothing of the batch has taken effect. Holds the number of the
  /// first such command, counted from 0, and the reason.
  indirect case inBatch(index: Int, Refusal)
}

extension Refusal {
  /// The reason why there cannot be a second one.
  package enum Existence: Sendable {
    case taken
    /// The person is a member already.
    case member
    /// The person has an invitation already, and has not answered it.
    case invited
  }
}
