/// A burst of notifications as one line ("@bot completed 6 posts in #builds").
package struct NotificationFold: Equatable, Sendable {
  /// Oldest first, never empty; kind, stream and actor are the same in all.
  package let notifications: [Notification]

  /// So long after the one before, a notification still belongs to the burst.
  package static let gapMillisecondsMax: Int64 = 10 * 60 * 1000

  /// Folds what follows on each other in a stream: of the same kind, by the same actor, each at most
  /// ten minutes after the one before. Directed notifications stay alone. `notifications`: in order.
  package static func fold(_ notifications: [Notification]) -> [NotificationFold] {
    var bursts: [[Notification]] = []
    for next in notifications {
      if let last = bursts.last?.last, next.continues(last) {
        bursts[bursts.count - 1].append(next)
      } else {
        bursts.append([next])
      }
    }
    return bursts.map(NotificationFold.init)
  }
}

extension Notification {
  fileprivate func continues(_ last: Notification) -> Bool {
    guard kind == last.kind, stream == last.stream, by == last.by, about == stream else {
      return false
    }
    return at.milliseconds - last.at.milliseconds <= NotificationFold.gapMillisecondsMax
  }
}
