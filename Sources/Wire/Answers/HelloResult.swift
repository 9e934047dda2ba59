package import Domain

/// The answer to `hello` (protocol §8); it precedes every push.
package struct HelloResult: Equatable, Sendable {
  package let user: UserID
  package let session: SessionID
  package let time: Timestamp
  package let server: ServerName
  package let heartbeat: Heartbeat
  package let retry: RetryAdvice
  package let limits: [ToldLimit]
  /// The streams in stream order.
  package let streams: [StreamStatus]
  /// The number of streams that the user has beyond those that a connection may follow. Nothing comes of those.
  package let omitted: Int
  /// The link of a connection by a link. `user` and `session` are then the link's `guest`.
  package let link: LinkTold?
  /// The additions that the client asked for and gets.
  package let features: [Feature]

  package init(
    user: UserID, session: SessionID, time: Timestamp, server: ServerName, heartbeat: Heartbeat,
    retry: RetryAdvice, limits: [ToldLimit], streams: [StreamStatus], omitted: Int = 0,
    link: LinkTold? = nil, features: [Feature] = []
  ) {
    self.link = link
    self.features = features
    self.user = user
    self.session = session
    self.time = time
    self.server = server
    self.heartbeat = heartbeat
    self.retry = retry
    self.limits = limits
    self.streams = streams
    self.omitted = omitted
  }
}

/// The name and the version that the server gives itself.
package struct ServerName: Equatable, Sendable {
  package let name: String
  package let version: String
  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// The times by which both sides notice that the other is gone (protocol §2.3).
package struct Heartbeat: Equatable, Sendable {
  /// The server pings a connection that was quiet for this long.
  package let pingEveryMilliseconds: Int
  /// A connection without any byte for this long is dead.
  package let timeoutMilliseconds: Int
  package init(pingEveryMilliseconds: Int, timeoutMilliseconds: Int) {
    self.pingEveryMilliseconds = pingEveryMilliseconds
    self.timeoutMilliseconds = timeoutMilliseconds
  }
}

/// The advice for reconnecting: wait random(0, min(max, min · factorⁿ)) before attempt n (protocol §2.4).
package struct RetryAdvice: Equatable, Sendable {
  package let minMilliseconds: Int
  package let maxMilliseconds: Int
  package let factor: Int
  package init(minMilliseconds: Int, maxMilliseconds: Int, factor: Int) {
    self.minMilliseconds = minMilliseconds
    self.maxMilliseconds = maxMilliseconds
    self.factor = factor
  }
}

/// The way in which a stream goes on for this connection (protocol §5.3).
package struct StreamStatus: Equatable, Sendable {
  package let stream: StreamID
  /// The epoch. Nil when the stream is gone.
  package let epoch: Epoch?
  /// The number of the newest event. Nil when the stream is gone.
  package let head: Int64?
  package let mode: StreamMode
  /// The reason for a snapshot. Nil for the other modes.
  package let reason: SnapshotReason?

  package init(
    stream: StreamID, epoch: Epoch?, head: Int64?, mode: StreamMode, reason: SnapshotReason? = nil
  ) {
    self.stream = stream
    self.epoch = epoch
    self.head = head
    self.mode = mode
    self.reason = reason
  }
}

package enum StreamMode: String, CaseIterable, Sendable {
  /// Nothing was missed.
  case live
  /// All events after the cursor follow.
  case tail
  /// Pages that replace the copy follow, and then events.
  case snapshot
  /// The user is no member, or there is no such stream. The client drops its copy.
  case gone
}

package enum SnapshotReason: String, CaseIterable, Sendable {
  case new
  case epoch
  case ahead
  case diverged
  case horizon
  case rejoined
  case large
}
