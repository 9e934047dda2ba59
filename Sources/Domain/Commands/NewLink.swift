/// The wish for a new link.
package struct NewLink: Equatable, Sendable {
  /// The number of days that the link lasts: 1 … `Limits.linkDaysMax`.
  package let days: Int
  /// The guest of the link, made by the server before the command is decided. Nil on a client, where the link lets
  /// nobody in.
  package var guest: UserID?

  package init(days: Int, guest: UserID? = nil) {
    self.days = days
    self.guest = guest
  }
}
