package import Domain

// The followers of a stream. Ephemeral values are sent to them, and only they may say them (protocol §5.5).
extension Hub {
  /// Answers whether the connection follows the stream. It does not follow it any more when its membership has ended,
  /// even before it was told.
  package func follows(_ connection: HubConnection, _ stream: StreamID) -> Bool {
    watch(connection, stream)?.ends.isEmpty ?? false
  }

  /// Answers whether the connection was sent everything of the stream that was published.
  package func isCurrent(_ connection: HubConnection, _ stream: StreamID) -> Bool {
    watch(connection, stream)?.state == .current
  }

  /// Returns the connections that watch the stream, in no particular order.
  package func followers(of stream: StreamID) -> [HubConnection] {
    channels[stream]?.watches.map(\.connection) ?? []
  }

  /// Returns the connections of a person that said hello, in the order in which they came.
  package func connections(of user: UserID) -> [HubConnection] { people[user] ?? [] }

  /// Answers whether a membership of its person has ended and it watches nothing that would tell it so. This is for
  /// connections that exist for a single membership: those that look by a link.
  package func isOut(_ connection: HubConnection) -> Bool {
    guard let client = clients[connection] else { return false }
    return client.hasLost && client.streams.isEmpty
  }

  private func watch(_ connection: HubConnection, _ stream: StreamID) -> HubWatch? {
    guard let index = clients[connection]?.index(of: stream) else { return nil }
    return channels[stream]?.watches[index]
  }
}
