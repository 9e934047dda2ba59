/// The result of `verify`: how much it read, and every place where the store is not what its log says.
package struct VerificationReport: Equatable, Sendable {
  package internal(set) var streams = 0
  package internal(set) var events = 0
  package internal(set) var objects = 0
  package internal(set) var keys = 0
  /// The number of posts that can be found by their words.
  package internal(set) var words = 0
  /// The number of open posts with a deadline.
  package internal(set) var dues = 0
  /// The number of rows of achievement.
  package internal(set) var achievements = 0
  /// Sentences that say what was not compared, and why.
  package internal(set) var remarks: [String] = []
  /// The differences as sentences, in the order of the store: the first `differencesListedMax`.
  package private(set) var differences: [String] = []
  package private(set) var differenceCount = 0

  package static let differencesListedMax = 100

  package var isSound: Bool { differenceCount == 0 }

  mutating func add(_ difference: String) {
    differenceCount += 1
    if differences.count < VerificationReport.differencesListedMax {
      differences.append(difference)
    }
  }
}
