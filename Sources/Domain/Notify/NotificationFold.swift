/// A burst of notifications as one line ("@bot completed 6 posts in #builds").
package struct NotificationFold: Equatable, Sendable {
  /// The notifications, oldest first. There is at least one. The stream is the same in all. Kind and actor are too, but
  /// for parts, reactions and comments, which are about one post or line, and for runs, which one user started.
  package let notifications: [Notification]

  /// Makes a fold of at least one notification.
  package init(notifications: [Notification]) { self.notifications = notifications }

  /// The longest gap between two notifications of one burst, in milliseconds.
  package static let gapMillisecondsMax: Int64 = 10 * 60 * 1000

  /// Folds notifications into bursts. `notifications` are in order; `isBot` answers whether a bot did what the
  /// notification tells. `concerns` answers whether the post of the notification is the viewer's work, or watched by
  /// them.
  /// - Only the newest stands of progress that repeats (`Notification.progress`).
  /// - Neighbours in a stream are joined when they have the same kind and actor and each is at most ten minutes after
  ///   the one before.
  /// - The parts of one post are always joined, so are the reactions about one post or line, the comments on one post,
  ///   the lines that one person said, and the notifications of a bot, however much later they come and whatever others
  ///   did in between. Such a burst stands in the place of its last notification.
  /// - Directed notifications about several lists are joined too, except those that only the person asked for.
  /// - Each person who left is told by themselves.
  /// - The runs that one user started are always joined, however they ended. One that failed, was lost or recovered is
  ///   told by itself to those whom its post concerns.
  package static func fold(
    _ notifications: [Notification], isBot: (Notification) -> Bool = { _ in false },
    concerns: (Notification) -> Bool = { _ in false }
  ) -> [NotificationFold] {
    var bursts: [[Notification]] = []
    var gathered: [Gathering: Int] = [:]
    for next in notifications.withNewestProgress {
      if next.kind.runNeedsALook, concerns(next) {
        bursts.append([next])
      } else if let gathering = Gathering(next, isOfBot: isBot(next)) {
        // The earlier burst becomes empty in its place, so that the others keep theirs until the end.
        let before = gathered[gathering].map { index in
          defer { bursts[index] = [] }
          return bursts[index]
        }
        gathered[gathering] = bursts.count
        bursts.append((before ?? []) + [next])
      } else if let last = bursts.last?.last, next.continues(last) {
        bursts[bursts.count - 1].append(next)
      } else {
        bursts.append([next])
      }
    }
    return bursts.filter { !$0.isEmpty }.map(NotificationFold.init)
  }

  /// The common ground of notifications that are joined whenever they come.
  private struct Gathering: Hashable {
    /// The kind. For a run however it ended it is `.runOk`.
    let kind: Notification.Kind
    let stream: StreamID
    /// The bot that did it, who started the runs, or who said it. Nil where several people make one burst.
    var actor: UserID?
    /// The post of the parts, reactions or comments. Nil for what a bot did.
    var post: PostID?
    /// The line of talk of the reactions.
    var line: Int64?

    /// Nil for a notification that only neighbours are joined with.
    init?(_ it: Notification, isOfBot: Bool) {
      (kind, stream) = (it.kind.runOutcome == nil ? it.kind : .runOk, it.stream)
      if it.kind.runOutcome != nil {
        actor = it.user
      } else if it.kind.isGatheredByPost {
        (post, line) = (it.post, it.kind == .reacted ? it.line : nil)
      } else if it.kind == .said {
        actor = it.by
      } else if isOfBot, !it.isDirected, it.kind != .left {
        actor = it.by
      } else {
        return nil
      }
    }
  }
}

extension [Notification] {
  /// The notifications without progress that a later one repeats.
  fileprivate var withNewestProgress: [Notification] {
    var seen: Set<Notification.Progress> = []
    return reversed().filter { $0.progress.map { seen.insert($0).inserted } ?? true }.reversed()
  }
}

extension Notification {
  fileprivate var isDirected: Bool { if case .user = stream { true } else { false } }

  fileprivate func continues(_ last: Notification) -> Bool {
    guard (kind, stream, by) == (last.kind, last.stream, last.by), kind != .left,
      about == stream || kind.comesInBatches
    else { return false }
    return at.milliseconds - last.at.milliseconds <= NotificationFold.gapMillisecondsMax
  }
}

extension Notification.Kind {
  /// The outcome of the run that ended. Nil for what is not about a run.
  package var runOutcome: RunOutcome? {
    switch self {
    case .runOk, .runRecovered: .ok
    case .runFailed: .failed
    case .runCancelled: .cancelled
    case .runLost: .lost
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .planned, .snoozed, .dueSoon,
      .overdue, .digest, .webhookPaused, .added, .completed, .submitted, .reopened, .removed,
      .restored, .stepCompleted, .partCompleted, .reached, .reacted, .mentioned, .answered,
      .commented, .said, .claimed, .released, .joined, .left, .categoryAdded:
      nil
    }
  }

  /// Whether all notifications of the kind about one post make one burst.
  fileprivate var isGatheredByPost: Bool {
    self == .partCompleted || self == .reached || self == .reacted || self == .commented
  }

  /// Whether the end of a run is told by itself to those whom it concerns.
  var runNeedsALook: Bool {
    runOutcome?.isFailure == true || self == .runRecovered
  }

  /// Whether somebody else, or a due, can cause many notifications of this kind about different lists at once. A plan
  /// or a snooze is the person's own, so each is told by itself.
  fileprivate var comesInBatches: Bool {
    switch self {
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .dueSoon, .overdue: true
    case .categoryAdded: true
    case .planned, .snoozed, .digest, .webhookPaused, .added, .completed, .submitted, .reopened,
      .removed, .restored, .stepCompleted, .partCompleted, .reached, .reacted, .mentioned,
      .answered, .commented, .said, .claimed, .released, .joined, .left, .runOk, .runFailed,
      .runCancelled, .runLost, .runRecovered:
      false
    }
  }
}
