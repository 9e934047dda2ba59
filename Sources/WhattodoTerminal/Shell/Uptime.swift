import Glibc

/// The monotonic clock.
enum Uptime {
  static func milliseconds() -> Int64 {
    var time = timespec()
    // CLOCK_MONOTONIC is always there on Linux.
    guard clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
