package import Domain

// Who follows a stream: what holds for a moment goes to them, and may be said by them only (protocol §5.5).
extension Hub {
  /// Whether the connection follows the stream; not any more when its membership has ended, also when it
  /// has not been told yet.
  package func follows(_ connection: HubConnection, _ stream: StreamID) -> Bool {
    watch(connection, stream)?.ends.isEmpty ?? false
  }

  /// Whether it was sent everything of the stream that was published.
  package func isCurrent(_ connection: HubConnection, _ stream: StreamID) -> Bool {
    watch(connection, stream)?.state == .current
  }

  /// In no particular order.
  package func followers(of stream: StreamID) -> [HubConnection] {
    channels[stream]?.watches.map(\.connection) ?? []
  }

  /// The connections of a person that said hello, in the order in which they came.
  package func connections(of user: UserID) -> [HubConnection] { people[user] ?? [] }

  /// Whether a membership of its person has ended and it watches nothing that would tell it so. For who has a single
  /// membership, which is all that the connection is for: whoever looks by a link.
  package func isOut(_ connection: HubConnection) -> Bool {
    guard let client = clients[connection] else { return false }
    return client.hasLost && client.streams.isEmpty
  }

  private func watch(_ connection: HubConnection, _ stream: StreamID) -> HubWatch? {
    guard let index = clients[connection]?.index(of: stream) else { return nil }
    return channels[stream]?.watches[index]
  }
}
