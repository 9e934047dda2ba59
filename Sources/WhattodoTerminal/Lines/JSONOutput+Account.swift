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
