import TestRandom
import Testing

@testable import Net

@Suite("The timer wheel, in virtual time")
struct TimerWheelTests {
  private static let tick = TimerWheel.tickMilliseconds
  private static let turn = tick * Int64(TimerWheel.bucketCount)

  @Test(
    "a timer is never early and at most a tick late",
    arguments: [0, 1, tick - 1, tick, tick + 1, 1000, turn - 1, turn, turn + 1, 3 * turn + 7])
  func punctual(delay: Int64) {
    let start = Moment(milliseconds: 1_000_003)
    var wheel = TimerWheel(now: start)
    let id = wheel.set(at: start + delay, .application)
    var due: [TimerWheel.Due] = []
    var now = start
    while due.isEmpty, now - start <= delay + 2 * TimerWheelTests.tick {
      guard let sleep = wheel.sleepMilliseconds(from: now) else { break }
      #expect(sleep > 0)
      now = now + sleep
      wheel.advance(to: now, into: &due)
    }
    #expect(due.map(\.id) == [id])
    #expect(due.map(\.purpose) == [.application])
    #expect(due.allSatisfy { $0.tickEnd - start >= delay && now >= $0.tickEnd })
    #expect(now - start >= delay)
    #expect(now - start <= delay + TimerWheelTests.tick)
    #expect(wheel.sleepMilliseconds(from: now) == nil)
  }

  @Test("an empty wheel lets the loop sleep without end")
  func empty() {
    var wheel = TimerWheel(now: Moment(milliseconds: 0))
    #expect(wheel.sleepMilliseconds(from: Moment(milliseconds: 5)) == nil)
    let id = wheel.set(at: Moment(milliseconds: 100), .application)
    wheel.cancel(id)
    wheel.cancel(id)
    #expect(wheel.sleepMilliseconds(from: Moment(milliseconds: 5)) == nil)
    #expect(wheel.count == 0)
  }

  @Test("timers of one tick fire in the order they were set")
  func order() {
    var wheel = TimerWheel(now: Moment(milliseconds: 0))
    let ids = (0..<10).map { _ in wheel.set(at: Moment(milliseconds: 40), .application) }
    var due: [TimerWheel.Due] = []
    wheel.advance(to: Moment(milliseconds: 64), into: &due)
    #expect(due.map(\.id) == ids)
  }

  @Test("a cancelled timer does not fire, also when its place was used again")
  func cancelled() {
    var wheel = TimerWheel(now: Moment(milliseconds: 0))
    let first = wheel.set(at: Moment(milliseconds: 40), .application)
    wheel.cancel(first)
    let second = wheel.set(at: Moment(milliseconds: 40), .acceptAgain)
    wheel.cancel(first)
    var due: [TimerWheel.Due] = []
    wheel.advance(to: Moment(milliseconds: 100), into: &due)
    #expect(due.map(\.id) == [second])
    #expect(due.map(\.purpose) == [.acceptAgain])
  }

  @Test("after a long sleep everything that was due fires, nothing else")
  func longSleep() {
    var wheel = TimerWheel(now: Moment(milliseconds: 0))
    let far = wheel.set(
      at: Moment(milliseconds: 10 * TimerWheelTests.turn), .application)
    let near = wheel.set(at: Moment(milliseconds: 50), .application)
    var due: [TimerWheel.Due] = []
    wheel.advance(to: Moment(milliseconds: 9 * TimerWheelTests.turn), into: &due)
    #expect(due.map(\.id) == [near])
    due = []
    wheel.advance(to: Moment(milliseconds: 11 * TimerWheelTests.turn), into: &due)
    #expect(due.map(\.id) == [far])
  }

  @Test("behaves like a sorted list", arguments: [UInt64(1), 20_261_120, 7])
  func model(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var wheel = TimerWheel(now: Moment(milliseconds: 0))
    var model: [TimerID: Int64] = [:]
    var now: Int64 = 0
    for step in 0..<20_000 {
      switch random.next() % 3 {
      case 0:
        let at = now + Int64(random.next() % UInt64(2 * TimerWheelTests.turn))
        model[wheel.set(at: Moment(milliseconds: at), .application)] = at
      case 1:
        guard let id = model.keys.min(by: { $0.index < $1.index }) else { continue }
        model[id] = nil
        wheel.cancel(id)
      default:
        now += Int64(random.next() % 500)
        var due: [TimerWheel.Due] = []
        wheel.advance(to: Moment(milliseconds: now), into: &due)
        for one in due {
          let at = model.removeValue(forKey: one.id)
          #expect(at.map { $0 <= now } == true, "seed \(seed), step \(step)")
        }
        let overdue = model.values.contains { $0 + TimerWheelTests.tick <= now }
        #expect(!overdue, "seed \(seed), step \(step)")
      }
      #expect(wheel.count == model.count, "seed \(seed), step \(step)")
    }
  }
}
