/// What a wall clock shows, on any day and in any zone.
package struct ClockTime: Hashable, Sendable, CustomStringConvertible {
  /// After midnight, 0 to 1 439.
  package let minute: Int

  /// Nil for what no clock shows.
  package init?(minute: Int) {
    guard (0..<1_440).contains(minute) else { return nil }
    self.minute = minute
  }

  /// From exactly `18:00`.
  package init?(_ text: some StringProtocol) {
    guard let minute = Due.minute(text) else { return nil }
    self.init(minute: minute)
  }

  package var description: String { Due.clock(minute) }
}
