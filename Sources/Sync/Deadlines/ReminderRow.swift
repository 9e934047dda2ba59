// When something may have to be told people of their posts, as a store finds it: one row for each person and post that
// has something to tell in the time to come, or of which the person has said something. A row is a hint, and the post, what
// the person has said and their settings are the truth: what finds a row judges anew (`World.alarms`). So a row may be
// early, and must never be late. Of a post that is done or removed the rows stay and go from moment to moment, told or
// not: whoever brings it back has to write none.
//
// Rows are written between commits, not with what changes them: a due that moves would write a row for everybody who
// wants to be told. What changes leaves one note (`ReminderCheck`), which is worked off in parts, before anything is told.
// A row whose moment has come and that is not told yet (after a downtime, or while the clock is not trusted) keeps it: what
// was told is known by its key.

package import Domain

/// A row that waits for its moment.
package struct ReminderRow: Hashable, Sendable {
  package let key: ReminderKey
  package let at: Timestamp

  package init(key: ReminderKey, at: Timestamp) {
    self.key = key
    self.at = at
  }
}

/// What becomes of a row.
package struct ReminderWrite: Equatable, Sendable {
  package let key: ReminderKey
  /// Nil: at no time.
  package let at: Timestamp?
  package let isKept: Bool
  /// Only where there is none: whoever writes it has not seen the row.
  package let isNew: Bool

  package init(key: ReminderKey, at: Timestamp?, isKept: Bool, isNew: Bool = false) {
    self.key = key
    self.at = at
    self.isKept = isKept
    self.isNew = isNew
  }
}
