// How often one user may say hello: a client that fails right after hello and comes back at once costs
// reads of all its streams each time (protocol: hellosPerMinute). Connections of a user are on any loop and
// first met by any reader, so each user has one reader that counts, and is read for there.

package import Domain

/// A bucket for each user that one reader counts for.
package struct HelloLimits: Sendable {
  private let rate: TokenRate
  private var buckets: [UserID: TokenBucket] = [:]
  private var sweepAt = HelloLimits.bucketsBeforeSweep

  private static let bucketsBeforeSweep = 4_096

  package init(_ rate: TokenRate) { self.rate = rate }

  /// Nil to go on, or after how many milliseconds to come back.
  package mutating func tryNow(_ user: UserID, at now: Int64) -> Int64? {
    sweep(at: now)
    return buckets[user, default: TokenBucket(rate, at: now)].take(rate, at: now)
  }

  /// Full buckets are as good as none.
  private mutating func sweep(at now: Int64) {
    guard buckets.count >= sweepAt else { return }
    for (user, bucket) in buckets {
      var bucket = bucket
      if bucket.isFull(rate, at: now) { buckets[user] = nil }
    }
    sweepAt = max(HelloLimits.bucketsBeforeSweep, buckets.count * 2)
  }
}
