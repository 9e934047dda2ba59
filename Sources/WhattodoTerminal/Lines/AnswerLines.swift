import Domain
import QuickAdd
import Screen
import Sync
import Wire

/// The lines that an answer is worth. In a chat a change shows as its event, so only changes without an event have a
/// line.
enum AnswerLines {
  static func lines(
    _ report: Report, _ answer: ReplicaAnswer, _ situation: Situation, chat: Bool
  ) -> [Line] {
    switch answer {
    case .command(let result):
      if case .addedQuickly(let it) = report { return understood(it, result, situation, chat) }
      return change(report, result, situation, chat: chat)
    case .sessions(let lines): return ListLines.sessions(lines, situation.clock)
    case .profile(let profile): return ListLines.profile(profile)
    case .about(let about): return ListLines.about(about)
    case .pairing(let it): return AccountLines.pairing(it)
    case .links(let lines):
      guard case .links(let list) = report else { return [] }
      return LinkLines.links(lines, of: list, situation)
    case .bots(let bots): return BotLines.lines(report, bots, situation)
    case .posts(let result):
      guard case .bin(let list, let days) = report else { return [] }
      return ListLines.removed(result.posts, of: list, keptFor: days, situation.clock)
    case .categories(let categories): return ListLines.removed(categories, situation)
    // No command asks for badges: the copies contain them. Members are told with what they did.
    case .badges, .members: return []
    case .codes(let codes):
      guard case .codes(let place) = report else { return [] }
      return ListLines.codes(codes, of: place, situation.clock)
    case .notifications(let result): return news(report, result, situation)
    case .history(let answer): return history(report, answer, situation)
    case .search(let result): return FoundLines.lines(result, situation)
    case .view(let result):
      guard case .viewedDay(let day) = report else { return ViewLines.lines(result, situation) }
      let plans = PersonalLines.plans(on: day, situation)
      guard plans.isEmpty || !result.found.isEmpty else { return plans }
      return plans + ViewLines.lines(result, situation)
    case .agenda(let result):
      guard case .month(let month) = report else { return [] }
      return MonthLines.lines(result, month, situation.clock)
    case .twins(let twins):
      guard case .twins(let list) = report else { return [] }
      return TwinLines.found(twins, in: list)
    case .digest(let result):
      guard report == .digestReady else { return DigestLines.lines(result, situation) }
      return DigestLines.isEmpty(result) ? [] : [DigestLines.ready(result, situation)]
    case .stats(let result): return stats(report, result, situation)
    case .export(let page):
      guard case .export(let path, let lines) = report else { return [] }
      return [Line("\(lines + page.lines.count) lines in \(path)")]
    case .registered(let it): return report == .upgraded ? AccountLines.upgraded(it) : []
    case .loggedIn, .recovered, .done: return []
    }
  }

  /// Returns what was made of the words besides the title. In a chat the post itself shows as an event; a script gets
  /// all of it in one line.
  private static func understood(
    _ it: UnderstoodLine, _ result: CommandResult, _ situation: Situation, _ chat: Bool
  ) -> [Line] {
    guard result.changed else { return [Line("nothing changed", .dim)] }
    let twins =
      it.unknown.map { word in
        let what = word.hasPrefix("#") ? "no list to add to" : "nobody in \(it.list.tag)"
        return Line("\(word) is \(what): it is a part of the title", .dim)
      } + TwinLines.lines(it.reading.title, in: it.list.id, besides: it.post, situation)
    let understood = it.phrases(situation.clock)
    guard chat else {
      let number: Phrase = result.each.first?.number.map { "#\($0) " } ?? ""
      let added = Line("+ \(number)\(it.reading.title) (in \(it.list.tag))")
      let others = understood.filter { $0 != "in \(it.list.tag)" }
      return [others.isEmpty ? added : added.and("  \(others.listed)", .dim)] + twins
    }
    guard !understood.isEmpty else { return twins }
    return [Line("understood: \(understood.listed) (/plain makes it words again)", .dim)] + twins
  }

  private static func news(
    _ report: Report, _ result: NotificationsResult, _ situation: Situation
  ) -> [Line] {
    switch report {
    case .day: return ListLines.day(result.today)
    case .glance: return [Glance(result, situation).line]
    // Anything new leads to marks, so here nothing is.
    case .markRead(nil): return [Line("nothing new", .dim)]
    case .markRead(let place?): return [Line("nothing new in \(place.label)", .dim)]
    case .notifications(let place?):
      let list = result.lists.first { $0.stream == place.stream && !$0.unread.isEmpty }
      return list.map { ListLines.news(of: $0, linesMax: Planner.newsMax, situation) }
        ?? [Line("nothing new in \(place.label)", .dim)]
    default:
      let news = ListLines.news(result, situation)
      return (news.isEmpty ? [Line("nothing new", .dim)] : news) + ListLines.day(result.today)
    }
  }

  private static func stats(
    _ report: Report, _ result: StatsResult, _ situation: Situation
  ) -> [Line] {
    switch report {
    case .stats(let place, let span, let view):
      StatsLines.lines(result, of: place, span, view, situation)
    case .who(let place, let span, let members):
      PeopleLines.lines(members, result, of: place, span, situation)
        + ListLines.invited(to: place, situation)
    default: []
    }
  }

  private static func history(
    _ report: Report, _ answer: HistoryAnswer, _ situation: Situation
  ) -> [Line] {
    guard case .events(let page) = answer else { return [] }
    if case .whereabouts(let number, let list) = report {
      return [Line("\(HistoryLines.whereabouts(of: number, in: list, page, situation))", .bad)]
    }
    do throws(WireError) {
      switch report {
      case .history(let place, let post):
        return try HistoryLines.lines(page, of: place, about: post, situation)
      case .olderTalk(let question): return try question.lines(page, situation)
      case .handOver(let list, let since):
        return try HandOverLines.lines(page, of: list, since: since, situation)
      case .why(let list, let post):
        return try WhyLines.lines(page, of: post, in: list, situation)
      case .whyPerson(let place, let person):
        return try WhyLines.lines(page, of: person, in: place, situation)
      default: return []
      }
    } catch {
      return [Line("the server's answer cannot be read", .bad)]
    }
  }

  private static func change(
    _ report: Report, _ result: CommandResult, _ situation: Situation, chat: Bool
  ) -> [Line] {
    switch report {
    case .change(let made, let same):
      if !result.changed { return [Line(same, .dim)] }
      return chat ? [] : [Line(made)]
    case .changes(let reports):
      guard result.changed else { return [Line("nothing changed", .dim)] }
      return zip(result.parts, reports).compactMap { part, report in
        if part.changed { return chat ? nil : Line(report.made) }
        return report.same.map { Line($0, .dim) }
      }
    case .told(let made, let same), .unreturned(_, _, let made, let same):
      return [Line(result.changed ? made : same)]
    case .addedPost(let post, let title, let list):
      let number: Phrase = result.number.map { "#\($0) " } ?? ""
      return (chat ? [] : [Line("+ \(number)\(title) (in \(list))")])
        + TwinLines.lines(title, in: post.category, besides: post.post, situation)
    case .apart(let made):
      let number: Phrase = result.parts.first?.number.map { " as #\($0)" } ?? ""
      return chat ? [] : [Line(made + number)]
    case .claimedNext(let list): return [claimedNext(in: list, result, situation)]
    case .addedList(_, let name): return chat ? [] : [Line("new list #\(name.oneWord)")]
    case .madeLink(let list, let days): return LinkLines.made(result, days, list, situation)
    case .madeToken(let bot, let days, let lists):
      return BotLines.made(result, bot: bot, days: days, lists, situation)
    case .madeWebhook(let bot, let new): return WebhookLines.made(result, new, bot: bot)
    case .madeCode(let place, let uses): return ListLines.made(result.code, for: uses, place)
    case .takenBack(let change): return [taken(change, "undone", result)]
    case .doneAgain(let change): return [taken(change, "done again", result)]
    case .undone(_, let isRedo, _):
      let left = (result.skipped ?? []).map(HistoryLines.skipped)
      if !result.changed {
        let told = left.isEmpty ? [Line("all was so already", .dim)] : left
        return chat ? told + [Line("once more: the one before it", .dim)] : told
      }
      return (chat ? [] : [Line(isRedo ? "done again" : "undone")]) + left
    case .bin, .binOf, .removedLists, .markRead, .members, .who, .history, .olderTalk, .handOver,
      .why, .whyPerson, .found, .codes, .profile, .privacy, .sessions, .notifications, .welcome,
      .glance, .unread, .mark, .day, .closeSession, .revokeCode, .restoreLists, .restorePosts,
      .purgePosts, .undo, .redo, .takeBack, .react, .addedQuickly, .viewed, .month, .pairing,
      .upgraded, .viewedDay, .links, .unlink, .twins, .digest, .digestReady, .stats, .export,
      .whereabouts, .past, .undoChange, .bots, .botChange, .webhook:
      return []
    }
  }

  /// Returns the line of an undo or redo. It is shown in a chat too, because the person may not see the event of the
  /// change.
  private static func taken(_ change: DoneChange, _ word: Phrase, _ result: CommandResult) -> Line {
    result.changed
      ? Line(word + ": \(change.what)") : Line("\(change.what) is as it was already", .dim)
  }
}
