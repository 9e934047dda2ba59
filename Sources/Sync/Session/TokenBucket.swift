// A token bucket lets so many through at once, and then so many per second (protocol: limits). Time is the caller's
// monotonic clock. Tokens are kept in thousandths, so that nothing is lost between two calls.

/// The part of a limit that is left.
package struct TokenBucket: Equatable, Sendable {
  private var milliTokens: Int64
  private var filledAt: Int64

  /// Makes a bucket that is full at `now`, in milliseconds.
  package init(_ rate: TokenRate, at now: Int64) {
    milliTokens = rate.burst * 1_000
    filledAt = now
  }

  /// Takes `count` tokens and returns nil. If they are not there, takes none and returns the milliseconds after which
  /// they will be. `count` must not be more than the burst, or they never will be.
  package mutating func take(_ rate: TokenRate, count: Int64 = 1, at now: Int64) -> Int64? {
    fill(rate, at: now)
    let missing = count * 1_000 - milliTokens
    guard missing > 0 else {
      milliTokens -= count * 1_000
      return nil
    }
    return (missing * rate.everyMilliseconds + 999) / (rate.count * 1_000)
  }

  /// Takes tokens for something that is done already, even tokens that are not there: the next caller waits for them.
  /// The bucket never goes further below none than `burst`, so nobody waits longer than a bucket takes to fill twice.
  package mutating func charge(_ rate: TokenRate, count: Int64, at now: Int64) {
    fill(rate, at: now)
    milliTokens = max(-rate.burst * 1_000, milliTokens - count * 1_000)
  }

  /// Gives back one token.
  package mutating func giveBack(_ rate: TokenRate) {
    milliTokens = min(rate.burst * 1_000, milliTokens + 1_000)
  }

  /// Answers whether nothing is missing, so that a new bucket would be the same.
  package mutating func isFull(_ rate: TokenRate, at now: Int64) -> Bool {
    fill(rate, at: now)
    return milliTokens == rate.burst * 1_000
  }

  private mutating func fill(_ rate: TokenRate, at now: Int64) {
    let elapsed = max(0, now - filledAt)
    let product = elapsed.multipliedReportingOverflow(by: rate.count * 1_000)
    let full = rate.burst * 1_000
    let earned = product.partialValue / rate.everyMilliseconds
    guard !product.overflow, earned < full - milliTokens else {
      milliTokens = full
      filledAt = max(filledAt, now)
      return
    }
    milliTokens += earned
    // Time that has earned nothing yet counts the next time. Otherwise a caller that asks often enough would earn
    // nothing.
    filledAt += (earned * rate.everyMilliseconds + rate.count * 1_000 - 1) / (rate.count * 1_000)
  }
}

/// A rate of `count` tokens in every `everyMilliseconds`, up to `burst`.
package struct TokenRate: Equatable, Sendable {
  package let count: Int64
  package let everyMilliseconds: Int64
  package let burst: Int64

  /// Makes a rate. All values are at least 1.
  package init(count: Int64, everyMilliseconds: Int64, burst: Int64) {
    precondition(count > 0 && everyMilliseconds > 0 && burst > 0, "a rate lets something through")
    self.count = count
    self.everyMilliseconds = everyMilliseconds
    self.burst = burst
  }
}
