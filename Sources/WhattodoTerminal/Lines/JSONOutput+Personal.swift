import Domain
import Wire

extension JSONOutput {
  /// As they count, whether somebody has said so or not.
  static func settings(_ settings: PersonalSettings, _ writer: inout JSONWriter) {
    writer.array("reminders", settings.reminderMinutes) { minutes, writer in
      writer.member("minutes", minutes)
    }
    writer.member("dueSoonHours", settings.soonHours)
    writer.member("defaultDue", settings.dueOfNew.rawValue)
    let muted = ReminderKind.allCases.filter { settings.mutes($0) }
    writer.array("muted", muted) { kind, writer in writer.member("kind", kind.rawValue) }
    if let time = settings.digest { writer.member("digest", time.description) }
  }
}
