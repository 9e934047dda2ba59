// A link lets whoever brings its code look at one category and do nothing else (protocol §8 `link.make`). The code is
// derived from the id (Server/Authentication/Codes), so no object has it.
//
// A viewer by a link is no user, but has the id `guest`, as if they were a user who may read this one stream. So all
// rules for members' connections hold for theirs (what is sent, in which order, that nothing comes after the end). The
// server makes that id up, in a form that no user's id may have, and no two links have the same. A client that could
// choose it could give a link's holder the access of another link, or take a member's.

/// The id of a link, made by the client. It is unique within its category.
package struct LinkID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: LinkID, right: LinkID) -> Bool { left.uuid < right.uuid }
}

/// A link in the category that it shows. It is there until it is ended; from `endsAt` on it shows nothing.
package struct GuestLink: Equatable, Sendable {
  package let id: LinkID
  /// The id that stands for everybody who looks by the link.
  package let guest: UserID
  package let made: Stamp
  package let endsAt: Timestamp
  /// The event that made the link. Earlier events reach its viewers only through a snapshot.
  package let seq: Int64

  package init(id: LinkID, guest: UserID, made: Stamp, endsAt: Timestamp, seq: Int64) {
    self.seq = seq
    self.id = id
    self.guest = guest
    self.made = made
    self.endsAt = endsAt
  }

  package func isOver(at now: Timestamp) -> Bool { now >= endsAt }

  /// The sentence that is shown to a person who makes a link.
  package static let shows =
    "Whoever has this link sees what a viewer sees, until it ends: the list's name, all its posts with titles, notes, steps, dates and places, everything that happens to them, and the names and usernames of its members and of who is invited. Nobody changes anything by it."
}

extension UUID {
  /// The id of the viewers by the link with this UUID. No UUID of RFC 9562 looks like it (its variant bits are others),
  /// and no user is registered with one that does.
  package var asLinkGuest: UUID { UUID(high: high, low: low | 0xFFFF_FFFF_0000_0000) }
  package var isLinkGuest: Bool { low >> 32 == 0xFFFF_FFFF }
}
