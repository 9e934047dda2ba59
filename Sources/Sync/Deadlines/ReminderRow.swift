// When something may have to be told people of their posts, as a store finds it: one row for each person and post that
// has something to tell in the time to come, or of which the person has said something. A row is a hint, and the
// post, what the person has said and their settings are the truth: what finds a row judges anew (`World.alarms`). So
// a row may be early, and must never be late. Of a post that is done or removed the rows stay and go from moment to
// moment, told or not: whoever brings it back has to write none.
//
// Rows are written between commits, not with what changes them: a due that moves would write a row for everybody who
// wants to be told. What changes leaves one note (`ReminderCheck`), which is worked off in parts, before anything is
// told. A row whose moment has come and that is not told yet (after a downtime, or while the clock is not trusted)
// keeps it: what was told is known by its key.

//
// A digest has a row of the same kind, which is about no post: it waits with the others, is looked at again when the
// person's settings or zone are others, and is known to be told by its key (`DigestTimes`).

package import Domain

/// What a row is about; there is one for each.
package enum WaitingKey: Hashable, Sendable {
  case post(ReminderKey)
  case digest(of: UserID)
}

extension WaitingKey {
  package var person: UserID {
    switch self {
    case .post(let it): it.person
    case .digest(let person): person
    }
  }

  /// Nil of a digest.
  package var post: ReminderKey? {
    if case .post(let it) = self { it } else { nil }
  }

  /// The list that the post is in; of a digest the person's own stream.
  package var place: StreamID {
    switch self {
    case .post(let it): it.post.stream
    case .digest(let person): .user(person)
    }
  }
}

extension WaitingKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .post(let it): "\(it.person) of post \(it.post.post) of \(it.post.category)"
    case .digest(let person): "\(person) of a day"
    }
  }
}

/// A row that waits for its moment.
package struct ReminderRow: Hashable, Sendable {
  package let key: WaitingKey
  package let at: Timestamp

  package init(key: WaitingKey, at: Timestamp) {
    self.key = key
    self.at = at
  }
}

/// What becomes of a row.
package struct ReminderWrite: Equatable, Sendable {
  package let key: WaitingKey
  /// Nil: at no time.
  package let at: Timestamp?
  package let isKept: Bool
  /// Only where there is none: whoever writes it has not seen the row.
  package let isNew: Bool

  package init(key: WaitingKey, at: Timestamp?, isKept: Bool, isNew: Bool = false) {
    self.key = key
    self.at = at
    self.isKept = isKept
    self.isNew = isNew
  }
}
