package import Domain

/// The operator's statement that the wall clock is right: `whattodo-server clock confirm`.
package struct ClockConfirmation: Equatable, Sendable {
  /// The time that the clock showed.
  package let at: Timestamp
  /// The time of the newest event at that moment.
  package let newest: Timestamp

  package init(at: Timestamp, newest: Timestamp) {
    self.at = at
    self.newest = newest
  }
}
