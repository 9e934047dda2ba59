package import Domain

/// The sessions that somebody is connected by, as the loops tell. A new sign-in closes none of them.
package struct ConnectedSessions: Sendable {
  /// On how many loops.
  private var loops: [SessionID: Int] = [:]

  package init() {}

  package func contains(_ session: SessionID) -> Bool { loops[session] != nil }

  /// The first connection of a session on a loop said hello.
  package mutating func began(_ session: SessionID) { loops[session, default: 0] += 1 }

  /// The last one on a loop is gone.
  package mutating func ended(_ session: SessionID) {
    guard let count = loops[session] else { return }
    loops[session] = count > 1 ? count - 1 : nil
  }
}
