/// Why a command was not carried out; nothing has taken effect (P3). The wire's code, kind and
/// sentence for each are in one table in Wire.
package enum Refusal: Error, Equatable, Sendable {
  /// A field is not what it must be. `field` is its name in the request, `reason` says of it what is
  /// wrong ("must be 1 to 200"): Wire makes the sentence. `at`: of a text with something in it that is not taken, how
  /// many of its Unicode scalars, as it was sent, stand before that.
  case invalid(field: String, reason: String, at: Int? = nil)
  /// A text or a list is longer than `max`.
  case tooLarge(field: String, max: Int)
  case unauthenticated
  /// Known and visible, but not allowed; the reason without capital and full stop.
  case forbidden(String)
  /// Does not exist, or must look as if it did not; the noun ("category").
  case notFound(String)
  /// The post is at another version than `ifVersion`: this one, as it is now.
  case conflict(Post)
  /// What would go back was changed since: the member of the post (`due`, `steps`), which is like this now.
  case overlap(Post, field: String)
  /// Removed; only a restore brings it back. The noun ("post").
  case gone(String)
  /// A post whose time in the bin is over: nothing brings it back.
  case goneForGood
  /// The post is in another list now, which the caller may see.
  case moved(to: CategoryID)
  /// Somebody has this id or username already.
  case exists(field: String)
  /// The key was used with another command.
  case keyReused
  /// A quota is used up; `limit` names it.
  case quota(limit: String, max: Int)
  /// The copy that the command was made on is not one that the log leads to any more.
  case staleBase
  /// Of a batch, of which nothing has taken effect: the first command that would have been refused,
  /// counted from 0, and why.
  indirect case inBatch(index: Int, Refusal)
}
