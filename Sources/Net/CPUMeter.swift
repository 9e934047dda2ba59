/// Measures the CPU time of one thread in steps. The thread's own clock is a system call, so it is read once a
/// millisecond at most; a step in between counts as long as it took by the monotonic clock, which is cheap. So no step
/// counts for less than its CPU time. One step counts for at most a millisecond too much; a sum of short steps can be
/// as long as they took.
package struct CPUMeter {
  private static let readEveryNanoseconds: Int64 = 1_000_000

  private var total: Int64 = 0
  private var steppedAt: Int64 = 0
  private var readAt: Int64 = 0
  private var cpuThen: Int64 = 0

  package init() {}

  /// Ends a step. Returns the sum of all steps in nanoseconds. `now` is the monotonic clock, and `cpu` reads the clock
  /// of the calling thread, which is always the same one.
  package mutating func step(
    now: Int64 = MachineClock.monotonicNanoseconds(),
    cpu: () -> Int64 = { MachineClock.threadNanoseconds() }
  ) -> Int64 {
    var taken = now - steppedAt
    if now - readAt >= Self.readEveryNanoseconds {
      let used = cpu()
      taken = min(taken, used - cpuThen)
      (readAt, cpuThen) = (now, used)
    }
    steppedAt = now
    total += taken
    return total
  }
}
