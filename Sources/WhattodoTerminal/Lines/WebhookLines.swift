import Domain
import Screen
import Wire

/// Lines for the webhooks of one's own bots. Of an address only the host is shown, because the rest may be a secret.
enum WebhookLines {
  /// The lines of a bot's webhooks in `/bots`.
  static func webhooks(of bot: BotLine, _ situation: Situation) -> [Line] {
    bot.webhooks.enumerated().map { index, webhook in
      let number = ListLines.pad("→ \(index + 1)", 4, right: true)
      let head = Line("\(number) ", .dim, hang: 5).and("\(webhook.name)")
      let state = state(of: webhook, situation)
      return head.and("  \(words(of: webhook, situation)), ", .dim)
        .and("\(state.words)", state.isGood ? .dim : .bad)
    }
  }

  private static func words(of webhook: Webhook, _ situation: Situation) -> String {
    var words = webhook.name == webhook.address.host ? [] : ["to \(webhook.address.host)"]
    if webhook.form != .events { words.append("for \(webhook.form.rawValue)") }
    if let lists = webhook.lists {
      words.append(
        "from " + lists.sorted().map { BotLines.label($0, situation) }.joined(separator: " "))
    } else {
      words.append("from everywhere it is")
    }
    return words.joined(separator: ", ")
  }

  private static func state(
    of webhook: Webhook, _ situation: Situation
  ) -> (words: String, isGood: Bool) {
    let progress = webhook.progress
    if let paused = progress.pausedAt {
      let why = progress.tries.last.map { ": " + reason(of: $0) } ?? ""
      return ("paused \(situation.clock.moment(paused))\(why)", false)
    }
    if let trouble = progress.trouble {
      let why = progress.tries.last.map { ": " + reason(of: $0) } ?? ""
      return ("fails since \(situation.clock.moment(trouble.since))\(why)", false)
    }
    guard let last = progress.tries.last else { return ("nothing sent yet", true) }
    return ("sent \(situation.clock.moment(last.at))", true)
  }

  /// The lines of `/webhook BOT look N`: the last tries, the newest last.
  static func tries(
    of bot: String, _ number: Int, among bots: [BotLine], _ situation: Situation
  ) -> [Line] {
    guard let line = bots.first(where: { $0.username == bot }) else {
      return [Line("you have no bot @\(bot); /bots shows yours", .bad)]
    }
    guard let webhook = situation.shown.webhooks(of: line).pick(number, among: line.webhooks)
    else {
      return [Line("@\(bot) has no webhook \(number); /bots shows them", .bad)]
    }
    return tries(of: webhook, situation)
  }

  private static func tries(of webhook: Webhook, _ situation: Situation) -> [Line] {
    var head = Line("\(webhook.name)", .strong)
    if webhook.name != webhook.address.host { head.add("  to \(webhook.address.host)", .dim) }
    guard !webhook.progress.tries.isEmpty else {
      return [head, Line("  nothing sent yet", .dim)]
    }
    return [head]
      + webhook.progress.tries.map { it in
        let range =
          it.range.from == it.range.through
          ? "\(it.range.from)" : "\(it.range.from)–\(it.range.through)"
        let place =
          situation.streams[it.range.stream] == nil
          ? "another place" : "\(situation.label(it.range.stream))"
        return Line("  \(situation.clock.moment(it.at))  ", .dim, hang: 4)
          .and("\(place) \(range)  ")
          .and("\(reason(of: it))", it.outcome.isTaken ? .good : .bad)
          .and("  \(it.milliseconds) ms", .dim)
      }
  }

  private static func reason(of it: WebhookTry) -> String {
    switch it.outcome {
    case .answered(let status): it.outcome.isTaken ? "taken (\(status))" : "answered \(status)"
    case .failed(let reason): reason
    }
  }

  /// The words about a webhook of one's own that is paused, because nothing gets through.
  static let pausedWords = "a webhook of one of your bots does not get through: /bots says why"

  static var paused: Line { Line("✘ ", .bad).and("\(pausedWords)") }

  /// The lines of a webhook that was just added.
  static func made(_ result: CommandResult, _ new: NewWebhook, bot: String) -> [Line] {
    var lines = [
      Line(
        "what happens goes to \(new.address.host) from now on; /bots shows how it went",
        hang: 2)
    ]
    if new.form == .events, let secret = result.secret {
      lines.append(Line("\(secret)", .strong, hang: 2))
      lines.append(
        Line(
          "  by this secret the receiver knows that @\(bot) sends; it is not shown again.", .dim,
          hang: 2))
    }
    return lines
  }
}
