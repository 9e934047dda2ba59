// Topics that a connection still has to be told, because it was catching up or did not take its bytes when
// they were pushed. Only that they are owed is kept, never what they were: the newest is sent when it can be.

package import Domain

/// Who is owed what, on one loop. At most the topics of the streams that a connection follows.
package struct EphemeralDebts: Sendable {
  private var owed: [HubConnection: Set<EphemeralTopic>] = [:]

  package init() {}

  package var isEmpty: Bool { owed.isEmpty }

  package mutating func owe(_ connection: HubConnection, _ topic: EphemeralTopic) {
    owed[connection, default: []].insert(topic)
  }

  /// Takes out those of the connection that `canBePaid` says, in order.
  package mutating func pay(
    _ connection: HubConnection, if canBePaid: (EphemeralTopic) -> Bool
  ) -> [EphemeralTopic] {
    guard let topics = owed[connection] else { return [] }
    let paid = topics.filter(canBePaid)
    let left = topics.subtracting(paid)
    owed[connection] = left.isEmpty ? nil : left
    return paid.sorted()
  }

  /// The connection follows the stream no longer.
  package mutating func forget(_ connection: HubConnection, _ stream: StreamID) {
    _ = pay(connection) { $0.stream == stream }
  }

  package mutating func forget(_ connection: HubConnection) { owed[connection] = nil }

  /// In no particular order that shows: each is paid for itself.
  package var debtors: [HubConnection] { owed.keys.sorted { $0.value < $1.value } }
}
