// The first of many moments that lie in the store: known from there or from a commit, so that the store is asked only
// when it has come.

internal import Domain

struct NextMoment: Equatable, Sendable {
  private enum Known: Equatable {
    /// Only the store knows.
    case unknown
    case none
    case at(Timestamp)
  }

  private var known = Known.unknown

  /// A commit brought some, of which this is the first.
  mutating func note(_ moment: Timestamp) {
    switch known {
    case .unknown: break
    case .none: known = .at(moment)
    case .at(let earlier): known = .at(min(earlier, moment))
    }
  }

  /// What the store has; nil when there is none.
  mutating func found(_ moment: Timestamp?) {
    known = moment.map { .at($0) } ?? .none
  }

  /// The store is to be asked again.
  mutating func forget() { known = .unknown }

  /// Whether the store should be asked.
  func hasCome(at now: Timestamp) -> Bool {
    switch known {
    case .unknown: true
    case .none: false
    case .at(let moment): moment <= now
    }
  }

  /// Milliseconds until then; `most` when there is none before.
  func wait(at now: Timestamp, most: Int64) -> Int64 {
    switch known {
    case .unknown: 0
    case .none: most
    case .at(let moment): min(most, max(0, moment.milliseconds - now.milliseconds))
    }
  }
}
