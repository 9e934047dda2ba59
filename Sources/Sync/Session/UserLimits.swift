// How often one user may do something, over all their connections. Those are on any loop, so it is counted
// in one place for each user: hellos by the reader of the user, because each costs reads of all streams
// (protocol §13, hellosPerMinute), questions about what was too (historyPerMinute); commands by the ledger
// (userCommandsPerSecond).

package import Domain

/// A bucket for each user who has taken something lately.
package struct UserLimits: Sendable {
  private let rate: TokenRate
  private var buckets: [UserID: TokenBucket] = [:]
  private var sweepAt = UserLimits.bucketsBeforeSweep

  private static let bucketsBeforeSweep = 4_096

  package init(_ rate: TokenRate) { self.rate = rate }

  /// Nil to go on, or after how many milliseconds to come back. What costs more than a full bucket
  /// takes one.
  package mutating func tryNow(_ user: UserID, cost: Int = 1, at now: Int64) -> Int64? {
    sweep(at: now)
    let count = min(Int64(cost), rate.burst)
    return buckets[user, default: TokenBucket(rate, at: now)].take(rate, count: count, at: now)
  }

  /// Full buckets are as good as none.
  private mutating func sweep(at now: Int64) {
    guard buckets.count >= sweepAt else { return }
    for (user, bucket) in buckets {
      var bucket = bucket
      if bucket.isFull(rate, at: now) { buckets[user] = nil }
    }
    sweepAt = max(UserLimits.bucketsBeforeSweep, buckets.count * 2)
  }
}
