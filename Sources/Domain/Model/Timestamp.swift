/// A moment on the server's wall clock: milliseconds since 1970-01-01T00:00:00Z, leap seconds left out.
///
/// Events are ordered by `seq`, never by time (DESIGN: the server's clock stamps).
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the moment this number of times 24 hours later, whatever clocks show then.
  func after(days: Int) -> Timestamp {
    Timestamp(milliseconds: milliseconds + Int64(days) * Timestamp.dayMilliseconds)
  }

  /// The number of days since 1970-01-01 in UTC.
  var utcDay: Int64 { milliseconds / Timestamp.dayMilliseconds }

  private static let dayMilliseconds: Int64 = 86_400_000
}
