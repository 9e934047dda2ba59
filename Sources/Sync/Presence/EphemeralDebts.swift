// Topics that a connection still has to be told, because it was catching up or took no bytes when they were pushed.
// Only the names of the topics are kept; the newest values are sent when that is possible.

package import Domain

/// The owed topics of the connections of one loop. A connection is owed at most the topics of the streams that it
/// follows.
package struct EphemeralDebts: Sendable {
  private var owed: [HubConnection: Set<EphemeralTopic>] = [:]

  package init() {}

  package var isEmpty: Bool { owed.isEmpty }

  package mutating func owe(_ connection: HubConnection, _ topic: EphemeralTopic) {
    owed[connection, default: []].insert(topic)
  }

  /// Takes out the topics of the connection for which `canBePaid` is true, in order.
  package mutating func pay(
    _ connection: HubConnection, if canBePaid: (EphemeralTopic) -> Bool
  ) -> [EphemeralTopic] {
    guard let topics = owed[connection] else { return [] }
    let paid = topics.filter(canBePaid)
    let left = topics.subtracting(paid)
    owed[connection] = left.isEmpty ? nil : left
    return paid.sorted()
  }

  /// Forgets the topics of a stream that the connection follows no longer.
  package mutating func forget(_ connection: HubConnection, _ stream: StreamID) {
    _ = pay(connection) { $0.stream == stream }
  }

  package mutating func forget(_ connection: HubConnection) { owed[connection] = nil }

  /// The connections that are owed something. Their order does not matter, because each is paid alone.
  package var debtors: [HubConnection] { owed.keys.sorted { $0.value < $1.value } }
}
