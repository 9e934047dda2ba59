/// What `verify` found: how much it read, and every place where the store is not what its log says.
package struct VerificationReport: Equatable, Sendable {
  package internal(set) var streams = 0
  package internal(set) var events = 0
  package internal(set) var objects = 0
  package internal(set) var keys = 0
  /// Posts that can be found by their words.
  package internal(set) var words = 0
  /// Posts with a deadline that somebody waits for.
  package internal(set) var dues = 0
  /// What was not compared, and why: sentences.
  package internal(set) var remarks: [String] = []
  /// Sentences, in the order of the store; the first `differencesListedMax`.
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
