/// A burst of notifications as one line ("@bot completed 6 posts in #builds").
package struct NotificationFold: Equatable, Sendable {
  /// The notifications, oldest first. There is at least one; kind, stream and actor are the same in all.
  package let notifications: [Notification]

  /// Makes a fold of at least one notification.
  package init(notifications: [Notification]) { self.notifications = notifications }

  /// The longest gap between two notifications of one burst, in milliseconds.
  package static let gapMillisecondsMax: Int64 = 10 * 60 * 1000

  /// Folds notifications into bursts. Neighbours in a stream are joined when they have the same kind and actor and each
  /// is at most ten minutes after the one before. Notifications of a bot are always joined, however much later they
  /// come and whatever others did in between; the burst stands in the place of its last notification. Directed
  /// notifications about several lists are joined too, except those that only the person asked for. `notifications` are
  /// in order; `isBot` answers whether a bot did what the notification tells.
  package static func fold(
    _ notifications: [Notification], isBot: (Notification) -> Bool = { _ in false }
  ) -> [NotificationFold] {
    var bursts: [[Notification]] = []
    var ofBots: [Doing: Int] = [:]
    for next in notifications {
      if next.about == next.stream, isBot(next) {
        // The earlier burst becomes empty in its place, so that the others keep theirs until the end.
        let before = ofBots[next.doing].map { index in
          defer { bursts[index] = [] }
          return bursts[index]
        }
        ofBots[next.doing] = bursts.count
        bursts.append((before ?? []) + [next])
      } else if let last = bursts.last?.last, next.continues(last) {
        bursts[bursts.count - 1].append(next)
      } else {
        bursts.append([next])
      }
    }
    return bursts.filter { !$0.isEmpty }.map(NotificationFold.init)
  }

  fileprivate struct Doing: Hashable {
    let kind: Notification.Kind
    let stream: StreamID
    let by: UserID?
  }
}

extension Notification {
  fileprivate var doing: NotificationFold.Doing {
    NotificationFold.Doing(kind: kind, stream: stream, by: by)
  }

  fileprivate func continues(_ last: Notification) -> Bool {
    guard doing == last.doing, about == stream || kind.comesInBatches else { return false }
    return at.milliseconds - last.at.milliseconds <= NotificationFold.gapMillisecondsMax
  }
}

extension Notification.Kind {
  /// Whether somebody else, or a due, can cause many directed notifications of this kind at once. A plan or a snooze is
  /// the person's own, so each is told by itself.
  fileprivate var comesInBatches: Bool {
    switch self {
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .dueSoon, .overdue: true
    case .planned, .snoozed, .digest, .added, .completed, .submitted, .reopened, .removed,
      .restored, .joined:
      false
    }
  }
}
