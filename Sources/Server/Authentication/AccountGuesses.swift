// Counts the guesses of strangers at one account, from wherever they come: a burst at once, then one after the other.

internal import Sync

struct AccountGuesses {
  private let rate: TokenRate
  /// The buckets by username, of somebody or of nobody.
  private var buckets: [String: TokenBucket] = [:]
  private var sweepAt = AccountGuesses.accountsBeforeSweep

  /// The least number of buckets at which full ones are dropped. The next sweep comes when there are twice as many as
  /// were left. One bucket is made for each guess that is computed, so there are at most as many as hash threads
  /// compute until a bucket is full again.
  private static let accountsBeforeSweep = 4_096

  init(_ rate: TokenRate) { self.rate = rate }

  /// Returns how long the next guess has to wait, in milliseconds. Nil when it need not wait.
  func wait(at account: String?, _ now: Int64) -> Int64? {
    guard let account, var bucket = buckets[account] else { return nil }
    return bucket.take(rate, at: now)
  }

  mutating func take(at account: String, _ now: Int64) {
    sweep(at: now)
    _ = buckets[account, default: TokenBucket(rate, at: now)].take(rate, at: now)
  }

  mutating func giveBack(at account: String) { buckets[account]?.giveBack(rate) }

  private mutating func sweep(at now: Int64) {
    guard buckets.count >= sweepAt else { return }
    for (account, bucket) in buckets {
      var bucket = bucket
      if bucket.isFull(rate, at: now) { buckets[account] = nil }
    }
    sweepAt = max(AccountGuesses.accountsBeforeSweep, buckets.count * 2)
  }
}
