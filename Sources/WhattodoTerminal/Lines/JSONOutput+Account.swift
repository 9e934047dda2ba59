import Domain
import Wire

extension JSONOutput {
  static func bots(_ lines: [BotLine], _ writer: inout JSONWriter) {
    writer.array("bots", lines) { bot, writer in
      writer.member("id", "\(bot.id)")
      writer.member("username", bot.username)
      if let end = bot.endsAt { writer.member("endsAt", end.milliseconds) }
      writer.array("places", bot.places) { place, writer in
        writer.member("stream", "\(place.stream)")
        writer.member("role", place.role.word)
      }
      writer.array("tokens", bot.tokens.enumerated()) { row, writer in
        let line = row.element
        writer.member("number", row.offset + 1)
        writer.member("id", "\(line.token.id)")
        writer.member("name", line.name)
        if let lists = line.token.lists {
          writer.array("lists", lists.sorted()) { $1.member("id", "\($0)") }
        }
        if let methods = line.token.methods {
          writer.array("methods", methods.map(\.name).sorted()) { $1.member("name", $0) }
        }
        writer.member("endsAt", line.token.endsAt.milliseconds)
        if let used = line.usedAt { writer.member("usedAt", used.milliseconds) }
      }
      writer.array("webhooks", bot.webhooks.enumerated()) { row, writer in
        writer.member("number", row.offset + 1)
        webhook(row.element, &writer)
      }
    }
  }

  private static func webhook(_ it: Webhook, _ writer: inout JSONWriter) {
    writer.member("id", "\(it.id)")
    writer.member("name", it.name)
    writer.member("address", it.address.text)
    writer.member("form", it.form.rawValue)
    if let lists = it.lists {
      writer.array("lists", lists.sorted()) { $1.member("id", "\($0)") }
    }
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
    writer.key("id")
    writer.string("\(profile.id)")
    writer.key("username")
    writer.string(profile.username)
    guard let end = profile.endsAt else { return }
    writer.key("endsAt")
    writer.int(end.milliseconds)
  }
}
