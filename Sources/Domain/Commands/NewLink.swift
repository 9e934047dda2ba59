/// What a link is to be.
package struct NewLink: Equatable, Sendable {
  /// 1 … `Limits.linkDaysMax`.
  package let days: Int
  /// Made by the server before the command is decided; nil on a client, where it lets nobody in.
  package var guest: UserID?

  package init(days: Int, guest: UserID? = nil) {
    self.days = days
    self.guest = guest
  }
}
