/// A change of what the log says of a post and its deadline. Only the system writes it (protocol §5.8). It makes no
/// version of the post, because nobody has changed anything.
package enum OverdueMark: Equatable, Sendable {
  /// The deadline came while the post was open. It is said once for each post and deadline.
  case became(Timestamp)
  /// The due is back at a deadline that was said to have come before.
  case again(Timestamp)
  /// The post is not overdue any more: its due is another one now, or its list has another zone.
  case taken

  /// The deadline that the post is overdue by from then on. Nil when it is not overdue.
  package var overdue: Timestamp? {
    switch self {
    case .became(let deadline), .again(let deadline): deadline
    case .taken: nil
    }
  }
}
