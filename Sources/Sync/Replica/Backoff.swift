import Wire

/// The wait before coming back: random(0, min(max, min · factorⁿ)), "full jitter", so that many clients of one server
/// do not come back together. n begins at 0 again after half a minute of being live.
struct Backoff: Sendable {
  /// The time after which a connection counts as a good one.
  static let stableMilliseconds: Int64 = 30_000

  /// The advice of the server, from the first `hello` on.
  var advice = RetryAdvice(minMilliseconds: 500, maxMilliseconds: 30_000, factor: 2)
  private var attempt = 0

  /// Returns the wait after the end of a connection; `drain` is what the server asked for instead.
  mutating func delay(
    wasLiveSince: Int64?, now: Int64, drain: (afterMilliseconds: Int, withinMilliseconds: Int)?,
    random: UInt64
  ) -> Int64 {
    if let since = wasLiveSince, now - since >= Backoff.stableMilliseconds { attempt = 0 }
    if let drain {
      let within = UInt64(max(0, drain.withinMilliseconds))
      return Int64(max(0, drain.afterMilliseconds)) + Int64(random % (within + 1))
    }
    let ceiling = self.ceiling
    attempt = min(attempt + 1, 30)
    return Int64(random % UInt64(ceiling + 1))
  }

  /// The bound min(max, min · factorⁿ), without overflow.
  private var ceiling: Int64 {
    let most = Int64(max(1, advice.maxMilliseconds))
    var bound = Int64(max(1, advice.minMilliseconds))
    for _ in 0..<attempt where bound < most {
      let (product, overflow) = bound.multipliedReportingOverflow(by: Int64(max(1, advice.factor)))
      bound = overflow ? most : product
    }
    return min(bound, most)
  }
}
