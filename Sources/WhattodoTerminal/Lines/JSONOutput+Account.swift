import Client
import Domain
import Wire

extension JSONOutput {
  static func bots(_ lines: [BotLine], _ situation: Situation, _ writer: inout JSONWriter) {
    writer.array("bots", lines) { bot, writer in
      writer.person(bot.id, bot.username)
      if let end = bot.endsAt { writer.member("endsAt", end.milliseconds) }
      writer.array("places", bot.places) { place, writer in
        writer.place(place.stream, situation)
        writer.member("stream", "\(place.stream)")
        writer.member("role", place.role.word)
      }
      writer.array("tokens", bot.tokens.enumerated()) { row, writer in
        let line = row.element
        writer.member("number", row.offset + 1)
        writer.member("id", "\(line.token.id)")
        writer.member("name", line.name)
        if let lists = line.token.lists { writer.lists("lists", lists, situation) }
        if let methods = line.token.methods {
          writer.array("methods", methods.map(\.name).sorted()) { $1.member("name", $0) }
        }
        writer.member("endsAt", line.token.endsAt.milliseconds)
        if let used = line.usedAt { writer.member("usedAt", used.milliseconds) }
      }
      writer.array("webhooks", bot.webhooks.enumerated()) { row, writer in
        writer.member("number", row.offset + 1)
        webhook(row.element, situation, &writer)
      }
    }
  }

  private static func webhook(
    _ it: Webhook, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.member("id", "\(it.id)")
    writer.member("name", it.name)
    writer.member("address", it.address.text)
    writer.member("form", it.form.rawValue)
    if let lists = it.lists { writer.lists("lists", lists, situation) }
    if let paused = it.progress.pausedAt { writer.member("pausedAt", paused.milliseconds) }
    if let trouble = it.progress.trouble {
      writer.member("failingSince", trouble.since.milliseconds)
    }
    writer.array("tries", it.progress.tries) { it, writer in
      writer.member("at", it.at.milliseconds)
      writer.member("stream", "\(it.range.stream)")
      writer.member("from", it.range.from)
      writer.member("through", it.range.through)
      switch it.outcome {
      case .answered(let status): writer.member("status", status)
      case .failed(let reason): writer.member("error", reason)
      }
      writer.member("ms", it.milliseconds)
    }
  }

  /// Writes one's own account; writes nothing when there is none yet.
  static func account(_ profile: Profile?, _ writer: inout JSONWriter) {
    guard let profile else { return }
    writer.person(profile.id, profile.username)
    if let end = profile.endsAt { writer.member("endsAt", end.milliseconds) }
  }

  static func codes(_ codes: [CodeLine], _ writer: inout JSONWriter) {
    writer.array("codes", ListLines.inOrder(codes).enumerated()) { row, writer in
      let line = row.element
      writer.member("number", row.offset + 1)
      writer.member("id", "\(line.invitation.id)")
      writer.member("code", line.code)
      writer.member("role", line.invitation.role.word)
      writer.member("uses", line.invitation.uses)
      writer.member("used", line.invitation.used)
      writer.member("endsAt", line.invitation.endsAt.milliseconds)
    }
  }

  static func links(
    _ lines: [LinkLine], _ server: ServerAddress?, _ writer: inout JSONWriter
  ) {
    writer.array("links", LinkLines.inOrder(lines).enumerated()) { row, writer in
      let line = row.element
      writer.member("number", row.offset + 1)
      writer.member("id", "\(line.link.id)")
      writer.member("code", line.code)
      writer.member("endsAt", line.link.endsAt.milliseconds)
      calendar(line.code, server, &writer)
    }
  }

  static func sessions(_ sessions: [SessionLine], _ writer: inout JSONWriter) {
    writer.array("sessions", sessions.enumerated()) { row, writer in
      let session = row.element
      writer.member("number", row.offset + 1)
      writer.member("id", "\(session.id)")
      writer.member("client", session.client)
      writer.member("current", session.current)
      writer.member("openedAt", session.openedAt.milliseconds)
      writer.member("usedAt", session.usedAt.milliseconds)
    }
  }
}
