import Domain
import Wire

extension JSONOutput {
  /// Writes the settings in force, whether the person has set them or they are the defaults.
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

extension JSONOutput {
  /// Writes the reminders that one asked for, the newest first. A post that is in none of one's lists has no number and
  /// title.
  static func reminders(
    _ result: NotificationsResult, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.array("reminders", result.reminders) { it, writer in
      let found = situation.found(it)
      writer.member("kind", it.kind.rawValue)
      writer.member("at", Int(it.at.milliseconds))
      writer.object("list") { $0.named(found?.place ?? it.about, situation) }
      if let id = it.post { writer.member("id", "\(id)") }
      if let post = found?.post {
        writer.member("number", post.number)
        writer.member("title", post.title)
      }
    }
  }
}
