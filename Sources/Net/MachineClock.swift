import CLinux

/// A moment of the monotonic clock. Only differences mean something.
package struct Moment: Comparable, Hashable, Sendable {
  /// The milliseconds since some start of the machine.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  init(nanoseconds: Int64) {
    self.init(milliseconds: nanoseconds / 1_000_000)
  }

  package static func < (left: Moment, right: Moment) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the moment so many milliseconds later.
  package static func + (moment: Moment, milliseconds: Int64) -> Moment {
    Moment(milliseconds: moment.milliseconds + milliseconds)
  }

  /// Returns the milliseconds from the right to the left.
  package static func - (left: Moment, right: Moment) -> Int64 {
    left.milliseconds - right.milliseconds
  }
}

/// The clocks of the machine.
package enum MachineClock {
  /// Reads CLOCK_MONOTONIC, for deadlines and heartbeats.
  package static func monotonic() -> Moment {
    Moment(milliseconds: whattodo_monotonic_milliseconds())
  }

  /// Reads CLOCK_MONOTONIC in nanoseconds, for measuring how long something took.
  package static func monotonicNanoseconds() -> Int64 {
    whattodo_monotonic_nanoseconds()
  }

  /// Reads CLOCK_THREAD_CPUTIME_ID in nanoseconds: the cost of this thread, whatever else the machine does.
  package static func threadNanoseconds() -> Int64 { whattodo_thread_nanoseconds() }

  /// Reads CLOCK_BOOTTIME, which goes on while the machine sleeps, to know what the wall clock should show.
  package static func sinceBootMilliseconds() -> Int64 { whattodo_boot_milliseconds() }

  /// Reads CLOCK_REALTIME in Unix milliseconds, for stamps.
  package static func wallMilliseconds() -> Int64 {
    whattodo_wall_milliseconds()
  }

  /// Whether the kernel says that the wall clock is kept right from outside, by NTP or the host of a virtual machine.
  /// It is false where nothing does that, or not yet; the clock may be right all the same.
  package static var isSynchronized: Bool { whattodo_clock_is_synchronized() != 0 }
}
