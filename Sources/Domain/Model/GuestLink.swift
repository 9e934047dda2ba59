// A link: whoever brings its code looks at one category and does nothing else (protocol §8 `link.make`). The code is
// derived from the id (Server/Doorkeeper/Codes), so no object has it.
//
// Who looks by a link is no user, but is known by the id `guest`, as if it were one who may read this one stream: so
// all that holds for members' connections holds for these (what is sent, in which order, that nothing comes after the
// end). The server makes that id up, in a form that no user's may have, and no two links have the same; a client that
// could choose it could give a link's holder another's access, or take a member's.

/// Identifies a link within its category. Made by the client.
package struct LinkID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: LinkID, right: LinkID) -> Bool { left.uuid < right.uuid }
}

/// In the category that it shows, until it is ended; from `endsAt` on it shows nothing.
package struct GuestLink: Equatable, Sendable {
  package let id: LinkID
  /// Stands for whoever looks by it.
  package let guest: UserID
  package let made: Stamp
  package let endsAt: Timestamp
  /// The event that made it: nothing before it is told but by a snapshot.
  package let seq: Int64

  package init(id: LinkID, guest: UserID, made: Stamp, endsAt: Timestamp, seq: Int64) {
    self.seq = seq
    self.id = id
    self.guest = guest
    self.made = made
    self.endsAt = endsAt
  }

  package func isOver(at now: Timestamp) -> Bool { now >= endsAt }

  /// What is told to whoever makes one.
  package static let shows =
    "Whoever has this link sees what a viewer sees, until it ends: the list's name, all its posts with titles, notes, steps, dates and places, everything that happens to them, and the names and usernames of its members and of who is invited. Nobody changes anything by it."
}

extension UUID {
  /// A name for those who look by a link. No UUID of RFC 9562 looks like it (its variant bits are others), and no user
  /// is registered with one that does.
  package var asLinkGuest: UUID { UUID(high: high, low: low | 0xFFFF_FFFF_0000_0000) }
  package var isLinkGuest: Bool { low >> 32 == 0xFFFF_FFFF }
}
