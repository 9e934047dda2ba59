// When something may have to be told to people about their posts, as a store finds it. There is one row for each person
// and post that has something to tell in the future, or of which the person has said something. A row is a hint. The
// truth is the post, what the person has said, and their settings: whoever finds a row decides by these
// (`World.alarms`). So a row may be early, and must never be late. The rows of a completed or removed post stay and
// move from moment to moment, told or not, so that nobody has to write rows when the post comes back.
//
// Rows are written between commits, not with the changes that move them: a due that moves would write a row for
// everybody who wants to be told. A change leaves one note (`ReminderCheck`), which is worked off in parts, before
// anything is told. A row whose moment has come and that is not told yet (after a downtime, or while the clock is not
// trusted) keeps its moment. The key of a row tells what was told.

// A digest has a row of the same kind, which is about no post. It waits with the others, is checked again when the
// person's settings or zone change, and its key tells that it was told (`DigestTimes`).

package import Domain

/// The subject of a row; there is one row for each.
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

  /// The person and the post of the row; nil for a digest.
  package var post: ReminderKey? {
    if case .post(let it) = self { it } else { nil }
  }

  /// The stream of the list that the post is in; for a digest the person's own stream.
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

/// The row as it must be now.
package struct ReminderWrite: Equatable, Sendable {
  package let key: WaitingKey
  /// The moment of the row; nil when it has none.
  package let at: Timestamp?
  package let isKept: Bool
  /// Whether it is written only where there is no row yet, because its writer has not seen one.
  package let isNew: Bool

  package init(key: WaitingKey, at: Timestamp?, isKept: Bool, isNew: Bool = false) {
    self.key = key
    self.at = at
    self.isKept = isKept
    self.isNew = isNew
  }
}
