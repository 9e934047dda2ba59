package import Domain
package import Sync
package import Wire

/// Things that have happened, in order. `Client.streams` contains them already.
package enum ClientNews: Sendable {
  case standing(Standing)
  /// A stream is new, or its copy was replaced as a whole.
  case replaced(StreamID)
  /// Events of a stream. `caughtUp` is false for events that were missed while there was no connection.
  case happened(StreamID, [AppliedEvent], caughtUp: Bool)
  /// A stream that is not ours any more, with its last state.
  case gone(StreamState)
  /// The things that hold for a moment have changed. `Client.ephemerals` has all of them.
  case ephemeral(EphemeralSet)
  /// Every stream is level with the server.
  case level
  /// The answer to a `submit`, or to a queued command.
  case answered(RequestTicket, Result<ReplicaAnswer, ClientError>)
  /// The outcome of `withdraw`: true when the queued command was taken back before it was sent. If not, it may have
  /// been sent.
  case withdrawn(QueuedCommand, Bool)
  /// A queued command was refused, and somebody has to decide. It is in `Client.unsent` with the reason.
  case unsent(UnsentCommand)
  /// The queue or the copies could not be written to disk. The program goes on with those in memory.
  case notKept(ClientError)
}

/// One event, the changes that it made, and the notifications that a person should see.
package struct AppliedEvent: Sendable {
  package let event: Event
  package let changes: [ObjectChange]
  package let notifications: [Notification]

  package init(event: Event, changes: [ObjectChange], notifications: [Notification]) {
    self.event = event
    self.changes = changes
    self.notifications = notifications
  }
}
