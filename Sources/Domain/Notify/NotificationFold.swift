/// A burst of notifications as one line ("@bot completed 6 posts in #builds").
package struct NotificationFold: Equatable, Sendable {
  /// The notifications, oldest first. There is at least one. Kind and stream are the same in all. The actor is too, but
  /// for parts, which are of one post.
  package let notifications: [Notification]

  /// Makes a fold of at least one notification.
  package init(notifications: [Notification]) { self.notifications = notifications }

  /// The longest gap between two notifications of one burst, in milliseconds.
  package static let gapMillisecondsMax: Int64 = 10 * 60 * 1000

  /// Folds notifications into bursts. `notifications` are in order; `isBot` answers whether a bot did what the
  /// notification tells.
  /// - Neighbours in a stream are joined when they have the same kind and actor and each is at most ten minutes after
  ///   the one before.
  /// - Steps of one post that one person completes are joined, and so are the parts of one post, whoever completes
  ///   them. Each comes at most ten minutes after the one before, whatever others did in between.
  /// - Notifications of a bot are always joined, however much later they come.
  /// - Directed notifications about several lists are joined too, except those that only the person asked for.
  ///
  /// A burst that others did something in between stands in the place of its last notification.
  package static func fold(
    _ notifications: [Notification], isBot: (Notification) -> Bool = { _ in false }
  ) -> [NotificationFold] {
    var bursts: [[Notification]] = []
    var gathered: [Doing: Int] = [:]
    for next in notifications {
      let isOfBot = next.about == next.stream && isBot(next)
      if isOfBot || next.kind.isOfOnePost {
        let before = gathered[next.doing].flatMap { index -> [Notification]? in
          guard let last = bursts[index].last, isOfBot || next.comesSoon(after: last) else {
            return nil
          }
          // The earlier burst becomes empty in its place, so that the others keep theirs until the end.
          defer { bursts[index] = [] }
          return bursts[index]
        }
        gathered[next.doing] = bursts.count
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
    /// Nil for the system, and for parts.
    let by: UserID?
    /// Nil when one line tells of several posts.
    let post: PostID?
  }
}

extension Notification {
  fileprivate var doing: NotificationFold.Doing {
    NotificationFold.Doing(
      kind: kind, stream: stream, by: kind == .partCompleted ? nil : by,
      post: kind.isOfOnePost ? post : nil)
  }

  fileprivate func continues(_ last: Notification) -> Bool {
    guard doing == last.doing, about == stream || kind.comesInBatches else { return false }
    return comesSoon(after: last)
  }

  fileprivate func comesSoon(after last: Notification) -> Bool {
    at.milliseconds - last.at.milliseconds <= NotificationFold.gapMillisecondsMax
  }
}

extension Notification.Kind {
  /// Whether one line tells of one post only, because it counts what was done of it.
  fileprivate var isOfOnePost: Bool { self == .stepCompleted || self == .partCompleted }

  /// Whether somebody else, or a due, can cause many notifications of this kind about different lists at once. A plan
  /// or a snooze is the person's own, so each is told by itself.
  fileprivate var comesInBatches: Bool {
    switch self {
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .dueSoon, .overdue: true
    case .categoryAdded: true
    case .planned, .snoozed, .digest, .added, .completed, .submitted, .reopened, .removed,
      .restored, .stepCompleted, .partCompleted, .claimed, .released, .joined, .left:
      false
    }
  }
}
