// Whose commands are not taken for a moment. A command that could not be written for now comes again after a while;
// what its sender had sent behind it is on its way by then and would take effect before it (protocol §2.2: in the
// order sent). So all of it is refused in the same words, until nothing of it can be on its way any more.

package import Domain

/// By user: their commands come over any connection.
package struct UserRests: Sendable {
  private var until: [UserID: Int64] = [:]

  package init() {}

  /// Nil to go on, or after how many milliseconds to come back: as long as those before were told, so that they
  /// come again in their order.
  package func wait(_ user: UserID, at now: Int64) -> Int? {
    guard let end = until[user], now < end else { return nil }
    return LedgerWaits().unavailableMilliseconds
  }

  /// What became of works. Milliseconds of a clock that never jumps. A list that cannot be read, or a disk without room
  /// for long texts, keeps nobody from their others: only a commit that failed does.
  package mutating func note(_ works: [LedgerWork], _ turn: LedgerTurn, at now: Int64) {
    if !until.isEmpty { until = until.filter { now < $0.value } }
    switch turn.commit {
    case .nothing, .committed: return
    case .failed, .unknown: break
    }
    for case .command(let it) in works {
      until[it.actor.user] = now + Int64(LedgerWaits().unavailableMilliseconds)
    }
  }
}
