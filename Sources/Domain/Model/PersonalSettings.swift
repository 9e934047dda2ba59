// The settings are what a person says once for all their lists. A setting that they have not made is left out where
// settings are kept, and then everything is as it was before there was such a setting. So a new setting needs no new
// kind of object.

/// A kind of reminder that is told by itself (protocol §5.10).
package enum ReminderKind: String, CaseIterable, Sendable {
  /// Told before the due, as long before as the person or their settings say, or at a time that the person chose.
  case reminder
  /// The time for which the post was planned has come.
  case planned
  /// The snooze is over.
  case snoozed
  /// The due is near.
  case dueSoon = "due_soon"
  case overdue

  /// Whether settings can mute it. A reminder that somebody asked for on a post is always told.
  package var canBeMuted: Bool {
    switch self {
    case .planned, .dueSoon, .overdue: true
    case .reminder, .snoozed: false
    }
  }
}

/// The due that a client gives a new post when nothing is said.
package enum DefaultDue: String, CaseIterable, Sendable {
  case none
  case today
}

/// The object `settings` of a `u:`. A field that is nil has the value that everybody begins with.
package struct PersonalSettings: Equatable, Sendable {
  package let user: UserID
  /// The minutes before a due at which a person is reminded of posts that concern them, ascending, each once.
  package var reminders: [Int]?
  package var dueSoonHours: Int?
  package var defaultDue: DefaultDue?
  /// The muted kinds in the order of their cases, each once.
  package var muted: [ReminderKind]?
  /// The time, by the clock of their zone, at which they are told of each day. Nil: they are not told.
  package var digest: ClockTime?
  /// The chosen levels, in the order of what they are about, at most `Limits.levelsMax`.
  package var levels: [LevelChoice] = []

  package init(user: UserID) { self.user = user }

  /// The default reminders, in minutes: one day before (seed 004).
  package static let remindersOfAll = [24 * 60]
  /// The kinds that are muted by default. The reminder of the day before says the same.
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
    for change in edit.levels { levels.apply(change) }
  }
}

/// The settings that an edit sets. A cleared one is again as for everybody.
package struct SettingsEdit: Equatable, Sendable {
  package var reminders = FieldChange<[Int]>.keep
  package var dueSoonHours = FieldChange<Int>.keep
  package var defaultDue = FieldChange<DefaultDue>.keep
  package var muted = FieldChange<[ReminderKind]>.keep
  package var digest = FieldChange<ClockTime>.keep
  /// The changed levels, each about something else.
  package var levels: [LevelChange] = []

  package init() {}

  /// Makes the edit that turns the one into the other.
  package init(from old: PersonalSettings, to new: PersonalSettings) {
    reminders = FieldChange(from: old.reminders, to: new.reminders)
    dueSoonHours = FieldChange(from: old.dueSoonHours, to: new.dueSoonHours)
    defaultDue = FieldChange(from: old.defaultDue, to: new.defaultDue)
    muted = FieldChange(from: old.muted, to: new.muted)
    digest = FieldChange(from: old.digest, to: new.digest)
    levels = old.levels.changes(to: new.levels)
  }
}
