// The users whose commands are not taken for a moment. A command that could not be written is sent again after a while.
// Commands that its sender had sent behind it are on their way by then, and would take effect before it (protocol §2.2:
// in the order sent). So all of them are refused in the same words, until none of them can be on its way any more.

package import Domain

/// The cooldowns by user, because a user's commands come over any connection.
package struct UserCooldowns: Sendable {
  private var until: [UserID: Int64] = [:]

  package init() {}

  /// Returns nil to go on, or the milliseconds after which to come back. They are as many as the commands before were
  /// told, so that all come again in their order.
  package func wait(_ user: UserID, at now: Int64) -> Int? {
    guard let end = until[user], now < end else { return nil }
    return LedgerWaits().unavailableMilliseconds
  }

  /// Notes the outcome of works. `now` is in milliseconds of a clock that never jumps. Only a commit that failed makes
  /// users rest. A list that cannot be read, or a disk without room for long texts, keeps nobody from their other
  /// works.
  package mutating func note(
    _ works: [LedgerWork], _ commit: LedgerTurn.Commit, at now: Int64
  ) {
    if !until.isEmpty { until = until.filter { now < $0.value } }
    switch commit {
    case .nothing, .committed: return
    case .failed, .unknown: break
    }
    for case .command(let it) in works {
      until[it.actor.user] = now + Int64(LedgerWaits().unavailableMilliseconds)
    }
  }
}
