package import Domain

/// The sessions by which somebody is connected, as the loops report them. A new sign-in closes none of them.
package struct ConnectedSessions: Sendable {
  /// The number of loops on which a session is connected.
  private var loops: [SessionID: Int] = [:]

  package init() {}

  package func contains(_ session: SessionID) -> Bool { loops[session] != nil }

  /// Notes that the first connection of a session on a loop said hello.
  package mutating func began(_ session: SessionID) { loops[session, default: 0] += 1 }

  /// Notes that the last connection of a session on a loop is gone.
  package mutating func ended(_ session: SessionID) {
    guard let count = loops[session] else { return }
    loops[session] = count > 1 ? count - 1 : nil
  }
}
