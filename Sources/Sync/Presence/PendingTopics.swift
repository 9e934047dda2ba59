// Topics that a connection still has to be told, because it was catching up or took no bytes when they were pushed.
// Only the names of the topics are kept; the newest values are sent when that is possible.

package import Domain

/// The pending topics of the connections of one loop. A connection has at most the topics of the streams that it
/// follows.
package struct PendingTopics: Sendable {
  private var pending: [HubConnection: Set<EphemeralTopic>] = [:]

  package init() {}

  package var isEmpty: Bool { pending.isEmpty }

  package mutating func add(_ connection: HubConnection, _ topic: EphemeralTopic) {
    pending[connection, default: []].insert(topic)
  }

  /// Takes out the topics of the connection for which `canBeTold` is true, in order.
  package mutating func take(
    _ connection: HubConnection, if canBeTold: (EphemeralTopic) -> Bool
  ) -> [EphemeralTopic] {
    guard let topics = pending[connection] else { return [] }
    let told = topics.filter(canBeTold)
    let left = topics.subtracting(told)
    pending[connection] = left.isEmpty ? nil : left
    return told.sorted()
  }

  /// Forgets the topics of a stream that the connection follows no longer.
  package mutating func forget(_ connection: HubConnection, _ stream: StreamID) {
    _ = take(connection) { $0.stream == stream }
  }

  package mutating func forget(_ connection: HubConnection) { pending[connection] = nil }

  /// The connections that have pending topics. Their order does not matter, because each is told alone.
  package var connections: [HubConnection] { pending.keys.sorted { $0.value < $1.value } }
}
