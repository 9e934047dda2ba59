/// How many notifications of a stream are newer than its read mark: counted up to
/// `Limits.unreadCountMax`, then `more` (shown as `100+`).
package struct Unread: Equatable, Sendable {
  package let count: Int
  package let more: Bool

  /// Also of what nobody counted.
  package var isEmpty: Bool { count == 0 && !more }

  package init(count: Int, more: Bool) {
    self.count = count
    self.more = more
  }

  /// Of so many notifications.
  package init(of notifications: Int) {
    count = min(notifications, Limits.unreadCountMax)
    more = notifications > Limits.unreadCountMax
  }
}

/// Collects what is unread in one stream from its events, newest first, the newest `keep` of them whole.
/// Only events after `start` matter, and only until it `isFull`: a reader may end there.
package struct UnreadTally: Equatable, Sendable {
  package let viewer: Viewer
  /// The read mark, or the event that let the viewer in if that is later.
  package let start: Int64
  private let keep: Int
  private var count = 0
  /// Newest first, at most `keep`.
  package private(set) var notifications: [Notification] = []

  /// `mark`: the viewer's read mark in the stream; 0 for none.
  package init(viewer: Viewer, mark: Int64, keep: Int) {
    self.viewer = viewer
    self.keep = keep
    start = max(mark, viewer.joinedSeq)
  }

  package var unread: Unread { Unread(of: count) }

  /// Older events would change nothing.
  package var isFull: Bool { count > Limits.unreadCountMax && notifications.count == keep }

  /// An event that is older than those before.
  package mutating func add(_ event: Event, in stream: StreamID) {
    guard event.seq > start else { return }
    let news = notify(event, in: stream, viewer: viewer)
    count += news.count
    notifications += news.reversed().prefix(keep - notifications.count)
  }
}
