/// The number of notifications of a stream that are newer than its read mark. It is counted up to
/// `Limits.unreadCountMax`; beyond that `more` is true (shown as `100+`).
package struct Unread: Equatable, Sendable {
  package let count: Int
  package let more: Bool

  /// Whether there is nothing unread. It is false too when the notifications were not counted and `more` says that
  /// there are some.
  package var isEmpty: Bool { count == 0 && !more }

  package init(count: Int, more: Bool) {
    self.count = count
    self.more = more
  }

  /// Counts this many notifications.
  package init(of notifications: Int) {
    count = min(notifications, Limits.unreadCountMax)
    more = notifications > Limits.unreadCountMax
  }
}

/// Collects the unread notifications of one stream from its events, newest first. It counts all and keeps the newest
/// `keep` of those that are told. Only events after `start` matter, and only until it `isFull`: a reader may end there.
package struct UnreadTally: Equatable, Sendable {
  package let viewer: Viewer
  /// The number after which events count: the read mark, or the event that let the viewer in if that is later.
  package let start: Int64
  private let keep: Int
  private var count = 0
  private var mutedCount = 0
  private var seen: Set<Notification.Progress> = []
  private var seenTold: Set<Notification.Progress> = []
  /// The newest notifications, newest first, at most `keep`.
  package private(set) var notifications: [Notification] = []

  /// Begins a tally. `mark` is the viewer's read mark in the stream, 0 for none.
  package init(viewer: Viewer, mark: Int64, keep: Int) {
    self.viewer = viewer
    self.keep = keep
    start = max(mark, viewer.joinedSeq)
  }

  package var unread: Unread { Unread(of: count) }

  /// Whether older events are not looked at. They may hold more that is told, behind many that are muted.
  package var isFull: Bool {
    count > Limits.unreadCountMax
      && (notifications.count == keep || mutedCount > Limits.unreadCountMax)
  }

  /// Adds an event that is older than all before it. `tells` answers whether the viewer is told of a notification
  /// (`NotificationLevels`).
  package mutating func add<E: Error>(
    _ event: Event, in stream: StreamID, tells: (Notification) throws(E) -> Bool
  ) throws(E) {
    guard event.seq > start else { return }
    for it in notify(event, in: stream, viewer: viewer).reversed() {
      if it.progress.map({ seen.insert($0).inserted }) ?? true { count += 1 }
      guard notifications.count < keep, it.progress.map({ !seenTold.contains($0) }) ?? true else {
        continue
      }
      guard try tells(it) else {
        mutedCount += 1
        continue
      }
      if let progress = it.progress { seenTold.insert(progress) }
      notifications.append(it)
    }
  }
}
