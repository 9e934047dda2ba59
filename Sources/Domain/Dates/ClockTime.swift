/// The time that a wall clock shows, on any day and in any zone.
package struct ClockTime: Hashable, Sendable, CustomStringConvertible {
  /// The minutes after midnight, 0 to 1 439.
  package let minute: Int

  /// Makes a time. Nil when no clock shows it.
  package init?(minute: Int) {
    guard (0..<1_440).contains(minute) else { return nil }
    self.minute = minute
  }

  /// Reads exactly `18:00`. Nil for anything else.
  package init?(_ text: some StringProtocol) {
    guard let minute = Due.minute(text) else { return nil }
    self.init(minute: minute)
  }

  package var description: String { Due.clock(minute) }
}
