// A hashed timer wheel (Varghese and Lauck 1987, scheme 6): time is cut into ticks, a timer hangs
// in the bucket of its tick modulo the number of buckets. Setting and cancelling are O(1); time
// goes bucket by bucket. A timer more than one turn of the wheel ahead stays in its bucket until
// its tick has come. A bitmap of non-empty buckets says how long a loop may sleep, so an empty
// wheel costs nothing. Coarse ticks let 10 000 heartbeats share their wake-ups.
//
// Timers are never early and at most one tick late. Those of one tick fire in the order they were
// set.

/// The name of a timer. It stays unique after the timer has fired.
package struct TimerID: Hashable, Sendable {
  let index: Int32
  let generation: UInt32
}

/// All timers of one loop. The time is an argument.
struct TimerWheel {
  /// The purpose of a timer.
  enum Purpose: Hashable {
    /// A connection's next deadline or heartbeat.
    case connection(ConnectionID)
    /// The next try to accept, after descriptors ran out.
    case acceptAgain
    /// A timer of the application.
    case application
  }

  /// A timer that is due.
  struct Due: Hashable {
    let id: TimerID
    let purpose: Purpose
    /// The latest moment at which it was to fire: the end of its tick.
    let tickEnd: Moment
  }

  static let tickMilliseconds: Int64 = 32
  static let bucketCount = 2048
  private static let none: Int32 = -1

  private struct Entry {
    var tick: Int64
    var purpose: Purpose
    var next: Int32
    var previous: Int32
    var generation: UInt32
    var isSet: Bool
  }

  private var entries: [Entry] = []
  private var free: [Int32] = []
  private var buckets = [Int32](repeating: none, count: bucketCount)
  private var occupied = [UInt64](repeating: 0, count: bucketCount / 64)
  private var doneTick: Int64
  /// The number of timers that are set.
  private(set) var count = 0

  init(now: Moment) {
    doneTick = now.milliseconds / TimerWheel.tickMilliseconds
  }

  /// Sets a timer. For a moment that has passed it is due at the next tick.
  mutating func set(at moment: Moment, _ purpose: Purpose) -> TimerID {
    let ticks = TimerWheel.tickMilliseconds
    let tick = max((moment.milliseconds + ticks - 1) / ticks, doneTick + 1)
    let index = takeEntry(purpose, tick: tick)
    link(index)
    count += 1
    return TimerID(index: index, generation: entries[Int(index)].generation)
  }

  /// Cancels a timer. One that has fired or was cancelled is ignored.
  mutating func cancel(_ id: TimerID) {
    let index = Int(id.index)
    guard entries.indices.contains(index), entries[index].isSet,
      entries[index].generation == id.generation
    else { return }
    release(id.index)
  }

  /// Appends the timers that became due by `now`, in order.
  mutating func advance(to now: Moment, into due: inout [Due]) {
    let target = now.milliseconds / TimerWheel.tickMilliseconds
    // After a long sleep one turn over all buckets finds everything.
    let first = max(doneTick + 1, target - Int64(TimerWheel.bucketCount) + 1)
    doneTick = max(doneTick, target)
    guard count > 0, first <= target else { return }
    for tick in first...target { take(bucket: bucket(of: tick), upTo: target, into: &due) }
  }

  /// Returns how long to sleep at most. Nil without timers.
  func sleepMilliseconds(from now: Moment) -> Int64? {
    guard count > 0 else { return nil }
    let start = bucket(of: doneTick + 1)
    for offset in 0..<occupied.count + 1 {
      let word = (start / 64 + offset) % occupied.count
      var bits = occupied[word]
      if offset == 0 { bits &= ~0 << UInt64(start % 64) }
      if offset == occupied.count { bits &= ~(~0 << UInt64(start % 64)) }
      guard bits != 0 else { continue }
      let found = word * 64 + bits.trailingZeroBitCount
      let ahead = (found - start + TimerWheel.bucketCount) % TimerWheel.bucketCount
      let moment = (doneTick + 1 + Int64(ahead)) * TimerWheel.tickMilliseconds
      return max(0, moment - now.milliseconds)
    }
    return nil
  }

  private func bucket(of tick: Int64) -> Int {
    Int(tick % Int64(TimerWheel.bucketCount))
  }

  private mutating func take(bucket: Int, upTo target: Int64, into due: inout [Due]) {
    guard buckets[bucket] != TimerWheel.none else { return }
    let start = due.count
    var index = buckets[bucket]
    while index != TimerWheel.none {
      let entry = entries[Int(index)]
      if entry.tick <= target {
        let id = TimerID(index: index, generation: entry.generation)
        let end = Moment(milliseconds: entry.tick * TimerWheel.tickMilliseconds)
        due.append(Due(id: id, purpose: entry.purpose, tickEnd: end))
        release(index)
      }
      index = entry.next
    }
    // The newest timer hangs first in its bucket.
    due[start...].reverse()
  }

  private mutating func takeEntry(_ purpose: Purpose, tick: Int64) -> Int32 {
    if let index = free.popLast() {
      entries[Int(index)].purpose = purpose
      entries[Int(index)].tick = tick
      entries[Int(index)].generation &+= 1
      entries[Int(index)].isSet = true
      return index
    }
    entries.append(
      Entry(
        tick: tick, purpose: purpose, next: TimerWheel.none, previous: TimerWheel.none,
        generation: 0, isSet: true))
    return Int32(entries.count - 1)
  }

  private mutating func link(_ index: Int32) {
    let bucket = bucket(of: entries[Int(index)].tick)
    let head = buckets[bucket]
    entries[Int(index)].next = head
    entries[Int(index)].previous = TimerWheel.none
    if head != TimerWheel.none { entries[Int(head)].previous = index }
    buckets[bucket] = index
    occupied[bucket / 64] |= 1 << UInt64(bucket % 64)
  }

  private mutating func release(_ index: Int32) {
    let entry = entries[Int(index)]
    let bucket = bucket(of: entry.tick)
    if entry.previous == TimerWheel.none {
      buckets[bucket] = entry.next
      if entry.next == TimerWheel.none { occupied[bucket / 64] &= ~(1 << UInt64(bucket % 64)) }
    } else {
      entries[Int(entry.previous)].next = entry.next
    }
    if entry.next != TimerWheel.none { entries[Int(entry.next)].previous = entry.previous }
    entries[Int(index)].isSet = false
    free.append(index)
    count -= 1
  }
}
