import Testing

@testable import Net

@Suite("CPU time of a thread, measured in steps")
struct CPUMeterTests {
  private var meter = CPUMeter()
  private let millisecond: Int64 = 1_000_000

  /// Ends a step at these clocks. Returns its cost.
  private mutating func step(from before: Int64, now: Int64, cpu: Int64) -> Int64 {
    meter.step(now: now, cpu: { cpu }) - before
  }

  @Test("a short step counts as long as it took, and the thread's clock is not read")
  mutating func short() {
    let begun = meter.step(now: 100 * millisecond, cpu: { 7 * millisecond })
    let after = meter.step(
      now: 100 * millisecond + 20_000,
      cpu: {
        Issue.record("a system call for a step of 20 µs")
        return 0
      })
    #expect(after - begun == 20_000)
  }

  @Test("a long step counts its CPU time, not the wait for a processor")
  mutating func preempted() {
    let begun = meter.step(now: 100 * millisecond, cpu: { 7 * millisecond })
    let cost = step(from: begun, now: 120 * millisecond, cpu: 9 * millisecond)
    #expect(cost == 2 * millisecond)
  }

  @Test("a long step never counts the short ones before it a second time beyond its own length")
  mutating func bounded() {
    var last = meter.step(now: 0, cpu: { 0 })
    for index in 1...40 { last = meter.step(now: Int64(index) * 20_000, cpu: { 0 }) }
    let cost = step(from: last, now: 800_000 + 2 * millisecond, cpu: 2_800_000)
    #expect(cost == 2 * millisecond)
  }

  @Test("sleeping between two steps costs nothing")
  mutating func asleep() {
    let begun = meter.step(now: 100 * millisecond, cpu: { 7 * millisecond })
    #expect(step(from: begun, now: 60_000 * millisecond, cpu: 7 * millisecond) == 0)
  }
}
