/// A burst of notifications as one line ("@bot completed 6 posts in #builds").
package struct NotificationFold: Equatable, Sendable {
  /// Oldest first, never empty; kind, stream and actor are the same in all.
  package let notifications: [Notification]

  /// Never of none.
  package init(notifications: [Notification]) { self.notifications = notifications }

  /// So long after the one before, a notification still belongs to the burst.
  package static let gapMillisecondsMax: Int64 = 10 * 60 * 1000

  /// Folds what follows on each other in a stream: of the same kind, by the same actor, each at most
  /// ten minutes after the one before. What a bot does is folded always, however long after and whatever others did in
  /// between: its burst stands where its last notification does. So is what is directed, of whatever lists it tells,
  /// but for what the person alone asked for. `notifications`: in order. `isBot`: whether a bot did what it tells.
  package static func fold(
    _ notifications: [Notification], isBot: (Notification) -> Bool = { _ in false }
  ) -> [NotificationFold] {
    var bursts: [[Notification]] = []
    var ofBots: [Doing: Int] = [:]
    for next in notifications {
      if next.about == next.stream, isBot(next) {
        // Empty where it was: the others keep their places until all are there.
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
  /// Whether somebody else, or a due, can cause many of what is directed at once. What one plans and puts off oneself
  /// is told of each post.
  fileprivate var comesInBatches: Bool {
    switch self {
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .dueSoon, .overdue: true
    case .planned, .snoozed, .digest, .added, .completed, .submitted, .reopened, .removed,
      .restored, .joined:
      false
    }
  }
}
