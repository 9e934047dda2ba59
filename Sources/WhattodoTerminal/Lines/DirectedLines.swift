import Domain
import Screen
import Wire

// Lines about what was directed at a person while they were away. Reminders that they asked for have a line each, apart
// from all that others do. Notifications by others or by a due follow; a batch of them by one sender shares a line.

enum DirectedLines {
  /// The number of reminders that are shown at the start of a chat; `/n` shows all.
  static let remindersAtStart = 8
  /// The number of lines for everything else that was directed.
  static let linesMax = 5

  /// Returns the reminders, the oldest first, so that the newest stands next to the line being typed. `all` shows all
  /// of them.
  static func reminders(
    _ result: NotificationsResult, all: Bool, _ situation: Situation
  ) -> [Line] {
    guard !result.reminders.isEmpty else { return [] }
    let shown = result.reminders.prefix(all ? Int.max : remindersAtStart).reversed()
    let more = result.reminders.count - shown.count
    let head = Line("you asked to be told:", .dim)
    let rest = more > 0 ? [Line("  … \(more) more: /n shows them", .dim)] : []
    return [head] + rest + shown.map { row($0, situation) }
  }

  private static func row(_ it: Notification, _ situation: Situation) -> Line {
    let head = Line("  ", hang: 4).and("\(situation.clock.moment(it.at)) ", .dim)
    guard let (post, place) = situation.found(it) else {
      return head.and("⏰ ", .warn).and("\(PersonalLines.word(it.kind))", .strong)
        .and(": a post in \(situation.label(it.about))")
    }
    return head.and(
      PersonalLines.told(
        it.kind, "\(post.shownTitle) (#\(post.number) in \(situation.label(place)))"))
  }

  /// Returns what else was directed at the person and is not read yet.
  static func others(_ result: NotificationsResult, _ situation: Situation) -> [Line] {
    let read = max(situation.told, situation.ownMark)
    let known = Set(result.reminders.map { Told($0) })
    let news = situation.directed(result).filter {
      $0.seq > read && !known.contains(Told($0)) && phrase($0, situation) != nil
    }
    let folds = NotificationFold.fold(news)
    let lines = folds.suffix(linesMax).map { line($0, situation) }
    let more = folds.count - lines.count
    let rest = more > 0 ? [Line("… \(more) more of what others told you", .dim)] : []
    return rest + lines
  }

  private static func line(_ fold: NotificationFold, _ situation: Situation) -> Line {
    let last = fold.notifications[fold.notifications.count - 1]
    let head = Line("\(situation.clock.moment(last.at)) ", .dim)
    let who = last.by.map { situation.name(of: $0, in: last.about) } ?? "⏰"
    guard fold.notifications.count > 1 else {
      return head.and("\(who) \(phrase(last, situation) ?? "")")
    }
    return head.and("\(who) \(phrase(fold, situation))")
  }

  /// Returns words for several of one kind: `gave you 7 posts in #work`.
  static func phrase(_ fold: NotificationFold, _ situation: Situation) -> Phrase {
    let all = fold.notifications
    let places = Set(all.map(\.about))
    let place: Phrase =
      places.count == 1 ? "\(situation.label(all[0].about))" : "\(places.count) lists"
    switch all[0].kind {
    case .assigned: return "gave you \(all.count) posts in \(place)"
    case .removedFrom: return "took you out of \(all.count) lists and groups"
    case .roleChanged: return "gave you another role in \(all.count) lists and groups"
    case .invited: return "invited you \(all.count) times"
    case .categoryAdded: return "made \(all.count) lists"
    case .reminder, .planned, .snoozed, .dueSoon, .overdue, .digest, .webhookPaused, .added,
      .completed, .submitted, .reopened, .removed, .restored, .stepCompleted, .partCompleted,
      .reached, .reacted, .mentioned, .answered, .commented, .said, .claimed, .released, .joined,
      .left, .runOk, .runFailed, .runCancelled, .runLost, .runRecovered:
      return "\(PersonalLines.word(all[0].kind)): \(all.count) posts in \(place)"
    }
  }

  /// Returns the words for a notification; nil when it is no longer so. The role is the present one, because the
  /// notification holds none.
  private static func phrase(_ notice: Notification, _ situation: Situation) -> Phrase? {
    switch notice.kind {
    case .removedFrom:
      return "took you out of \(situation.names[notice.about] ?? "a list or a group")"
    case .roleChanged:
      guard let role = situation.role(in: notice.about) else { return nil }
      return "made you \(role.word) of \(situation.label(notice.about))"
    case .assigned:
      let state = situation.streams[notice.about]
      guard let state, let post = notice.post.flatMap({ state.post($0) }),
        state.assignees(of: post).contains(where: { $0.id == situation.me })
      else { return nil }
      return "gave you #\(post.number) \(post.shownTitle) in \(situation.label(notice.about))"
    case .reminder, .planned, .snoozed, .dueSoon, .overdue:
      guard let (post, place) = situation.found(notice), post.completed == nil else { return nil }
      return "\(PersonalLines.word(notice.kind)): #\(post.number) \(post.shownTitle)"
        + " in \(situation.label(place))"
    case .digest: return DigestLines.noticed(at: notice.at, situation)
    case .webhookPaused: return "\(WebhookLines.pausedWords)"
    // Invitations are shown as long as they are open.
    case .invited, .added, .completed, .submitted, .reopened, .removed, .restored, .stepCompleted,
      .partCompleted, .reached, .reacted, .mentioned, .answered, .commented, .said, .claimed,
      .released, .joined, .left, .categoryAdded, .runOk, .runFailed, .runCancelled, .runLost,
      .runRecovered:
      return nil
    }
  }

  /// The identity of a reminder. One event tells a reminder by two ops.
  private struct Told: Hashable {
    let seq: Int64
    let post: PostID?

    init(_ it: Notification) {
      seq = it.seq
      post = it.post
    }
  }
}

extension Situation {
  /// The event of one's own stream up to which one has read.
  var ownMark: Int64 {
    me.flatMap { ownStream?.readMark(of: .user($0)) } ?? 0
  }

  /// Returns the post that a notification is about, and where it is now: it may have moved to another list since. Nil
  /// when no copy has it.
  func found(_ notice: Notification) -> (post: Post, place: StreamID)? {
    guard let id = notice.post else { return nil }
    if let post = streams[notice.about]?.post(id) { return (post, notice.about) }
    for stream in streams.keys.sorted() {
      if let post = streams[stream]?.post(id), post.came != nil { return (post, stream) }
    }
    return nil
  }

  /// Returns the notifications, oldest first. The copy of one's own stream fills in those for which the answer was too
  /// short.
  func directed(_ result: NotificationsResult) -> [Notification] {
    guard let me else { return result.directed.reversed() }
    var found: [ObjectKey: Notification] = [:]
    for object in ownStream?.objects.values.map(\.self) ?? [] {
      if case .notice(let it) = object { found[it.key] = Notification(it, to: me) }
    }
    for it in result.directed {
      found[ObjectKey(kind: .notice, id: UUID(high: UInt64(it.seq), low: UInt64(it.opIndex)))] = it
    }
    return found.values.filter { tells($0) }.sorted {
      ($0.seq, $0.opIndex) < ($1.seq, $1.opIndex)
    }
  }
}
