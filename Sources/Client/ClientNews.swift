package import Domain
package import Sync
package import Wire

/// What has happened, in order; `Client.streams` contains it already.
package enum ClientNews: Sendable {
  case standing(Standing)
  /// A stream is new, or its copy was replaced as a whole.
  case replaced(StreamID)
  /// Events of a stream. `caughtUp` is false for what was missed while there was no connection.
  case happened(StreamID, [Happening], caughtUp: Bool)
  /// Not ours any more; its last state.
  case gone(StreamState)
  /// What holds for a moment has changed; `Client.ephemerals` has all of it.
  case ephemeral(EphemeralSet)
  /// Everything is level with the server.
  case level
  /// The answer to a `submit`, or to a queued command.
  case answered(RequestTicket, Result<ReplicaAnswer, ClientError>)
  /// Whether a queued command was taken back before it was sent (`withdraw`); if not, it may have been sent.
  case withdrawn(QueuedCommand, Bool)
  /// A queued command was refused, and somebody has to decide: it is in `Client.unsent` with the reason.
  case unsent(UnsentCommand)
  /// The queue or the copies could not be written to disk; the program goes on with what it has in memory.
  case notKept(ClientError)
}

/// One event, what it changed, and what of it a person should know.
package struct Happening: Sendable {
  package let event: Event
  package let changes: [ObjectChange]
  package let notifications: [Notification]

  package init(event: Event, changes: [ObjectChange], notifications: [Notification]) {
    self.event = event
    self.changes = changes
    self.notifications = notifications
  }
}
