/// A moment on the server's wall clock: milliseconds since 1970-01-01T00:00:00Z, leap seconds left out.
///
/// Events are ordered by `seq`, never by time (DESIGN: the server's clock stamps).
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
