// The first of many moments that the store holds. It is known from the store or from a commit, so that the store is
// asked only when the moment has come.

internal import Domain

struct NextMoment: Equatable, Sendable {
  private enum Known: Equatable {
    /// Only the store knows the moment.
    case unknown
    case none
    case at(Timestamp)
  }

  private var known = Known.unknown

  /// Takes the first moment that a commit brought.
  mutating func note(_ moment: Timestamp) {
    switch known {
    case .unknown: break
    case .none: known = .at(moment)
    case .at(let earlier): known = .at(min(earlier, moment))
    }
  }

  /// Takes the first moment that the store has; nil when there is none.
  mutating func found(_ moment: Timestamp?) {
    known = moment.map { .at($0) } ?? .none
  }

  /// Lets the store be asked again.
  mutating func forget() { known = .unknown }

  /// Whether the store should be asked.
  func hasCome(at now: Timestamp) -> Bool {
    switch known {
    case .unknown: true
    case .none: false
    case .at(let moment): moment <= now
    }
  }

  /// Returns the milliseconds until the moment, at most `most`.
  func wait(at now: Timestamp, most: Int64) -> Int64 {
    switch known {
    case .unknown: 0
    case .none: most
    case .at(let moment): min(most, max(0, moment.milliseconds - now.milliseconds))
    }
  }
}
