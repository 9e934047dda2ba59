/// What the log says of a post and its deadline. Only the system says it (protocol §5.8), and no version of the
/// post comes of it: nobody has changed anything.
package enum OverdueMark: Equatable, Sendable {
  /// The deadline came while the post was open: said once for each post and deadline.
  case became(Timestamp)
  /// The due is back at a deadline of which that has been said before.
  case again(Timestamp)
  /// The due is another one now, or its list has another zone.
  case taken

  /// Of the post from then on.
  package var overdue: Timestamp? {
    switch self {
    case .became(let deadline), .again(let deadline): deadline
    case .taken: nil
    }
  }
}
