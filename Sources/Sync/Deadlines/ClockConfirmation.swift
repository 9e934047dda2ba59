package import Domain

/// The operator has said that the wall clock is right: `whattodo-server clock confirm`.
package struct ClockConfirmation: Equatable, Sendable {
  /// What it showed.
  package let at: Timestamp
  /// When the newest event was said to be written, by then.
  package let newest: Timestamp

  package init(at: Timestamp, newest: Timestamp) {
    self.at = at
    self.newest = newest
  }
}
