import Client
import Domain
import Screen
import Wire

/// Lines for one's own bots and their tokens. The text of a token is shown once, to the person who makes it.
enum BotLines {
  static func lines(_ report: Report, _ bots: [BotLine], _ situation: Situation) -> [Line] {
    if case .webhook(let bot, let number) = report {
      return WebhookLines.tries(of: bot, number, among: bots, situation)
    }
    return self.bots(bots, situation)
  }

  /// The lines of `/bots`.
  static func bots(_ bots: [BotLine], _ situation: Situation) -> [Line] {
    guard !bots.isEmpty else {
      return [Line("you have no bots: /bot new NAME makes one", .dim)]
    }
    let doings = situation.lastDoings(of: Set(bots.map(\.id)))
    return bots.flatMap { bot in
      [head(bot, situation)]
        + (doings[bot.id].map { [last($0, situation)] } ?? [])
        + tokens(of: bot, situation) + WebhookLines.webhooks(of: bot, situation)
    }
  }

  /// Returns `✘ failed: exit status 2, 09:12: nightly build (#1 in #builds)`.
  private static func last(_ doing: LastDoing, _ situation: Situation) -> Line {
    let moment = situation.clock.moment(doing.at)
    let (sign, style, words): (Phrase, Style, String) =
      switch doing.deed {
      case .added: ("+", .accent, "added, \(moment)")
      case .completed: ("✔", .good, "completed, \(moment)")
      case .isRunning: ("▶", .accent, "running since \(moment)")
      case .ended(let outcome, let text):
        (outcome.sign, outcome.style, "\(outcome.words(with: text)), \(moment)")
      }
    let post = doing.post
    return Line("     ", hang: 7).and(sign + " ", style)
      .and("\(words): \(post.shownTitle)", .dim)
      .and(" (#\(post.number) in \(situation.label(doing.list)))", .dim)
  }

  private static func head(_ bot: BotLine, _ situation: Situation) -> Line {
    var line = Line("@\(bot.username)", .strong, hang: 2)
    if let end = bot.endsAt {
      return line.and("  gone \(situation.clock.moment(end)): /bot \(bot.username) keep", .bad)
    }
    let known = bot.places.filter { situation.streams[$0.stream] != nil }
    let places = known.map { "\(situation.label($0.stream)) as \($0.role.word)" }
    let others = bot.places.count - known.count
    let rest = others == 0 ? [] : [others == 1 ? "1 other place" : "\(others) other places"]
    let all = (places + rest).joined(separator: ", ")
    line.add(all.isEmpty ? "  in no list yet: /invite \(bot.username)" : "  in \(all)", .dim)
    return line
  }

  private static func tokens(of bot: BotLine, _ situation: Situation) -> [Line] {
    guard !bot.tokens.isEmpty else {
      return bot.endsAt == nil ? [Line("     no token: /token \(bot.username) NAME", .dim)] : []
    }
    return bot.tokens.enumerated().map { index, line in
      Line("\(ListLines.pad("\(index + 1)", 3, right: true))  ", .dim, hang: 5)
        .and("\(line.name)").and("  \(words(of: line, situation))", .dim)
    }
  }

  /// Returns what a token allows, until when, and when it was used.
  private static func words(of line: TokenLine, _ situation: Situation) -> String {
    let (token, clock) = (line.token, situation.clock)
    var words: [String] = []
    if let lists = token.lists {
      words.append("for " + lists.sorted().map { label($0, situation) }.joined(separator: " "))
    }
    if let methods = token.methods {
      let known = TokenWish.Scope(methods)
      words.append("to " + (known?.rawValue ?? methods.map(\.name).sorted().joined(separator: " ")))
    }
    words.append(
      token.isOver(at: clock.now) ? "is over" : "until \(clock.day(token.endsAt))")
    words.append(line.usedAt.map { "used \(clock.day($0))" } ?? "never used")
    return words.joined(separator: ", ")
  }

  static func label(_ list: CategoryID, _ situation: Situation) -> String {
    let stream = StreamID.category(list)
    return situation.streams[stream] == nil ? "another list" : "\(situation.label(stream))"
  }

  /// The lines of a token that was just made.
  static func made(
    _ result: CommandResult, bot: String, days: Int, _ lists: [CategoryID],
    _ situation: Situation
  ) -> [Line] {
    guard let token = result.token else { return [] }
    return [
      Line("\(token)", .strong, hang: 2),
      Line(
        "  whoever has this token acts as @\(bot), for \(days) days; it is not shown again.", .dim,
        hang: 2),
      Line(
        "  whattodo login \(bot) --token-stdin --state DIR reads it; /bots shows what is used",
        .dim, hang: 2),
    ] + hook(lists, situation)
  }

  /// Returns the command by which a program without a client reports (protocol §5.17).
  private static func hook(_ lists: [CategoryID], _ situation: Situation) -> [Line] {
    guard let server = situation.server else { return [] }
    let address =
      switch lists.count {
      case 0: "\(server.hooks())/LIST"
      case 1: server.hooks()
      default: server.hooks(list: lists[0])
      }
    return [
      Line("  curl -d 'it works' -H 'Authorization: Bearer TOKEN' \(address)", .dim, hang: 2)
    ]
  }
}
