/// An invitation for whoever brings its code. It is in the stream that it invites to, as long as it lets somebody in.
/// No object has the code itself: it is derived from the id (Server/Authentication/Codes).
package struct InvitationCode: Equatable, Sendable {
  package let id: InvitationID
  package let role: Role
  /// The number of people that the code lets in, and the number that it has let in.
  package let uses: Int
  package var used: Int
  package let made: Stamp
  package let endsAt: Timestamp

  package init(
    id: InvitationID, role: Role, uses: Int, used: Int = 0, made: Stamp, endsAt: Timestamp
  ) {
    self.id = id
    self.role = role
    self.uses = uses
    self.used = used
    self.made = made
    self.endsAt = endsAt
  }

  package func isOver(at now: Timestamp) -> Bool { now > endsAt || used >= uses }
}
