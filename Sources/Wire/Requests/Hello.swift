package import Domain

/// The first request of a signed-in connection (protocol §8 `hello`).
package struct Hello: Equatable, Sendable {
  /// The secret from the answer to `account.login`.
  package let token: String
  package let client: ClientName
  /// The cursors of the streams that the client has already, in stream order. A stream without one comes as a snapshot.
  package let cursors: [Cursor]
  package let streams: StreamSelection
  /// The names of additions that the client understands. Unknown ones are ignored.
  package let features: [String]
  /// The code of a link. It takes the place of a token, which is then empty.
  package let link: String?

  package init(
    token: String, client: ClientName, cursors: [Cursor], streams: StreamSelection,
    features: [String] = [], link: String? = nil
  ) {
    self.link = link
    self.token = token
    self.client = client
    self.cursors = cursors
    self.streams = streams
    self.features = features
  }
}

/// The name that a program gives itself. It is shown in the person's list of sessions.
package struct ClientName: Equatable, Sendable {
  package let name: String
  package let version: String
  package init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// The streams that a connection wants.
package enum StreamSelection: Equatable, Sendable {
  /// Every stream that the user may see, and those that appear later.
  case all
  case none
  case only([StreamID])
}

/// The point up to which a client has a copy of a stream. Without a position it has none.
package struct Cursor: Hashable, Sendable {
  package let stream: StreamID
  package let position: CursorPosition?
  package init(stream: StreamID, position: CursorPosition?) {
    self.stream = stream
    self.position = position
  }
}

/// The last event that a client has applied (protocol §5.2).
package struct CursorPosition: Hashable, Sendable {
  package let epoch: Epoch
  /// The number of the event. 0 is before the first event.
  package let seq: Int64
  /// The transaction of the event at `seq`, by which a diverged history is noticed. Nil when `seq` is 0.
  package let transaction: TransactionID?

  package init(epoch: Epoch, seq: Int64, transaction: TransactionID?) {
    self.epoch = epoch
    self.seq = seq
    self.transaction = transaction
  }
}
