// What a person says once for all their lists. What they have not said is as it was before anybody could say it, and
// is left out where it is kept; a new member therefore needs no new kind of object.

/// A reminder of posts that is told by itself (protocol §5.10).
package enum ReminderKind: String, CaseIterable, Sendable {
  /// So long before the due as the person or their settings say, or at a time that the person chose.
  case reminder
  /// The time has come for which it was planned.
  case planned
  /// The snooze is over.
  case snoozed
  /// The due is near.
  case dueSoon = "due_soon"
  case overdue

  /// Whether settings can mute it: what somebody asked for a post is told.
  package var canBeMuted: Bool {
    switch self {
    case .planned, .dueSoon, .overdue: true
    case .reminder, .snoozed: false
    }
  }
}

/// The due that a client gives a post when nothing is said.
package enum DefaultDue: String, CaseIterable, Sendable {
  case none
  case today
}

/// The object `settings` of a `u:`. Nil is what everybody begins with.
package struct PersonalSettings: Equatable, Sendable {
  package let user: UserID
  /// Minutes before a due, of posts that are one's matter; ascending, each once.
  package var reminders: [Int]?
  package var dueSoonHours: Int?
  package var defaultDue: DefaultDue?
  /// In the order of their cases, each once.
  package var muted: [ReminderKind]?
  /// When, by the clock of their zone, they are told of each day; none unless they say so.
  package var digest: ClockTime?

  package init(user: UserID) { self.user = user }

  /// One day before (seed 004).
  package static let remindersOfAll = [24 * 60]
  /// The reminder of a day before says it already.
  package static let mutedOfAll = [ReminderKind.dueSoon]

  package var reminderMinutes: [Int] { reminders ?? PersonalSettings.remindersOfAll }
  package var soonHours: Int { dueSoonHours ?? PostStatus.soonHoursDefault }
  package var dueOfNew: DefaultDue { defaultDue ?? .none }
  package func mutes(_ kind: ReminderKind) -> Bool {
    (muted ?? PersonalSettings.mutedOfAll).contains(kind)
  }

  package mutating func apply(_ edit: SettingsEdit) {
    edit.reminders.apply(to: &reminders)
    edit.dueSoonHours.apply(to: &dueSoonHours)
    edit.defaultDue.apply(to: &defaultDue)
    edit.muted.apply(to: &muted)
    edit.digest.apply(to: &digest)
  }
}

/// The settings that an edit sets; cleared is as for everybody.
package struct SettingsEdit: Equatable, Sendable {
  package var reminders = FieldChange<[Int]>.keep
  package var dueSoonHours = FieldChange<Int>.keep
  package var defaultDue = FieldChange<DefaultDue>.keep
  package var muted = FieldChange<[ReminderKind]>.keep
  package var digest = FieldChange<ClockTime>.keep

  package init() {}

  /// The edit that makes the one of the other.
  package init(from old: PersonalSettings, to new: PersonalSettings) {
    reminders = FieldChange(from: old.reminders, to: new.reminders)
    dueSoonHours = FieldChange(from: old.dueSoonHours, to: new.dueSoonHours)
    defaultDue = FieldChange(from: old.defaultDue, to: new.defaultDue)
    muted = FieldChange(from: old.muted, to: new.muted)
    digest = FieldChange(from: old.digest, to: new.digest)
  }
}
