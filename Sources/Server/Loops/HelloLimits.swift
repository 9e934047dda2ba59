// How often one token may say hello: a client that fails right after hello and comes back at once costs
// reads of all its streams each time (protocol: hellosPerMinute).

internal import Crypto
internal import Sync

/// A bucket for each token seen lately on one loop.
struct HelloLimits: Sendable {
  private let rate: TokenRate
  /// By the first bytes of the token's hash: no token is kept.
  private var buckets: [[UInt8]: TokenBucket] = [:]
  private var sweepAt = HelloLimits.bucketsBeforeSweep

  private static let bucketsBeforeSweep = 4_096

  init(_ rate: TokenRate) { self.rate = rate }

  /// Nil to go on, or after how many milliseconds to come back.
  mutating func tryNow(_ token: String, at now: Int64) -> Int64? {
    sweep(at: now)
    let name = Array(sha256(Array(token.utf8)).prefix(8))
    return buckets[name, default: TokenBucket(rate, at: now)].take(rate, at: now)
  }

  /// Full buckets are as good as none.
  private mutating func sweep(at now: Int64) {
    guard buckets.count >= sweepAt else { return }
    for (name, bucket) in buckets {
      var bucket = bucket
      if bucket.isFull(rate, at: now) { buckets[name] = nil }
    }
    sweepAt = max(HelloLimits.bucketsBeforeSweep, buckets.count * 2)
  }
}
