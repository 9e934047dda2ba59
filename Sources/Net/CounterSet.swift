// Numbers for the operator, written where things happen and read by anybody. These must stay true:
//
// - Each object has one writer, the thread it belongs to. So counting is a load, an addition and a store,
//   all relaxed: no locked instruction, and no cache line that two threads write (an echo counts some six
//   times; a locked addition costs as much as all of them).
// - A reader sees each number as it was at some moment, and several numbers of different moments together.
//   That is enough for metrics; nothing else may be decided by these numbers.
// - Numbers lie together in lines of the cache that nothing else uses.

import Synchronization

/// One number for each case of a closed list.
///
/// Sendable by this proof: the pointer never changes and what it points to is atomic.
package final class CounterSet<Name>: @unchecked Sendable
where Name: RawRepresentable<Int> & CaseIterable & Sendable {
  private let values: UnsafeMutablePointer<Atomic<Int>>

  /// All numbers are 0. The raw values of `Name` count from 0.
  package init() {
    precondition(Name.allCases.map(\.rawValue) == Array(0..<Name.allCases.count))
    values = CacheLines.allocate(Name.allCases.count)
  }

  deinit { CacheLines.deallocate(values, Name.allCases.count) }

  /// Adds to a number; a gauge goes down by a negative amount. Only the owner's thread may call it.
  @inline(__always)
  package func add(_ name: Name, _ amount: Int = 1) {
    let value = values + name.rawValue
    value.pointee.store(value.pointee.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  /// Sets a gauge. Only the owner's thread may call it.
  @inline(__always)
  package func set(_ name: Name, _ amount: Int) {
    values[name.rawValue].store(amount, ordering: .relaxed)
  }

  /// The number as it was at some moment. Any thread may read it.
  package subscript(_ name: Name) -> Int { values[name.rawValue].load(ordering: .relaxed) }
}

/// Counts of values by their size: one number for each range, and the sum of all.
///
/// Sendable by this proof: the pointer never changes and what it points to is atomic.
package final class Histogram: @unchecked Sendable {
  /// The values that were noted up to some moment.
  package struct Reading: Equatable, Sendable {
    /// The counts of the ranges, one more than there are bounds: the last is for values above all of them.
    package let counts: [Int]
    package let sum: Int

    /// Adds two readings of histograms with the same bounds.
    package static func + (left: Reading, right: Reading) -> Reading {
      Reading(counts: zip(left.counts, right.counts).map(+), sum: left.sum + right.sum)
    }
  }

  /// The largest value of each range, ascending.
  package let bounds: [Int]
  /// The counts of the ranges, and behind them the sum.
  private let values: UnsafeMutablePointer<Atomic<Int>>

  package init(bounds: [Int]) {
    precondition(bounds.sorted() == bounds, "ranges ascend")
    self.bounds = bounds
    values = CacheLines.allocate(bounds.count + 2)
  }

  deinit { CacheLines.deallocate(values, bounds.count + 2) }

  /// Notes a value. Only the owner's thread may call it. Small values are found first.
  package func note(_ value: Int) {
    var index = 0
    while index < bounds.count, value > bounds[index] { index += 1 }
    add(1, at: index)
    add(value, at: bounds.count + 1)
  }

  /// The counts and the sum as they were at some moment. Any thread may read them.
  package var reading: Reading {
    Reading(
      counts: (0...bounds.count).map { values[$0].load(ordering: .relaxed) },
      sum: values[bounds.count + 1].load(ordering: .relaxed))
  }

  @inline(__always)
  private func add(_ amount: Int, at index: Int) {
    let value = values + index
    value.pointee.store(value.pointee.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }
}

/// Memory that shares no line of the cache with anything else. Lines are fetched in pairs of 64 bytes.
private enum CacheLines {
  private static let bytes = 128

  static func allocate(_ count: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    let size = (count * MemoryLayout<Atomic<Int>>.stride + bytes - 1) / bytes * bytes
    let values = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: bytes)
      .bindMemory(to: Atomic<Int>.self, capacity: count)
    for index in 0..<count { (values + index).initialize(to: Atomic(0)) }
    return values
  }

  static func deallocate(_ values: UnsafeMutablePointer<Atomic<Int>>, _ count: Int) {
    values.deinitialize(count: count)
    UnsafeMutableRawPointer(values).deallocate()
  }
}
