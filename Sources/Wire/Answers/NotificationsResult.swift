package import Domain

/// The answer to `notification.list` (protocol §8).
package struct NotificationsResult: Equatable, Sendable {
  /// Progress: one line per category and group with something unread, in stream order.
  package let lists: [UnreadList]
  /// The directed notifications from the person's own `u:`, newest first.
  package let directed: [Notification]
  /// The reminders that the person asked for and was told: all unread ones whose post is still to be done, newest
  /// first, whatever else there is.
  package let reminders: [Notification]
  package let today: DayTotal
  /// Whether lists were left out, or events of today: there was more to look through than one request may.
  package let more: Bool

  package init(
    lists: [UnreadList], directed: [Notification], reminders: [Notification] = [],
    today: DayTotal, more: Bool = false
  ) {
    self.reminders = reminders
    self.more = more
    self.lists = lists
    self.directed = directed
    self.today = today
  }
}

/// The unread notifications of one category or group.
package struct UnreadList: Equatable, Sendable {
  package let stream: StreamID
  package let name: String
  /// The number of unread notifications. A count of 0 with `more` says that nobody looked.
  package let unread: Unread
  /// The newest first, at most as many as were asked for, and fewer where the answer would be too long.
  package let notifications: [Notification]

  package init(
    stream: StreamID, name: String, unread: Unread, notifications: [Notification]
  ) {
    self.stream = stream
    self.name = name
    self.unread = unread
    self.notifications = notifications
  }
}
