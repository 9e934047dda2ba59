/// An invitation for whoever brings its code, in the stream that it invites to, as long as it lets somebody
/// in. The code itself is in no object: it is derived from the id (Server/Doorkeeper/Codes).
package struct InvitationCode: Equatable, Sendable {
  package let id: InvitationID
  package let role: Role
  /// How many it lets in, and how many it has.
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
